#include "learn/truncated_svd.h"

#include <fmt/format.h>

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

// The singular value decomposition A = U S Vᵀ, truncated: the k largest singular values give the
// matrix of rank k that is nearest to A (Eckart and Young 1936).
//
// The columns here are documents and the rows terms, so there are far fewer columns than rows. The
// squares of the singular values are the eigenvalues of AᵀA, which is as small as the number of
// columns, and V holds its eigenvectors; then U = A V S⁻¹. AᵀA is never formed for a large matrix:
// Lanczos' method (Spectra's implicitly restarted variant, as ARPACK) only needs products with a
// vector, and x -> Aᵀ(A x) costs two passes over the entries of A. For few columns AᵀA is formed,
// and Eigen's dense solver finds all its eigenvalues.
//
// Accuracy: squaring loses half of the digits of singular values that are small against the first,
// which a truncated decomposition leaves out anyway: those below `tolerance` times the first are.
// Spectra stops when the residual of each eigenvector is below a tolerance times its eigenvalue;
// the error of the vector is that residual over the gap to the next eigenvalue, so the square of
// `tolerance` is asked for. Liu, Janssen and Milios 2005 use 1e-6 with SVDPACKC's Lanczos.
//
// Spectra begins with a vector of fixed random numbers: the same matrix gives the same result.
//
// Example: the columns (2, 0) and (0, 1) have the values 2 and 1 with the vectors of the axes.
//
// Cost: about 2k + 20 products a restart; 20,000 documents with 1.5 million entries and k = 100
// take seconds. Dense: the cube of the number of columns, 0.1 s for 500.

namespace dowser {
namespace {

using Matrix = Eigen::SparseMatrix<double>;  // by column

// The operation x -> Aᵀ(A x), as Spectra wants it.
class GramProduct {
 public:
  using Scalar = double;
  explicit GramProduct(const Matrix& a) : a_(a), image_(a.rows()) {}
  Eigen::Index rows() const { return a_.cols(); }
  Eigen::Index cols() const { return a_.cols(); }
  void perform_op(const double* in, double* out) const {
    image_.noalias() = a_ * Eigen::Map<const Eigen::VectorXd>(in, a_.cols());
    Eigen::Map<Eigen::VectorXd>(out, a_.cols()).noalias() = a_.transpose() * image_;
  }

 private:
  const Matrix& a_;
  mutable Eigen::VectorXd image_;
};

struct Eigenpairs {
  Eigen::VectorXd values;  // falling
  Eigen::MatrixXd vectors;
};

Matrix matrix_of(std::span<const SparseVector> columns, uint32_t rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t c = 0; c < columns.size(); ++c) {
    for (const auto& e : columns[c].entries()) {
      entries.emplace_back(static_cast<int>(e.index), static_cast<int>(c), e.value);
    }
  }
  Matrix a(rows, static_cast<Eigen::Index>(columns.size()));
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

Result<Eigenpairs> dense_eigenpairs(const Matrix& a, Eigen::Index wanted) {
  const Eigen::MatrixXd gram = Matrix(a.transpose() * a);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  if (solver.info() != Eigen::Success) {
    return Error{"the dense solver found no singular values: are all numbers finite?"};
  }
  return Eigenpairs{solver.eigenvalues().reverse().head(wanted),
                    solver.eigenvectors().rowwise().reverse().leftCols(wanted)};
}

Result<Eigenpairs> lanczos_eigenpairs(const Matrix& a, Eigen::Index wanted, double tolerance) {
  constexpr Eigen::Index kMostRestarts = 1000;
  GramProduct product(a);
  const Eigen::Index basis = std::min(a.cols(), std::max<Eigen::Index>(2 * wanted + 1, 20));
  Spectra::SymEigsSolver<GramProduct> solver(product, wanted, basis);
  solver.init();
  const Eigen::Index found =
      solver.compute(Spectra::SortRule::LargestAlge, kMostRestarts, tolerance * tolerance);
  if (solver.info() != Spectra::CompInfo::Successful) {
    return Error{
        fmt::format("only {} of {} singular values converged to {}", found, wanted, tolerance)};
  }
  return Eigenpairs{solver.eigenvalues(), solver.eigenvectors()};
}

DenseVectors by_row(const Eigen::MatrixXd& m) {
  DenseVectors rows(static_cast<size_t>(m.cols()), static_cast<size_t>(m.rows()));
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    for (Eigen::Index c = 0; c < m.cols(); ++c) rows[r][c] = m(r, c);
  }
  return rows;
}

}  // namespace

Result<TruncatedSvd> truncated_svd(std::span<const SparseVector> columns, uint32_t rows,
                                   const TruncatedSvdOptions& options) {
  const Matrix a = matrix_of(columns, rows);
  if (a.nonZeros() == 0) return Error{"there is no decomposition of a matrix without entries"};
  const Eigen::Index wanted = std::min<Eigen::Index>({options.dimensions, a.cols(), a.rows()});
  if (wanted == 0) return Error{"a decomposition needs at least one dimension"};
  const bool is_small = a.cols() <= options.dense_up_to || 2 * wanted >= a.cols();
  const Result<Eigenpairs> pairs =
      is_small ? dense_eigenpairs(a, wanted) : lanczos_eigenpairs(a, wanted, options.tolerance);
  if (!pairs) return pairs.error();

  TruncatedSvd svd;
  for (Eigen::Index i = 0; i < wanted; ++i) {
    const double value = std::sqrt(std::max(pairs->values[i], 0.0));
    if (i > 0 && value <= options.tolerance * svd.values.front()) break;
    svd.values.push_back(value);
  }
  const auto kept = static_cast<Eigen::Index>(svd.values.size());
  Eigen::MatrixXd right = pairs->vectors.leftCols(kept);
  Eigen::MatrixXd left = a * right;
  for (Eigen::Index i = 0; i < kept; ++i) {
    left.col(i) /= svd.values[i];
    Eigen::Index largest = 0;
    left.col(i).cwiseAbs().maxCoeff(&largest);
    if (left(largest, i) < 0) {
      left.col(i) *= -1;
      right.col(i) *= -1;
    }
  }
  svd.left = by_row(left);
  svd.right = by_row(right);
  return svd;
}

}  // namespace dowser
