#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/sparse_vector.h"
#include "learn/inverted_vectors.h"

// How like is a document to a set of examples? Two answers. The cosine to their centroid, the mean
// of the examples, each taken with length 1 so that long ones do not count more (Rocchio 1971
// without negatives); and the cosine to the example most like it, which suits a topic of several
// parts: between two heaps the centroid lies where no example is.
//
// Examples (1, 0) and (0, 1): the centroid is (0.71, 0.71). The document (1, 0) has 0.71 to the
// centroid and 1 to the closest.
//
// A centroid costs one look-up a feature; the closest costs the postings of the features
// (inverted_vectors.h).

namespace dowser {

// The mean of the vectors taken with length 1, with length 1 again; empty for none.
SparseVector centroid_of(std::span<const SparseVector> vectors);

class Centroid {
 public:
  struct Parts {
    std::vector<SparseVector> vectors;  // the examples, of length 1

    static void each(auto& p, auto& field) { field(p.vectors); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "centroid";

  struct Closest {
    uint32_t example = 0;
    double cosine = 0;  // 0 where no example has anything in common with the document
  };

  static Result<Centroid> train(std::span<const SparseVector> vectors);
  static Result<Centroid> from_parts(Parts parts);
  static Result<Centroid> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  const SparseVector& vector() const { return centroid_; }
  double similarity(const SparseVector& v) const { return cosine(v, centroid_); }
  // The first of those that are equally close.
  Closest closest(const SparseVector& v) const;

 private:
  explicit Centroid(Parts parts);

  Parts parts_;
  SparseVector centroid_;
  InvertedVectors index_;
};

}  // namespace dowser
