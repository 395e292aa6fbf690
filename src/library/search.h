#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "library/query.h"
#include "store/annotations.h"
#include "store/library_reader.h"

// Finds the items of a library that a query asks for.

namespace dowser {

enum class SearchOrder : uint8_t {
  kMatch,       // by how well an item matches the query
  kRelevance,   // by its relevance to the topic of the crawl
  kReferences,  // by the number of pages that link to it
  kYear,        // the newest first
};

struct SearchOptions {
  ItemFilter filter;
  SearchOrder order = SearchOrder::kMatch;
  size_t offset = 0, limit = 10;
};

struct LibraryHit {
  int64_t id = 0;
  double score = 0;     // BM25; only orders the hits of one query
  bool has_all = true;  // no bare word of the query is missing
};

struct LibraryHits {
  uint64_t total = 0;
  uint64_t with_all = 0;         // hits with all of the bare words
  std::vector<LibraryHit> hits;  // from `offset` on, `limit` at most
};

// `annotations` may be null: then nothing has notes.
Result<LibraryHits> search(LibraryReader& library, Annotations* annotations, const Query& query,
                           const SearchOptions& options);

struct WeightedPhrase {
  Query phrase;
  double weight = 1;  // its share of the score is multiplied by this
};
// The same for any of the phrases; the item `but` is left out.
Result<LibraryHits> search_any(LibraryReader& library, const std::vector<WeightedPhrase>& phrases,
                               int64_t but, const SearchOptions& options);

// Words of the query that no item has, with a word of the library that is spelled nearly like it,
// or "". For a query that finds nothing.
struct MissingWord {
  std::string word, similar;
};
Result<std::vector<MissingWord>> missing_words(LibraryReader& library, const Query& query);

}  // namespace dowser
