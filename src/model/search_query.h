#pragma once

#include <string>
#include <vector>

namespace dowser {

// What is asked of a full-text index or of a search engine: pages that hold every one of the
// phrases. {"artificial intelligence", "machine learning"} asks for pages with both.
struct SearchQuery {
  std::vector<std::string> phrases;
  std::string domain;  // only pages of this domain and those below it: "edu", "cs.cmu.edu"; "": all
};

}  // namespace dowser
