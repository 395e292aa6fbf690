#pragma once

#include <cstdint>
#include <vector>

#include "store/library_reader.h"

namespace dowser {

// Scores items by BM25 (Robertson and Zaragoza 2009) over the phrases of a query. Words of the
// title count more than those of the text. The library must outlive it.
class MatchScore {
 public:
  explicit MatchScore(const LibraryReader& library);

  // Adds the share of a phrase to the scores of the items that have it: all such items of the
  // library, since their number tells how rare the phrase is. The share is multiplied by `weight`.
  void add(const std::vector<CountedItem>& items, double weight, bool is_bare);

  // Of an item that the library has.
  double score(size_t id) const { return scores_[id]; }
  bool has_all(size_t id) const { return bare_found_[id] == bare_; }  // no bare phrase is missing

 private:
  const LibraryReader& library_;
  std::vector<double> scores_;        // by id
  std::vector<uint16_t> bare_found_;  // by id: how many bare phrases it has
  uint16_t bare_ = 0;
};

}  // namespace dowser
