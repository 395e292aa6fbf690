#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace dowser {

// A row of the table `documents`, as far as a library shows it. Text is empty if a column is
// NULL.
struct StoredDocument {
  int64_t page = 0;    // its id in `pages`
  std::string name;    // a file name for it
  std::string format;  // "pdf", …; "html" for a web page that is a paper
  std::string kind;    // "paper", …; "" if it could not be converted
  std::string title, authors, abstract, keywords;  // authors are separated by "; "
  std::optional<int> year;
};

// The documents of a crawl, in ascending order of page. The catalogue of a crawl that fetched none
// may lack the table.
Status for_each_document(const std::filesystem::path& catalogue,
                         const std::function<void(const StoredDocument&)>& use);

}  // namespace dowser
