#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/terms.h"
#include "learn/feature_numbers.h"
#include "learn/truncated_svd.h"

// Latent semantic indexing (Deerwester et al. 1990): documents as points of a space of a few dozen
// dimensions, in which those that use related words lie close together although they share few.
//
//   d   = the terms of a document, n (log2(N / df) + 1), scaled to length 1
//   A   = the training documents side by side, U S Vᵀ its truncated decomposition
//   d̂   = Uᵀ d                                            for training and new documents alike
//
// N and df are those of the training documents and stay so. Terms that no training document has are
// left out, before the scaling. The weights are those of equation 1 in Liu, Janssen and Milios
// 2005, `h1` of text/weighting.h, here by TermId, since that is what a crawled page brings. (The
// equation as printed sums over documents below the root; unit length of a document is meant.)
//
// Many fold a new document in as S⁻¹ Uᵀ d. With that, directions that hardly matter in the training
// documents count as much as the first; and a training document would have to be treated otherwise
// than a new one to have the same cosines as in A. With Uᵀ d the cosine between two training
// documents is that of the best approximation of A of this rank.
//
// Example: documents "crawl web" and "web spider", one dimension: d̂ is the share of the common
// word, and "crawl" and "spider" point the same way.
//
// Cost of folding: dimensions × different terms of the document.

namespace dowser {

class LsiSpace {
 public:
  struct Parts {
    uint32_t documents = 0;                      // N
    std::vector<uint32_t> terms;                 // rising
    std::vector<uint32_t> document_frequencies;  // of each
    DenseVectors coordinates;                    // of each: its row of U

    static void each(auto& p, auto& field) {
      field(p.documents), field(p.terms), field(p.document_frequencies), field(p.coordinates);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "latent semantic indexing";

  // A document is a list of terms in ascending order of id, as Page::terms.
  using Document = std::span<const TermCount>;

  static Result<LsiSpace> train(std::span<const Document> documents,
                                const TruncatedSvdOptions& options = {});
  static Result<LsiSpace> from_parts(Parts parts);
  static Result<LsiSpace> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  size_t dimensions() const { return parts_.coordinates.dimensions(); }

  // d̂. Its length, 0 … 1, says how much of the document lies in the space; a document without a
  // known term is the zero vector.
  std::vector<double> fold(Document document) const;
  // d̂ scaled to length 1.
  std::vector<double> direction(Document document) const;
  // d: indexes are numbers of terms, as in Parts.
  SparseVector weighted(Document document) const;

 private:
  explicit LsiSpace(Parts parts);

  Parts parts_;
  FeatureNumbers numbers_;      // of terms
  std::vector<double> rarity_;  // log2(N / df) + 1 of each
};

}  // namespace dowser
