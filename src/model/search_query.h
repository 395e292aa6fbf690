#pragma once

#include <string>
#include <vector>

namespace dowser {

// A query to a full-text index or a search engine for pages that contain all of the phrases.
// {"artificial intelligence", "machine learning"} asks for pages with both.
struct SearchQuery {
  std::vector<std::string> phrases;
  std::string domain;  // only pages of this domain and those below it: "edu", "cs.cmu.edu"; "": all
  // The last word of a phrase also matches its plural or singular, if the index knows it (regular
  // English forms). Search engines on the network have rules of their own.
  bool any_number = false;
};

}  // namespace dowser
