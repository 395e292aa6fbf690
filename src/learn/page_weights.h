#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/feature_numbers.h"

namespace dowser {

// What the words of a page count for in its vector; page_weights.cc has the formulas.
enum class WeightKind : uint8_t { kCount, kBinary, kTfIdf, kRdfRkf, kRdfRkfTopic };
std::optional<WeightKind> weight_kind_named(std::string_view name);
std::string_view name_of(WeightKind kind);  // "count", "binary", "tf-idf", "rdf-rkf", …
std::vector<std::string_view> weight_kind_names();

// Turns counts of words into vectors of length 1, with what was learned from examples of two
// classes, of which 1 is the topic. Immutable.
class PageWeights {
 public:
  struct Parts {
    WeightKind kind = WeightKind::kCount;
    uint32_t documents = 0;          // number of examples
    std::vector<uint32_t> features;  // sorted
    // Of each feature and class, [feature * 2 + class]: documents that have it, and occurrences.
    std::vector<uint32_t> rdf, rkf;

    static void each(auto& p, auto& field) {
      field(p.kind), field(p.documents), field(p.features), field(p.rdf), field(p.rkf);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "page weights";

  // Features are the words that more than `rdf_above` examples have.
  static PageWeights learn(std::span<const Example> counts, WeightKind kind,
                           uint32_t rdf_above = 3);
  static Result<PageWeights> from_parts(Parts parts);
  static Result<PageWeights> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  SparseVector vector(const SparseVector& counts) const;
  std::vector<Example> vectors(std::span<const Example> counts) const;
  double gamma() const { return gamma_; }

 private:
  explicit PageWeights(Parts parts);

  Parts parts_;
  FeatureNumbers numbers_;
  double gamma_ = 0;
};

}  // namespace dowser
