#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/terms.h"
#include "learn/weighted_bayes.h"

namespace dowser {

// Counts of the words of relevant and of other pages, from which a weighted naive Bayes is made at
// any time. Pages themselves are not kept. Beyond kMostWords no new word is counted.
class WordCounts {
 public:
  static constexpr size_t kMostWords = 500'000;

  void add(std::span<const TermCount> terms, bool is_relevant);
  uint32_t relevant() const { return pages_[1]; }
  uint32_t others() const { return pages_[0]; }

  // Equal to WeightedBayes::train() on the same pages with the same features. Words that at most
  // `rdf_above` pages have are left out.
  Result<WeightedBayes> bayes(uint32_t rdf_above) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // the caller checks in.ok()

 private:
  struct Counts {
    uint32_t occurrences[2] = {};  // by class; 1 is the topic
    uint32_t pages = 0;
  };
  uint32_t pages_[2] = {};
  absl::flat_hash_map<TermId, Counts> words_;
};

}  // namespace dowser
