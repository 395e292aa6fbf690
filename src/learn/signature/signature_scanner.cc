#include "learn/signature/signature_scanner.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "learn/signature/learn_signatures.h"

namespace dowser {

SignatureScanner::SignatureScanner(std::span<const Signature> signatures,
                                   const std::function<TermId(std::string_view)>& term_of)
    : count_(signatures.size()) {
  if (signatures.empty()) return;
  std::map<std::array<TermId, 3>, uint32_t> numbers;
  std::vector<std::array<TermId, 3>> triples;
  for (uint32_t i = 0; i < signatures.size(); ++i) {
    const Signature& s = signatures[i];
    const std::array<TermId, 3> triple = {term_of(s.words[0]), term_of(s.words[1]),
                                          term_of(s.words[2])};
    const auto [it, is_new] = numbers.try_emplace(triple, static_cast<uint32_t>(triples.size()));
    if (is_new) {
      triples.push_back(triple);
      targets_.emplace_back();
    }
    // Most vectors are far off, and the cosine alone says so.
    constexpr double kRounding = 1e-9;
    targets_[it->second].push_back({i, s.centroid, s.angle, std::cos(s.angle) - kRounding});
  }
  const SignatureSettings& settings = signatures.front().settings;
  groups_ = GroupScanner(triples, settings.window, settings.decay);
}

void SignatureScanner::match(const SignatureVector& vector, uint32_t group, uint32_t position,
                             std::vector<Hit>& hits) const {
  double square = 0;
  for (const double x : vector) square += x * x;
  const double length = std::sqrt(square);
  for (const Target& target : targets_[group]) {
    double product = 0;
    for (size_t i = 0; i < kSignatureDimensions; ++i) product += vector[i] * target.centroid[i];
    if (product < target.least_cosine * length) continue;
    // By the same arithmetic as the angle was learned.
    if (angle_to(target.centroid, vector) <= target.angle)
      hits.push_back({target.signature, position});
  }
}

std::vector<SignatureScanner::Hit> SignatureScanner::hits(
    std::span<const GroupScanner::Event> events) const {
  std::vector<Hit> found;
  groups_.scan(events, [&](uint32_t group, uint32_t position, const SignatureVector& vector) {
    match(vector, group, position, found);
  });
  return found;
}

std::vector<SignatureScanner::Hit> SignatureScanner::hits(std::span<const TermId> words) const {
  std::vector<Hit> found;
  groups_.scan(words, [&](uint32_t group, uint32_t position, const SignatureVector& vector) {
    match(vector, group, position, found);
  });
  return found;
}

std::vector<HitCount> count_hits(std::span<const SignatureScanner::Hit> hits) {
  std::vector<uint32_t> numbers;
  for (const SignatureScanner::Hit& hit : hits) numbers.push_back(hit.signature);
  std::sort(numbers.begin(), numbers.end());
  std::vector<HitCount> counts;
  for (const uint32_t number : numbers) {
    if (counts.empty() || counts.back().signature != number) counts.push_back({number, 0});
    ++counts.back().count;
  }
  return counts;
}

}  // namespace dowser
