#include "learn/signature/keyword_groups.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

// Keyword groups (the Automated Keyword Tool in Pinnamaneni 2013, chapter 3).
//
// 1. Each training document gives its `heads` strongest words, by
//
//      weight(t, d) = tf(t, d) · idf(t)      tf = occurrences / words of the document
//                                            idf = ln(|D| / df), D = training ∪ background
//
// 2. For each head, the words around it are weighed in a window of `window` kept words on either
//    side. A word at distance d adds f(d) = exp(-(d - 1) / c) to its forward sum where it follows
//    the head, and to its backward sum where it precedes it:
//
//      weight(u | h) = (forward(u) + backward(u)) · idf(u)
//
//    The `correlates` strongest are kept.
//
// 3. A group is the head and two of its correlates: three correlates give three groups.
//
// Example: "owl nest owl feather nest" with c = 5 and idf = 1 for the head owl: nest has
// f(1) + f(1) + f(2) + f(4) = 1 + 1 + .82 + .55, feather f(1) + f(3) = 1 + .67.
//
// What the thesis says: TF-IDF, five words of each document, window, forward and backward
// distances, three correlated words, all combinations. What is ours: the window of 10 words, f and
// c = 5 (it names a "window function constant" without a value), the product with idf, and
// `spread`: heads, and by `near_spread` the words near them, occur in a quarter of the training
// documents. With 0 for both, its literal reading, most groups are names that one document alone
// repeats, and their signatures find nothing elsewhere (docs/signatures.md has the figures). A head
// that several documents name is one head; its neighbours are counted in all training documents, or
// with `per_document` in each of the documents that named it apart.
//
// Cost: one pass over the words for the frequencies, and 2 · window additions for each occurrence
// of a head.

namespace dowser {
namespace {

using Counts = absl::flat_hash_map<TermId, uint32_t>;

struct Weighed {
  TermId term;
  double weight;
};

// The strongest first; equal ones by their number, so that the order never varies.
std::vector<Weighed> strongest(std::vector<Weighed> all, size_t most) {
  const size_t n = std::min(all.size(), most);
  std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(n), all.end(),
                    [](const Weighed& a, const Weighed& b) {
                      return a.weight != b.weight ? a.weight > b.weight : a.term < b.term;
                    });
  all.resize(n);
  return all;
}

Counts document_frequencies(std::span<const std::vector<TermId>> documents) {
  Counts frequencies;
  absl::flat_hash_set<TermId> seen;
  for (const auto& document : documents) {
    seen.clear();
    for (const TermId term : document) {
      if (seen.insert(term).second) ++frequencies[term];
    }
  }
  return frequencies;
}

struct Head {
  TermId term;
  double weight;                    // the greatest of any document
  std::vector<uint32_t> documents;  // that name it
};

std::vector<Head> find_heads(std::span<const std::vector<TermId>> training, const TermWeight& idf,
                             const KeywordOptions& options) {
  const Counts frequencies = document_frequencies(training);
  const double least = options.spread * static_cast<double>(training.size());
  absl::flat_hash_map<TermId, Head> heads;
  for (uint32_t i = 0; i < training.size(); ++i) {
    Counts counts;
    for (const TermId term : training[i]) ++counts[term];
    std::vector<Weighed> words;
    for (const auto& [term, count] : counts) {
      if (frequencies.at(term) < least) continue;
      const double tf = count / static_cast<double>(training[i].size());
      if (const double weight = tf * idf(term); weight > 0) words.push_back({term, weight});
    }
    for (const Weighed& word : strongest(std::move(words), options.heads)) {
      Head& head = heads.try_emplace(word.term, Head{word.term, 0, {}}).first->second;
      head.weight = std::max(head.weight, word.weight);
      head.documents.push_back(i);
    }
  }
  std::vector<Head> sorted;
  for (auto& [term, head] : heads) sorted.push_back(std::move(head));
  std::sort(sorted.begin(), sorted.end(), [](const Head& a, const Head& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.term < b.term;
  });
  return sorted;
}

struct BothWays {
  double forward = 0, backward = 0;
};

void add_neighbours(std::span<const TermId> words, TermId head, const KeywordOptions& options,
                    absl::flat_hash_map<TermId, BothWays>& sums) {
  const size_t window = options.window;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != head) continue;
    const size_t begin = i > window ? i - window : 0;
    const size_t end = std::min(words.size(), i + window + 1);
    for (size_t j = begin; j < end; ++j) {
      if (words[j] == head) continue;
      const double distance = static_cast<double>(j > i ? j - i : i - j);
      BothWays& sum = sums[words[j]];
      (j > i ? sum.forward : sum.backward) += std::exp(-(distance - 1) / options.decay);
    }
  }
}

std::vector<Weighed> correlates(const absl::flat_hash_map<TermId, BothWays>& sums,
                                const Counts& frequencies, double least, const TermWeight& idf,
                                const KeywordOptions& options) {
  std::vector<Weighed> words;
  for (const auto& [term, sum] : sums) {
    if (frequencies.at(term) < least) continue;
    const double weight = (sum.forward + sum.backward) * idf(term);
    if (weight > 0) words.push_back({term, weight});
  }
  return strongest(std::move(words), options.correlates);
}

}  // namespace

std::vector<FoundGroup> keyword_groups(std::span<const std::vector<TermId>> training,
                                       const TermWeight& idf, const KeywordOptions& options) {
  std::vector<FoundGroup> groups;
  std::set<std::array<TermId, 3>> known;
  const Counts frequencies = document_frequencies(training);
  const double least = options.near_spread * static_cast<double>(training.size());
  const auto add = [&](const Head& head, const absl::flat_hash_map<TermId, BothWays>& sums) {
    const std::vector<Weighed> near = correlates(sums, frequencies, least, idf, options);
    for (size_t a = 0; a < near.size(); ++a) {
      for (size_t b = a + 1; b < near.size(); ++b) {
        const auto [low, high] = std::minmax(near[a].term, near[b].term);
        if (!known.insert({head.term, low, high}).second) continue;
        groups.push_back({{head.term, near[a].term, near[b].term},
                          {head.weight, near[a].weight, near[b].weight}});
      }
    }
  };
  for (const Head& head : find_heads(training, idf, options)) {
    absl::flat_hash_map<TermId, BothWays> sums;
    if (options.per_document) {
      for (const uint32_t i : head.documents) {
        sums.clear();
        add_neighbours(training[i], head.term, options, sums);
        add(head, sums);
      }
    } else {
      for (const auto& document : training) add_neighbours(document, head.term, options, sums);
      add(head, sums);
    }
  }
  return groups;
}

TermWeight inverse_document_frequency(std::span<const std::vector<TermId>> training,
                                      std::span<const std::vector<TermId>> background) {
  Counts frequencies = document_frequencies(training);
  for (const auto& [term, count] : document_frequencies(background)) frequencies[term] += count;
  const double documents = static_cast<double>(training.size() + background.size());
  // Shared: a std::function is copied.
  auto table = std::make_shared<const Counts>(std::move(frequencies));
  return [table, documents](TermId term) {
    const auto it = table->find(term);
    return it == table->end() ? std::log(documents) : std::log(documents / it->second);
  };
}

}  // namespace dowser
