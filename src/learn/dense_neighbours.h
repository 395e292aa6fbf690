#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/dense_vectors.h"
#include "learn/neighbour.h"

// The k nearest neighbours in a space of few dimensions: a vector belongs to the class whose
// examples are most like it. NearestNeighbours does the same for sparse vectors; there an index of
// the features pays, here every example is compared.
//
//   vote for class c = sum of cos(v, x)^sharpness over the k nearest examples x that are in c
//
// Only positive cosines vote. With sharpness 1 a vote has the weight of the cosine; then four
// examples at 0.3 outvote a single one at 0.95, and a class with one example (a session with one
// marked page) can hardly win. With sharpness 4 the weights are 0.008 and 0.81, and it does. Of
// equal votes the lower class wins, of equally near examples the earlier counts.
//
// Cost: examples × dimensions.

namespace dowser {

class DenseNeighbours {
 public:
  struct Parts {
    uint32_t k = 5;
    double sharpness = 4;
    uint32_t classes = 0;
    DenseVectors vectors;  // of length 1, or zero
    std::vector<uint32_t> labels;

    static void each(auto& p, auto& field) {
      field(p.k), field(p.sharpness), field(p.classes), field(p.vectors), field(p.labels);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "neighbours in few dimensions";

  static Result<DenseNeighbours> from_parts(Parts parts);
  static Result<DenseNeighbours> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  // Nearest first; fewer than k where fewer have a positive cosine. `direction` has length 1 or is
  // zero.
  std::vector<Neighbour> neighbours(std::span<const double> direction) const;
  // Of each class; all 0 if no example votes.
  std::vector<double> votes(std::span<const double> direction) const;
  // The votes as shares, which sum to 1; where there are none, all for the class with most
  // examples.
  std::vector<double> shares(std::span<const double> direction) const;
  // The class with most votes; where there are none, the one with most examples.
  uint32_t best(std::span<const double> direction) const;

  // One more example, of a class below `classes`.
  void add(std::span<const double> direction, uint32_t label);

 private:
  explicit DenseNeighbours(Parts parts);

  Parts parts_;
  uint32_t largest_class_ = 0;
};

}  // namespace dowser
