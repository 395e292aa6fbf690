#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dowser {

// One item of a library: a page or document that a crawl fetched, or a file that a person added.
// Unknown fields are empty or nothing.
struct LibraryItem {
  int64_t id = 0;  // within this library file; it may change when the library is rebuilt
  // The address that was fetched; "added:NAME" for an added file. It identifies the item
  // permanently.
  std::string url;
  std::string host;    // "" for a file of one's own
  std::string kind;    // "page", or what kind of document: "paper", "thesis", "report", …
  std::string format;  // "html", "text", "pdf", …
  std::string title, authors;  // authors are separated by "; "
  std::string abstract, keywords;
  std::string language;
  std::optional<int> year;
  uint64_t references = 0;  // pages of the crawl that link to it
  std::optional<double> relevance;
  bool relevant = false;
  bool is_copy = false;  // a near duplicate of another page of the crawl
  std::string fetched_at;
  uint32_t length = 0;  // number of words in title and text
  // Where its text is: a record of the archive.
  std::string archive_file;
  uint64_t archive_offset = 0;
  std::optional<int64_t> page;  // its id in the catalogue
};

inline constexpr std::string_view kAddedScheme = "added:";

}  // namespace dowser
