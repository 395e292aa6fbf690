#pragma once

#include <string>
#include <vector>

namespace dowser {

// What is asked of a full-text index or of a search engine: pages that hold every one of the
// phrases. {"artificial intelligence", "machine learning"} asks for pages with both.
struct SearchQuery {
  std::vector<std::string> phrases;
  std::string domain;  // only pages of this domain and those below it: "edu", "cs.cmu.edu"; "": all
  // The last word of a phrase may also stand in its plural or singular, as far as the index knows
  // (English, regular). Search engines on the network have rules of their own.
  bool any_number = false;
};

}  // namespace dowser
