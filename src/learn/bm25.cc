#include "learn/bm25.h"

namespace dowser {
namespace {

constexpr double kSaturation = 1.2, kLengthWeight = 0.75;

uint32_t feature_of(const TermCount& t) { return t.term; }
uint32_t feature_of(const SparseVector::Entry& e) { return e.index; }
double count_of(const TermCount& t) { return t.count; }
double count_of(const SparseVector::Entry& e) { return e.value; }

double sum_of(const auto& counts) {
  double sum = 0;
  for (const auto& entry : counts) sum += count_of(entry);
  return sum;
}

double score_of(const auto& counts, const std::vector<Bm25::Word>& words, double average_length) {
  const double relative_length = average_length > 0 ? sum_of(counts) / average_length : 1;
  const double half = kSaturation * (1 - kLengthWeight + kLengthWeight * relative_length);
  double score = 0;
  auto word = words.begin();
  for (const auto& entry : counts) {
    while (word != words.end() && word->feature < feature_of(entry)) ++word;
    if (word == words.end()) break;
    if (word->feature != feature_of(entry)) continue;
    score += word->rarity * count_of(entry) / (count_of(entry) + half);
  }
  return score;
}

}  // namespace

double Bm25::score(std::span<const TermCount> counts) const {
  return score_of(counts, words_, average_length_);
}

double Bm25::score(const SparseVector& counts) const {
  return score_of(counts.entries(), words_, average_length_);
}

double length_of(std::span<const TermCount> counts) { return sum_of(counts); }
double length_of(const SparseVector& counts) { return sum_of(counts.entries()); }

}  // namespace dowser
