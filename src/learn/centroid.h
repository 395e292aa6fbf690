#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/sparse_vector.h"
#include "learn/inverted_vectors.h"

// The similarity of a document to a set of examples, in two forms: the cosine to their centroid,
// the mean of the examples scaled to length 1, so that long ones do not count more (Rocchio 1971
// without negative examples); and the cosine to the nearest example, which suits a topic of several
// parts, since the centroid of two clusters lies where no example is.
//
// Examples (1, 0) and (0, 1): the centroid is (0.71, 0.71). The document (1, 0) has the cosine 0.71
// to the centroid and 1 to the nearest example.
//
// The centroid costs one look-up for each feature; the nearest example costs the postings of the
// features (inverted_vectors.h).

namespace dowser {

// The mean of the vectors scaled to length 1, scaled to length 1 again; empty if there are none.
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
    double cosine = 0;  // 0 if no example has a feature in common with the document
  };

  static Result<Centroid> train(std::span<const SparseVector> vectors);
  static Result<Centroid> from_parts(Parts parts);
  static Result<Centroid> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  const SparseVector& vector() const { return centroid_; }
  double similarity(const SparseVector& v) const { return cosine(v, centroid_); }
  // The first of several equally close ones.
  Closest closest(const SparseVector& v) const;

 private:
  explicit Centroid(Parts parts);

  Parts parts_;
  SparseVector centroid_;
  InvertedVectors index_;
};

}  // namespace dowser
