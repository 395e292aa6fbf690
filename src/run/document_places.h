#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/page.h"

// Documents that a person names. A place is
//
//   an HTML or text file
//   a folder: all .html, .htm, .xhtml and .txt files below it
//   the folder of a crawl: the pages that it found
//   with archives: an address, or a file with an address on each line

namespace dowser {

struct NamedDocument {
  std::string name;  // its address, or its file
  Page page;
};

// Addresses of a list that are not in the archives, or are none.
struct SkippedDocuments {
  size_t count = 0;
  std::string first;  // what is wrong with the first of them
};

// In the order of the places; files of a folder by name. A place that does not exist or contains no
// document is an error, and so is a list of addresses of which none can be read. `progress` is
// called with the number of documents done and their total.
Result<SkippedDocuments> each_document(
    const std::vector<std::string>& places, const std::vector<std::string>& archives,
    const std::function<Status(NamedDocument)>& tell,
    const std::function<void(size_t done, size_t of)>& progress = {});

}  // namespace dowser
