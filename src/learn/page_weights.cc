#include "learn/page_weights.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "learn/saved_parts.h"

// The four representations of the CINDI Robot (Chen 2008, 4.3.2 and 4.3.3.1). For a word i that a
// page has t times, its value in the vector of the page is
//
//   count          t
//   binary         1
//   tf-idf         t log2(N / n)       N examples, of which n have the word
//   rdf-rkf        RDF(i) + γ RKF(i)
//
// RDF is the number of documents of a category that have the word, RKF how often they have it in
// all, and γ = (sum of all RDF) / (sum of all RKF) makes them comparable. The vector is then scaled
// to length 1. Features are the words whose RDF of both categories together is above 3.
//
// Example: the topic's documents are "a a b" and "a c", the other one is "b b b". RDF of the topic
// is a 2, b 1, c 1; RKF is a 3, b 1, c 1. For the other category RDF is b 1, RKF b 3. γ = 5 / 8. In
// rdf-rkf a page "a b b" has a: 2 + 0 + 5/8 (3 + 0) = 3.875, b: 1 + 1 + 5/8 (1 + 3) = 4.5.
//
// RDF and RKF are of a category, and the thesis does not say of which. Two readings: rdf-rkf
// adds both categories up, rdf-rkf-topic takes those of the topic, so that words of other pages
// alone have no value. In both, how often the page itself has the word does not matter: as printed.
// The index of the sums in the formula of γ runs over documents in the thesis; it must run over
// words.

namespace dowser {
namespace {

constexpr struct {
  WeightKind kind;
  std::string_view name;
} kNames[] = {{WeightKind::kCount, "count"},
              {WeightKind::kBinary, "binary"},
              {WeightKind::kTfIdf, "tf-idf"},
              {WeightKind::kRdfRkf, "rdf-rkf"},
              {WeightKind::kRdfRkfTopic, "rdf-rkf-topic"}};

}  // namespace

std::optional<WeightKind> weight_kind_named(std::string_view name) {
  for (const auto& known : kNames) {
    if (known.name == name) return known.kind;
  }
  return std::nullopt;
}

std::string_view name_of(WeightKind kind) { return kNames[static_cast<size_t>(kind)].name; }

std::vector<std::string_view> weight_kind_names() {
  std::vector<std::string_view> names;
  for (const auto& known : kNames) names.push_back(known.name);
  return names;
}

PageWeights::PageWeights(Parts parts) : parts_(std::move(parts)), numbers_(parts_.features) {
  double documents = 0, occurrences = 0;
  for (const uint32_t rdf : parts_.rdf) documents += rdf;
  for (const uint32_t rkf : parts_.rkf) occurrences += rkf;
  gamma_ = occurrences > 0 ? documents / occurrences : 0;
}

PageWeights PageWeights::learn(std::span<const Example> counts, WeightKind kind,
                               uint32_t rdf_above) {
  struct Sums {
    uint32_t rdf[2] = {}, rkf[2] = {};
  };
  std::map<uint32_t, Sums> words;
  for (const Example& e : counts) {
    const size_t category = e.label == 1;
    for (const auto& entry : e.vector.entries()) {
      Sums& sums = words[entry.index];
      ++sums.rdf[category];
      sums.rkf[category] += static_cast<uint32_t>(entry.value);
    }
  }
  Parts parts;
  parts.kind = kind;
  parts.documents = static_cast<uint32_t>(counts.size());
  for (const auto& [word, sums] : words) {
    if (sums.rdf[0] + sums.rdf[1] <= rdf_above) continue;
    parts.features.push_back(word);
    parts.rdf.insert(parts.rdf.end(), sums.rdf, sums.rdf + 2);
    parts.rkf.insert(parts.rkf.end(), sums.rkf, sums.rkf + 2);
  }
  return PageWeights(std::move(parts));
}

Result<PageWeights> PageWeights::from_parts(Parts parts) {
  if (parts.rdf.size() != 2 * parts.features.size() || parts.rkf.size() != parts.rdf.size()) {
    return contradiction(kKind, "not two frequencies for each feature");
  }
  if (!strictly_rising(parts.features)) return contradiction(kKind, "features are not in order");
  if (static_cast<size_t>(parts.kind) >= std::size(kNames)) {
    return contradiction(kKind, "an unknown representation");
  }
  return PageWeights(std::move(parts));
}

Result<PageWeights> PageWeights::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void PageWeights::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

SparseVector PageWeights::vector(const SparseVector& counts) const {
  std::vector<SparseVector::Entry> entries;
  for (const auto& entry : counts.entries()) {
    const uint32_t f = numbers_.number(entry.index);
    if (f == FeatureNumbers::kNone) continue;
    const uint32_t* rdf = &parts_.rdf[size_t{2} * f];
    const uint32_t* rkf = &parts_.rkf[size_t{2} * f];
    double value = 0;
    switch (parts_.kind) {
      case WeightKind::kCount:
        value = entry.value;
        break;
      case WeightKind::kBinary:
        value = 1;
        break;
      case WeightKind::kTfIdf:
        value = entry.value * std::log2(static_cast<double>(parts_.documents) / (rdf[0] + rdf[1]));
        break;
      case WeightKind::kRdfRkf:
        value = rdf[0] + rdf[1] + gamma_ * (rkf[0] + rkf[1]);
        break;
      case WeightKind::kRdfRkfTopic:
        value = rdf[1] + gamma_ * rkf[1];
        break;
    }
    if (value != 0) entries.push_back({entry.index, value});
  }
  return SparseVector(std::move(entries)).normalised();
}

std::vector<Example> PageWeights::vectors(std::span<const Example> counts) const {
  std::vector<Example> examples;
  examples.reserve(counts.size());
  for (const Example& e : counts) examples.push_back({vector(e.vector), e.label});
  return examples;
}

}  // namespace dowser
