#include "judge/senses.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "absl/container/flat_hash_map.h"

// Finds that use the words of the topic in different meanings share these words and hardly any
// others. So the words of the topic are left out, and what remains is grouped:
//
// clang-format off
//   page        its 60 most telling words, each (1 + ln count) · rarity, scaled to length 1
//   groups      every find is a group; the two groups with the greatest mean cosine between their
//               pages are joined, again and again ("average link")
//   likeness    of two groups: (mean cosine between them - c) / (mean cosine within them - c),
//               where c is the mean cosine between a find and a page that is no find
// clang-format on
//
// The likeness is 1 if the two are one group, and 0 if they have no more to do with each other than
// any find with any other page. Two groups have different meanings if their likeness is below 0.1
// and if they do not share two words of the topic, each of which half of their pages have: several
// words that are used together have one meaning. So pages on penguins and on parrots that were
// found for "bird wing nest" are sub-topics, not meanings. Of all stages of joining, the last one
// counts that has two groups or more of different meanings, each with a tenth of the finds and
// together with 60 %; there are always some pages that resemble no other.
//
// Example: of 40 finds for "mercury" 22 share orbit, planet and crater, 12 share metal, liquid and
// compound. The mean cosine between pages of the two is .05, within them .25 and .21, and c is .04:
// the likeness is .06.
//
// A single word says too little: "cell" has the groups of the biology of cells and of their
// diseases. A person decides whether these are meanings.
//
// Cost: n²/2 cosines and n³/6 comparisons for n finds, of which the first 300 are used; 20 ms.

namespace dowser {
namespace {

constexpr size_t kMostFinds = 300, kMostOthers = 300, kFewestFinds = 12;
constexpr size_t kWordsOfPage = 60, kWordsOfSense = 6;
constexpr double kLeastShare = 0.1;
constexpr size_t kLeastPages = 4;
constexpr double kMostLikeness = 0.1, kLeastCovered = 0.6;
constexpr size_t kMostGroups = 60;  // stages with more groups are not looked at

struct Weight {
  TermId term;
  double value;
};
using Row = std::vector<Weight>;  // sorted by term

double dot(const Row& a, const Row& b) {
  double sum = 0;
  auto at = b.begin();
  for (const Weight& w : a) {
    while (at != b.end() && at->term < w.term) ++at;
    if (at == b.end()) break;
    if (at->term == w.term) sum += w.value * at->value;
  }
  return sum;
}

class Grouping {
 public:
  Grouping(std::span<const std::vector<TermCount>> finds,
           std::span<const std::vector<TermCount>> others, const TopicWords& topic)
      : topic_(topic), n_(std::min(finds.size(), kMostFinds)) {
    finds = finds.first(n_);
    std::vector<const std::vector<TermCount>*> all, compared;
    for (const std::vector<TermCount>& page : finds) all.push_back(&page);
    const size_t step = others.size() / kMostOthers + 1;
    for (size_t i = 0; i < others.size(); i += step) compared.push_back(&others[i]);
    all.insert(all.end(), compared.begin(), compared.end());
    for (const std::vector<TermCount>* page : all) {
      for (const TermCount& t : *page) ++having_[t.term];
    }
    all_ = static_cast<double>(all.size());
    for (const std::vector<TermCount>& page : finds) {
      rows_.push_back(row_of(page));
      topic_words_.push_back(topic_.in(page));
    }
    for (const std::vector<TermCount>* page : compared) others_.push_back(row_of(*page));
  }

