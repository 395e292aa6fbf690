#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace dowser {

// A query in the language of FTS5.
struct FullText {
  struct Phrase {
    bool is_wanted = true;  // false: it stands after a NOT
    bool is_bare = false;   // matches with all of these come before the others
    double weight = 1;      // its share of the score is multiplied by this
  };
  std::string expression;
  std::vector<Phrase> phrases;  // of the expression, in its order
  // Whether every item with one of the phrases matches. Then the matches themselves tell how many
  // items have each phrase; otherwise FTS5 has to look for each phrase once more.
  bool is_any = false;
};

// Scores the matches of a full-text query by BM25 (Robertson and Zaragoza 2009) over the phrases
// that are wanted. Words of the title count more than those of the text. The rarity of a phrase is
// known only after the last match, so the parts of the scores are kept until then.
class MatchScore {
 public:
  struct Match {
    int64_t id;
    double score;
    bool has_all;  // no bare phrase is missing
  };

  std::vector<uint32_t> lengths;  // by id: words of the item; kNoItem: there is none
  double average_length = 1;

  void start(const FullText& query);
  // Of all rows since start(), in their order. `rows`: how many items there are.
  std::vector<Match> finish(double rows);

  // For the function of SQL alone.
  void begin_match(int64_t id);
  void add_part(size_t phrase, double count);
  const std::vector<FullText::Phrase>& phrases() const { return phrases_; }
  bool needs_counts() const { return items_with_.empty(); }
  void set_counts(std::vector<double> items_with) { items_with_ = std::move(items_with); }

 private:
  struct Part {
    uint32_t phrase;
    double share;  // of the score, without the rarity of the phrase
  };
  struct Row {
    int64_t id;
    size_t parts_end;
  };

  std::vector<FullText::Phrase> phrases_;
  bool counts_itself_ = false;
  std::vector<double> items_with_;  // by phrase
  std::vector<Row> rows_;
  std::vector<Part> parts_;
  double length_norm_ = 1;  // of the current match
};
inline constexpr uint32_t kNoItem = UINT32_MAX;

// Opens a database for reading in which SQL has the function match_score(words), which adds a match
// to `score`. That must outlive the database.
Result<Database> open_with_match_score(const std::filesystem::path& path, MatchScore* score);

}  // namespace dowser
