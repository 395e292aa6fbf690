// Küçük's equation 2-4 is printed as IDF(t) = 1 + log(DF(t) / N), which favours common terms and is
// negative for rare ones. This is a misprint: the quotient must be N / DF(t), as it is here.

#include "text/weighting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/nearest.h"

namespace dowser {
namespace {

struct Named {
  std::string_view name;
  Weighting weighting;
};

constexpr Named kNames[] = {
    {"tf", Weighting::kTf},    {"log-tf", Weighting::kLogTf}, {"h1", Weighting::kH1},
    {"k2-4", Weighting::kK24}, {"i2", Weighting::kI2},        {"log-tf-idf", Weighting::kLogTfIdf},
};

bool needs_df(Weighting weighting) {
  return weighting != Weighting::kTf && weighting != Weighting::kLogTf;
}

// n and words are those of the term and of the document; rarity is N / df.
double weight_of(Weighting weighting, double n, double words, double rarity) {
  switch (weighting) {
    case Weighting::kTf:
      return n;
    case Weighting::kLogTf:
      return 1 + std::log(n);
    case Weighting::kH1:
      return n * (std::log2(rarity) + 1);
    case Weighting::kK24:
      return n / words * (1 + std::log(rarity));
    case Weighting::kI2:
      return n / words * std::log(rarity);
    case Weighting::kLogTfIdf:
      return (1 + std::log(n)) * std::log(1 + rarity);
  }
  return 0;
}

}  // namespace

Result<Weighting> weighting_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Named& named : kNames) {
    if (named.name == name) return named.weighting;
    known.emplace_back(named.name);
  }
  return Error{fmt::format("there is no weighting '{}'{}; there are {}", name,
                           did_you_mean(name, known), fmt::join(known, ", "))};
}

std::string_view name_of(Weighting weighting) {
  return std::find_if(std::begin(kNames), std::end(kNames),
                      [weighting](const Named& named) { return named.weighting == weighting; })
      ->name;
}

std::vector<Weighting> all_weightings() {
  std::vector<Weighting> all;
  for (const Named& named : kNames) all.push_back(named.weighting);
  return all;
}

SparseVector weigh(const TermCounts& counts, const Vocabulary& vocabulary, Weighting weighting) {
  const double documents = vocabulary.documents();
  const auto words = static_cast<double>(counts.total);
  std::vector<SparseVector::Entry> entries;
  entries.reserve(counts.entries.size());
  for (const auto& [term, count] : counts.entries) {
    const uint32_t df = vocabulary.document_frequency(term);
    if (df == 0 && needs_df(weighting)) continue;
    const double rarity = df == 0 ? 1 : documents / df;
    entries.push_back({term, weight_of(weighting, count, words, rarity)});
  }
  SparseVector vector(std::move(entries));
  const bool unit = weighting == Weighting::kH1 || weighting == Weighting::kLogTfIdf;
  return unit ? vector.normalised() : vector;
}

}  // namespace dowser
