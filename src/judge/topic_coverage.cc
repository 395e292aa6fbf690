#include "judge/topic_coverage.h"

#include <cmath>

namespace dowser {
namespace {

constexpr double kShareOfFinds = 0.2;
// As in learn/final_model.cc.
constexpr double kSeenWeight = 0.25, kSeenPrior = 5, kLeastRarityShare = 2e-4;

}  // namespace

void TopicCoverage::add_page(WordSet words) {
  ++all_;
  for (size_t i = 0; i < pages_.size(); ++i) pages_[i] += words >> i & 1;
}

double TopicCoverage::rarity(size_t word) const {
  const double share = static_cast<double>(pages_[word]) / (static_cast<double>(all_) + kSeenPrior);
  return std::log(1 + 1 / (kSeenWeight * share + kLeastRarityShare));
}

std::vector<double> TopicCoverage::rarities() const {
  std::vector<double> all;
  for (size_t i = 0; i < words_.size(); ++i) all.push_back(rarity(i));
  return all;
}

TopicCoverage::Finds TopicCoverage::finds(const std::vector<WordSet>& words_of_finds) const {
  Finds finds;
  if (words_of_finds.empty() || words_.empty()) return finds;
  const double enough = kShareOfFinds * static_cast<double>(words_of_finds.size());
  double all = 0, covered = 0;
  for (size_t i = 0; i < words_.size(); ++i) {
    size_t having = 0;
    for (const WordSet words : words_of_finds) having += words >> i & 1;
    all += rarity(i);
    if (static_cast<double>(having) >= enough) {
      covered += rarity(i);
    } else {
      finds.lacking.push_back(i);
    }
  }
  finds.share = covered / all;
  return finds;
}

std::string TopicCoverage::names(const std::vector<size_t>& numbers) const {
  std::string text;
  for (const size_t number : numbers) {
    text += (text.empty() ? "\"" : ", \"") + words_.word(number) + "\"";
  }
  return text;
}

}  // namespace dowser
