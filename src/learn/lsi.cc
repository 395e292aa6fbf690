#include "learn/lsi.h"

#include <cmath>

#include "learn/saved_parts.h"

namespace dowser {

LsiSpace::LsiSpace(Parts parts) : parts_(std::move(parts)), numbers_(parts_.terms) {
  for (const uint32_t df : parts_.document_frequencies) {
    rarity_.push_back(std::log2(static_cast<double>(parts_.documents) / df) + 1);
  }
}

Result<LsiSpace> LsiSpace::train(std::span<const Document> documents,
                                 const TruncatedSvdOptions& options) {
  std::vector<uint32_t> terms;
  for (const Document& document : documents) {
    for (const TermCount& t : document) terms.push_back(t.term);
  }
  Parts parts;
  parts.documents = static_cast<uint32_t>(documents.size());
  const FeatureNumbers numbers(std::move(terms));
  parts.terms.assign(numbers.indexes().begin(), numbers.indexes().end());
  parts.document_frequencies.resize(parts.terms.size());
  for (const Document& document : documents) {
    for (const TermCount& t : document) ++parts.document_frequencies[numbers.number(t.term)];
  }
  if (parts.terms.empty()) return Error{"there are no words in any of the pages to learn from"};
  LsiSpace space(std::move(parts));
  std::vector<SparseVector> columns;
  for (const Document& document : documents) columns.push_back(space.weighted(document));
  Result<TruncatedSvd> svd =
      truncated_svd(columns, static_cast<uint32_t>(space.parts_.terms.size()), options);
  if (!svd) return svd.error();
  space.parts_.coordinates = std::move(svd->left);
  return space;
}

Result<LsiSpace> LsiSpace::from_parts(Parts parts) {
  if (parts.terms.empty() || !strictly_rising(parts.terms)) {
    return contradiction(kKind, "the terms are not in order");
  }
  if (parts.document_frequencies.size() != parts.terms.size()) {
    return contradiction(kKind, "not one document frequency for each term");
  }
  for (const uint32_t df : parts.document_frequencies) {
    if (df == 0 || df > parts.documents) {
      return contradiction(kKind, "a document frequency beyond the number of documents");
    }
  }
  if (!parts.coordinates.is_consistent() || parts.coordinates.size() != parts.terms.size()) {
    return contradiction(kKind, "not one vector for each term");
  }
  return LsiSpace(std::move(parts));
}

Result<LsiSpace> LsiSpace::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void LsiSpace::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

SparseVector LsiSpace::weighted(Document document) const {
  std::vector<SparseVector::Entry> entries;
  entries.reserve(document.size());
  for (const TermCount& t : document) {
    const uint32_t number = numbers_.number(t.term);
    if (number != FeatureNumbers::kNone) entries.push_back({number, t.count * rarity_[number]});
  }
  return SparseVector(std::move(entries)).normalised();
}

std::vector<double> LsiSpace::fold(Document document) const {
  std::vector<double> folded(dimensions());
  const SparseVector d = weighted(document);
  for (const auto& e : d.entries()) {
    const std::span<const double> row = parts_.coordinates[e.index];
    for (size_t i = 0; i < folded.size(); ++i) folded[i] += e.value * row[i];
  }
  return folded;
}

std::vector<double> LsiSpace::direction(Document document) const {
  std::vector<double> folded = fold(document);
  normalise(folded);
  return folded;
}

}  // namespace dowser
