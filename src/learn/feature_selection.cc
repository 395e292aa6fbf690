#include "learn/feature_selection.h"

#include <algorithm>
#include <cmath>

#include "learn/feature_numbers.h"

// The mutual information between the presence of a feature, F (yes or no), and the class C:
//
//   I(F; C) = sum over f and c of P(f, c) ln(P(f, c) / (P(f) P(c)))
//
// with shares of documents as probabilities (Manning, Raghavan and Schütze, Introduction to
// Information Retrieval, eq. 13.17). Example with four documents, two of each class: a feature that
// both documents of one class have, and none of the other, determines the class: ln 2 = 0.69. One
// that all four have, or one of each class, says nothing: 0. Presence is used and not counts,
// because a word that one long page repeats would otherwise look typical of its class.
//
// Cost: one pass over the entries and a table of features times classes.

namespace dowser {
namespace {

// P(f, c) ln(P(f, c) / (P(f) P(c))), all given as numbers of documents out of n.
double share(double both, double u, double c, double n) {
  return both > 0 ? both / n * std::log(both * n / (u * c)) : 0;
}

}  // namespace

std::vector<FeatureValue> features_by_mutual_information(std::span<const Example> examples) {
  const FeatureNumbers features = FeatureNumbers::of(examples);
  const size_t classes = class_count(examples);
  std::vector<double> of_class(classes), having(features.size() * classes);
  for (const Example& e : examples) {
    ++of_class[e.label];
    for (const auto& entry : e.vector.entries()) {
      ++having[features.number(entry.index) * classes + e.label];
    }
  }
  const double n = static_cast<double>(examples.size());
  std::vector<FeatureValue> values;
  values.reserve(features.size());
  for (size_t f = 0; f < features.size(); ++f) {
    const double* row = &having[f * classes];
    double all = 0, information = 0;
    for (size_t c = 0; c < classes; ++c) all += row[c];
    for (size_t c = 0; c < classes; ++c) {
      information += share(row[c], all, of_class[c], n);
      information += share(of_class[c] - row[c], n - all, of_class[c], n);
    }
    values.push_back({features.indexes()[f], information});
  }
  std::stable_sort(values.begin(), values.end(), [](const FeatureValue& a, const FeatureValue& b) {
    return a.mutual_information > b.mutual_information;
  });
  return values;
}

}  // namespace dowser
