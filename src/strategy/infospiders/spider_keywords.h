#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/terms.h"
#include "model/topic.h"

// The keywords of all agents, numbered: first those of the topic, which every agent has, then each
// term that an offspring added. A word of the topic has a stem in each language that texts are
// analysed in, and is one keyword all the same.

namespace dowser {

class SpiderKeywords {
 public:
  // Those of the topic: its words; where it has examples, besides them the strongest terms of these
  // (of the sum of their log vectors), so that there are `most` together. Weights are 1 on average.
  SpiderKeywords(const Topic& topic, size_t most);

  // The keyword that a term stands for, or kNoKeyword.
  uint32_t number_of(TermId term) const;
  // The keyword of a term, which becomes one where it is none. Its weight is 1.
  uint32_t add(TermId term);

  size_t size() const { return keywords_.size(); }
  size_t of_topic() const { return of_topic_; }
  double weight(uint32_t keyword) const { return keywords_[keyword].weight; }
  // How often it stands in a page with these terms (by rising term).
  uint32_t count(uint32_t keyword, std::span<const TermCount> terms) const;

  // What was added to the topic's.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Keyword {
    std::vector<TermId> terms;
    double weight = 1;
  };

  void add_words(const std::string& words);
  void add_examples(const std::vector<Page>& examples, size_t most);
  void add_term(uint32_t keyword, TermId term);

  std::vector<Keyword> keywords_;
  absl::flat_hash_map<TermId, uint32_t> numbers_;
  size_t of_topic_ = 0;
};

}  // namespace dowser
