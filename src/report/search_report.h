#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "library/snippet.h"
#include "model/library_item.h"
#include "store/annotations.h"

// The results of `dowser search`, for a terminal, for programs and as an HTML page.

namespace dowser {

struct ShownHit {
  LibraryItem item;
  MarkedText title, snippet;
  std::string link;  // where the page or the file is
  std::vector<Annotation> notes;
  double score = 0;
  bool has_all = true;  // no bare word of the query is missing
};

struct SearchPage {
  std::string folder;  // of the crawl
  std::string query;   // as it was written; "" for similar items
  std::string like;    // title or address of the item that others are similar to
  std::vector<std::string> like_words;  // that decided
  std::string filters;  // for people: "kind paper, year 2004"; "" if there are none
  std::string order;    // "match", "relevance", …
  uint64_t total = 0, with_all = 0;
  bool has_bare_words = false;  // two or more, so that with_all means something
  uint64_t items = 0;           // in the library
  size_t offset = 0;
  std::vector<ShownHit> hits;
  std::vector<std::string> hints;  // sentences, for a search that finds nothing
};

// `marks`: words of the query are printed bold, for a terminal.
std::string search_text(const SearchPage& page, bool marks);
std::string search_json(const SearchPage& page);
// One file, no network, light and dark.
std::string search_html(const SearchPage& page);

// "3 of 120 items match"; "" for no hits.
std::string search_summary(const SearchPage& page);
// "paper, 2004, pdf, relevance 0.83, linked from 12 pages".
std::string facts_of(const LibraryItem& item);

}  // namespace dowser
