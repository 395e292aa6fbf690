#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/sparse_vector.h"
#include "learn/dense_vectors.h"

// The largest singular values of a sparse matrix with their vectors: A ≈ U S Vᵀ. How they are found
// is described in the .cc file.

namespace dowser {

struct TruncatedSvdOptions {
  uint32_t dimensions = 100;   // wanted
  double tolerance = 1e-6;     // how exact the singular vectors are
  uint32_t dense_up_to = 256;  // with so many columns or fewer, or where most of the singular
                               // values are wanted, a dense solver is as fast
};

struct TruncatedSvd {
  std::vector<double> values;  // falling, all above tolerance times the first
  DenseVectors left;           // one for each row: its coordinates, a row of U
  DenseVectors right;          // one for each column: a row of V
};

// The matrix is given by its columns; their indexes are rows, below `rows`. Fewer dimensions than
// wanted where the matrix has a lower rank. The sign of each pair of singular vectors is chosen so
// that the component of the left one that is largest in size is positive. An error if the matrix
// is zero, or the solver does not converge.
Result<TruncatedSvd> truncated_svd(std::span<const SparseVector> columns, uint32_t rows,
                                   const TruncatedSvdOptions& options = {});

}  // namespace dowser
