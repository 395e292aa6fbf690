#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/inverted_vectors.h"

// The k nearest neighbours: a document belongs where the examples most like it belong (Cover and
// Hart 1967; Yang 1994 for text). Like is the cosine; each of the k most like votes for its class,
// with its cosine as the weight of its vote.
//
//   P(c | d) = sum of cos(d, x) over the neighbours x of class c / sum over all k
//
// k = 3, neighbours with 0.8 (class 1), 0.3 (class 0), 0.1 (class 0): P(1) = 0.8 / 1.2 = 0.67. The
// weights make k matter little, and a neighbour with nothing in common has no vote. A document with
// nothing in common with any example has the shares of the classes among the examples. Of equally
// like examples the earlier is nearer. k = 15 is in the range that Yang found flat (10 to 50).
//
// Nothing is learned; a question costs the postings of its features (inverted_vectors.h).

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

  struct Neighbour {
    uint32_t example;
    double cosine;  // above 0
  };

  static Result<NearestNeighbours> train(std::span<const Example> examples, uint32_t k = kDefaultK);
  static Result<NearestNeighbours> from_parts(Parts parts);
  static Result<NearestNeighbours> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  // Nearest first; fewer than k where fewer have anything in common with v.
  std::vector<Neighbour> neighbours(const SparseVector& v) const;
  std::vector<double> posteriors(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(posteriors(v)); }

 private:
  explicit NearestNeighbours(Parts parts);

  Parts parts_;
  InvertedVectors index_;
};

}  // namespace dowser
