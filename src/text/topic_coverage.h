#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"

#include "text/topic_words.h"

// Whether the finds of a crawl have the words of its topic: the alarm that a crawl follows another
// subject. Of a topic "asyncio coroutine event loop" a crawl may find pages on the event loop of a
// video game, all of them alike, all of them with two of the four words. Used by the hints while a
// crawl runs (engine/crawl_hints.cc), by the strategy `learned` and by the final judgement
// (run/final_judgement.cc).

namespace dowser {

class TopicCoverage {
 public:
  explicit TopicCoverage(TopicWords words) : words_(std::move(words)), pages_(words_.size()) {}

  const TopicWords& words() const { return words_; }
  // Every page that was fetched, by the words of the topic that it has.
  void add_page(WordSet words);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

  struct Finds {
    // Of the words, by rarity among the fetched pages: the share that at least a fifth of the finds
    // have. 1 if there is no find, or if the topic has no words.
    double share = 1;
    std::vector<size_t> lacking;  // numbers of the other words

    // Below this share were 19 of 20 crawls that could not succeed, and none of 20 good ones
    // (bench/alarm).
    static constexpr double kLeastShare = 0.5;
    bool is_suspicious() const { return share < kLeastShare; }
  };
  Finds finds(const std::vector<WordSet>& words_of_finds) const;

  double rarity(size_t word) const;
  std::vector<double> rarities() const;
  // "\"asyncio\", \"coroutine\""
  std::string names(const std::vector<size_t>& numbers) const;

 private:
  const TopicWords words_;
  std::vector<size_t> pages_;  // that have each word
  size_t all_ = 0;
};

// The same while a crawl runs: its twenty best pages so far stand for its finds.
class CoverageOfBest {
 public:
  explicit CoverageOfBest(TopicWords words) : coverage_(std::move(words)) {}

  const TopicCoverage& coverage() const { return coverage_; }
  void add_page(double relevance, WordSet words);
  TopicCoverage::Finds finds() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  TopicCoverage coverage_;
  std::vector<std::pair<double, WordSet>> best_;  // a heap, the worst first
};

}  // namespace dowser
