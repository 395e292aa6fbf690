#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/inverted_vectors.h"
#include "learn/neighbour.h"

// k nearest neighbours: a document belongs to the class of the examples most similar to it (Cover
// and Hart 1967; Yang 1994 for text). Similarity is the cosine; each of the k nearest examples
// votes for its class with its cosine as weight.
//
//   P(c | d) = sum of cos(d, x) over the neighbours x of class c / sum over all k
//
// Example with k = 3 and neighbours at 0.8 (class 1), 0.3 (class 0), 0.1 (class 0): P(1) = 0.8
// / 1.2 = 0.67. Because of the weights k matters little, and an example without common features has
// no vote. A document without features in common with any example gets the shares of the classes
// among the examples. Of equally similar examples the earlier one counts as nearer. k = 15 lies in
// the range in which Yang found no difference (10 to 50).
//
// There is no training; a query costs the postings of its features (inverted_vectors.h).

namespace dowser {

class NearestNeighbours {
 public:
  struct Parts {
    uint32_t k = 15;
    uint32_t classes = 0;
    std::vector<SparseVector> vectors;  // of length 1, or empty
    std::vector<uint32_t> labels;

    static void each(auto& p, auto& field) {
      field(p.k), field(p.classes), field(p.vectors), field(p.labels);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "nearest neighbours";
  static constexpr uint32_t kDefaultK = 15;

  static Result<NearestNeighbours> train(std::span<const Example> examples, uint32_t k = kDefaultK);
  static Result<NearestNeighbours> from_parts(Parts parts);
  static Result<NearestNeighbours> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  // The nearest first; fewer than k if fewer have a feature in common with v.
  std::vector<Neighbour> neighbours(const SparseVector& v) const;
  std::vector<double> posteriors(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(posteriors(v)); }

 private:
  explicit NearestNeighbours(Parts parts);

  Parts parts_;
  InvertedVectors index_;
};

}  // namespace dowser
