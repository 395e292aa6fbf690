#include "text/topic_coverage.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dowser {
namespace {

constexpr double kShareOfFinds = 0.2;
constexpr size_t kBestPages = 20;
// As in learn/final_model.cc.
constexpr double kSeenWeight = 0.25, kSeenPrior = 5, kLeastRarityShare = 2e-4;

}  // namespace

void TopicCoverage::add_page(WordSet words) {
  ++all_;
  for (size_t i = 0; i < pages_.size(); ++i) pages_[i] += words >> i & 1;
}

void TopicCoverage::save(ByteWriter& out) const {
  out.number(static_cast<uint64_t>(all_));
  for (const size_t pages : pages_) out.number(static_cast<uint64_t>(pages));
}

void TopicCoverage::load(ByteReader& in) {
  all_ = in.number<uint64_t>();
  for (size_t& pages : pages_) pages = in.number<uint64_t>();
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

void CoverageOfBest::add_page(double relevance, WordSet words) {
  coverage_.add_page(words);
  const std::pair page(relevance, words);
  if (best_.size() == kBestPages) {
    if (page <= best_.front()) return;
    std::pop_heap(best_.begin(), best_.end(), std::greater<>());
    best_.pop_back();
  }
  best_.push_back(page);
  std::push_heap(best_.begin(), best_.end(), std::greater<>());
}

TopicCoverage::Finds CoverageOfBest::finds() const {
  std::vector<WordSet> words;
  for (const auto& [relevance, of_page] : best_) words.push_back(of_page);
  return coverage_.finds(words);
}

void CoverageOfBest::save(ByteWriter& out) const {
  coverage_.save(out);
  out.number(static_cast<uint32_t>(best_.size()));
  for (const auto& [relevance, words] : best_) {
    out.number(relevance);
    out.number(words);
  }
}

void CoverageOfBest::load(ByteReader& in) {
  coverage_.load(in);
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    const double relevance = in.number<double>();
    best_.emplace_back(relevance, in.number<WordSet>());
  }
}

std::string TopicCoverage::names(const std::vector<size_t>& numbers) const {
  std::string text;
  for (const size_t number : numbers) {
    text += (text.empty() ? "\"" : ", \"") + words_.word(number) + "\"";
  }
  return text;
}

}  // namespace dowser