  std::vector<Sense> senses() {
    if (n_ < kFewestFinds) return {};
    measure();
    std::vector<std::vector<uint32_t>> best;
    while (groups_.size() > 1) {
      join();
      if (groups_.size() > kMostGroups) continue;
      std::vector<size_t> large = large_groups();
      if (!are_senses(large)) continue;
      best.clear();
      for (const size_t group : large) best.push_back(groups_[group]);
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<Sense> senses;
    for (const auto& group : best) senses.push_back(sense_of(group, best));
    return senses;
  }

 private:
  double rarity(TermId term) const {
    return std::log(all_ / static_cast<double>(having_.at(term)));
  }

  Row row_of(const std::vector<TermCount>& page) const {
    Row row;
    for (const TermCount& t : page) {
      if (topic_.in(std::span(&t.term, 1)) != 0 || having_.at(t.term) < 2) continue;
      row.push_back({t.term, (1 + std::log(t.count)) * rarity(t.term)});
    }
    const size_t kept = std::min(row.size(), kWordsOfPage);
    std::partial_sort(row.begin(), row.begin() + static_cast<ptrdiff_t>(kept), row.end(),
                      [](const Weight& a, const Weight& b) {
                        return a.value != b.value ? a.value > b.value : a.term < b.term;
                      });
    row.resize(kept);
    std::sort(row.begin(), row.end(),
              [](const Weight& a, const Weight& b) { return a.term < b.term; });
    double squares = 0;
    for (const Weight& w : row) squares += w.value * w.value;
    if (squares == 0) return {};
    for (Weight& w : row) w.value /= std::sqrt(squares);
    return row;
  }

  // The cosines between finds, and c.
  void measure() {
    sums_.assign(n_ * n_, 0);
    for (size_t i = 0; i < n_; ++i) {
      groups_.push_back({static_cast<uint32_t>(i)});
      for (size_t j = 0; j < i; ++j) sum(i, j) = sum(j, i) = dot(rows_[i], rows_[j]);
    }
    cosines_ = sums_;
    double all = 0;
    for (const Row& find : rows_) {
      for (const Row& other : others_) all += dot(find, other);
    }
    chance_ = others_.empty() ? 0 : all / static_cast<double>(n_ * others_.size());
  }

  double& sum(size_t i, size_t j) { return sums_[i * n_ + j]; }
  double sum(size_t i, size_t j) const { return sums_[i * n_ + j]; }

  double between(size_t i, size_t j) const {
    return sum(i, j) / static_cast<double>(groups_[i].size() * groups_[j].size());
  }
  // Without the cosines of pages with themselves; sum(i, i) counts each pair once.
  double within(size_t i) const {
    const auto size = static_cast<double>(groups_[i].size());
    return size < 2 ? 0 : sum(i, i) / (size * (size - 1) / 2);
  }

  void join() {
    size_t a = 0, b = 1;
    double best = -1;
    for (size_t i = 0; i < groups_.size(); ++i) {
      for (size_t j = i + 1; j < groups_.size(); ++j) {
        if (const double value = between(i, j); value > best) best = value, a = i, b = j;
      }
    }
    const size_t last = groups_.size() - 1;
    sum(a, a) += sum(b, b) + sum(a, b);
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (i == a || i == b) continue;
      sum(a, i) += sum(b, i);
      sum(i, a) = sum(a, i);
    }
    groups_[a].insert(groups_[a].end(), groups_[b].begin(), groups_[b].end());
    if (b != last) {
      groups_[b] = std::move(groups_[last]);
      for (size_t i = 0; i <= last; ++i) sum(b, i) = sum(i, b) = sum(last, i);
      sum(b, b) = sum(last, last);
    }
    groups_.pop_back();
  }

  std::vector<size_t> large_groups() const {
    const auto least = std::max(
        kLeastPages, static_cast<size_t>(std::ceil(kLeastShare * static_cast<double>(n_))));
    std::vector<size_t> large;
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].size() >= least) large.push_back(i);
    }
    return large;
  }

  // The words of the topic that half of its pages have.
  WordSet words_of(size_t group) const {
    WordSet words = 0;
    for (size_t word = 0; word < topic_.size(); ++word) {
      size_t having = 0;
      for (const uint32_t page : groups_[group]) having += topic_words_[page] >> word & 1;
      if (2 * having >= groups_[group].size()) words |= static_cast<WordSet>(1u << word);
    }
    return words;
  }

  bool share_words(size_t a, size_t b) const {
    return std::popcount(static_cast<unsigned>(words_of(a) & words_of(b))) >= 2;
  }

  double likeness(size_t a, size_t b) const {
    const double own = std::min(within(a), within(b)) - chance_;
    return own > 0 ? (between(a, b) - chance_) / own : 1;
  }

  bool are_senses(std::span<const size_t> large) const {
    size_t covered = 0;
    for (const size_t group : large) covered += groups_[group].size();
    if (large.size() < 2 || static_cast<double>(covered) < kLeastCovered * static_cast<double>(n_))
      return false;
    for (size_t i = 0; i < large.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (likeness(large[i], large[j]) >= kMostLikeness || share_words(large[i], large[j]))
          return false;
      }
    }
    return true;
  }

  Sense sense_of(const std::vector<uint32_t>& group,
                 const std::vector<std::vector<uint32_t>>& all) const {
    Sense sense;
    std::vector<std::pair<double, uint32_t>> pages;
    for (const uint32_t page : group) {
      double to_own = 0;
      for (const uint32_t other : group) to_own += cosines_[page * n_ + other];
      pages.emplace_back(-to_own, page);
    }
    std::sort(pages.begin(), pages.end());
    for (const auto& [key, page] : pages) sense.pages.push_back(page);
    absl::flat_hash_map<TermId, double> weights;
    for (const auto& other : all) {
      const double sign = &other == &group ? 1.0 : -1.0;
      for (const uint32_t page : other) {
        for (const Weight& w : rows_[page]) {
          weights[w.term] += sign * w.value / static_cast<double>(other.size());
        }
      }
    }
    std::vector<std::pair<double, TermId>> words;
    for (const auto& [term, weight] : weights) {
      if (weight > 0) words.emplace_back(-weight, term);
    }
    std::sort(words.begin(), words.end());
    for (size_t i = 0; i < std::min(words.size(), kWordsOfSense); ++i) {
      sense.words.push_back(words[i].second);
    }
    return sense;
  }

  const TopicWords& topic_;
  const size_t n_;
  double all_ = 0;
  absl::flat_hash_map<TermId, uint32_t> having_;  // pages that have each word
  std::vector<Row> rows_, others_;
  std::vector<WordSet> topic_words_;    // that each find has
  std::vector<double> cosines_, sums_;  // n x n; sums_ over the pages of groups_
  std::vector<std::vector<uint32_t>> groups_;
  double chance_ = 0;
};

}  // namespace

std::vector<Sense> senses_of(std::span<const std::vector<TermCount>> finds,
                             std::span<const std::vector<TermCount>> others,
                             const TopicWords& topic) {
  return Grouping(finds, others, topic).senses();
}

}  // namespace dowser
