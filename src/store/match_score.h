#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace dowser {

// How the matches of a full-text query are scored: by BM25 (Robertson and Zaragoza 2009) over the
// phrases that are wanted. Words of the title count more than those of the text.
struct MatchScore {
  // The phrases of the query in the order of its FTS5 expression.
  struct Phrase {
    bool is_wanted = true;  // false: it stands after a NOT
    bool is_bare = false;   // matches with all of these come before the others
    double weight = 1;      // its share of the score is multiplied by this
    double idf = 0;         // set by the first match
  };
  std::vector<Phrase> phrases;
  bool has_idf = false;

  std::vector<uint32_t> lengths;  // by id: words of the item; kNoItem: there is none
  double average_length = 1;
};
inline constexpr uint32_t kNoItem = UINT32_MAX;

// Opens a database for reading in which SQL has the function match_score(words). It returns the
// score, or -1 minus the score for a row in which a bare phrase is missing. `score` must outlive
// the database.
Result<Database> open_with_match_score(const std::filesystem::path& path, MatchScore* score);

}  // namespace dowser
