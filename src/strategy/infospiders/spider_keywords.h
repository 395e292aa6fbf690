#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/terms.h"
#include "model/topic.h"

// The keywords of all agents, numbered: first those of the topic, which every agent has, then the
// terms that offspring added. A word of the topic may have a different stem in each language, and
// is one keyword nevertheless.

namespace dowser {

class SpiderKeywords {
 public:
  // The keywords of the topic: its words, and, if it has examples, the strongest terms of these (of
  // the sum of their log vectors) up to `most` in all. The weights are 1 on average.
  SpiderKeywords(const Topic& topic, size_t most);

  // The keyword that a term stands for, or kNoKeyword.
  uint32_t number_of(TermId term) const;
  // The keyword that a term stands for; a new one of weight 1 if there is none yet.
  uint32_t add(TermId term);

  size_t size() const { return keywords_.size(); }
  size_t of_topic() const { return of_topic_; }
  double weight(uint32_t keyword) const { return keywords_[keyword].weight; }
  // How often the keyword occurs in a page with these terms, which are sorted.
  uint32_t count(uint32_t keyword, std::span<const TermCount> terms) const;

  // Only the keywords that were added to those of the topic.
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
