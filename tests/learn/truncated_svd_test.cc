#include "learn/truncated_svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace dowser {
namespace {

using Columns = std::vector<std::vector<double>>;

// The slow reference: Jacobi's one-sided method. Pairs of columns are rotated until all are
// orthogonal; then their lengths are the singular values, and their directions the left vectors.
struct Reference {
  std::vector<double> values;
  Columns left;  // by singular value
};

Reference slow_svd(Columns a) {
  const size_t n = a.size();
  const auto product = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  for (bool rotated = true; rotated;) {
    rotated = false;
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        const double pp = product(a[p], a[p]), qq = product(a[q], a[q]), pq = product(a[p], a[q]);
        if (std::abs(pq) <= 1e-15 * std::sqrt(pp * qq) || pq == 0) continue;
        rotated = true;
        const double zeta = (qq - pp) / (2 * pq);
        const double t = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (size_t i = 0; i < a[p].size(); ++i) {
          const double x = a[p][i], y = a[q][i];
          a[p][i] = c * x - s * y;
          a[q][i] = s * x + c * y;
        }
      }
    }
  }
  std::sort(a.begin(), a.end(),
            [&](const auto& x, const auto& y) { return product(x, x) > product(y, y); });
  Reference out;
  for (auto& column : a) {
    out.values.push_back(std::sqrt(product(column, column)));
    if (out.values.back() > 0) {
      for (double& x : column) x /= out.values.back();
    }
    out.left.push_back(column);
  }
  return out;
}

struct Matrix {
  std::vector<SparseVector> sparse;
  Columns dense;
};

Matrix made_matrix(uint64_t seed, uint32_t rows, uint32_t columns, uint32_t entries) {
  Random random(seed);
  Matrix m;
  for (uint32_t c = 0; c < columns; ++c) {
    std::vector<SparseVector::Entry> column;
    for (uint32_t i = 0; i < entries; ++i) {
      column.push_back({static_cast<uint32_t>(random.below(rows)), random.uniform() + 0.1});
    }
    m.sparse.emplace_back(column);
    m.dense.emplace_back(rows);
    for (const auto& e : m.sparse.back().entries()) m.dense.back()[e.index] = e.value;
  }
  return m;
}

// The largest part of a reference vector that lies outside of the space that ours span: the sine of
// the largest angle between the two spaces.
double sine_between(const TruncatedSvd& svd, const Reference& reference) {
  double worst = 0;
  for (size_t j = 0; j < svd.values.size(); ++j) {
    std::vector<double> rest = reference.left[j];
    for (size_t i = 0; i < svd.values.size(); ++i) {
      double share = 0;
      for (size_t r = 0; r < rest.size(); ++r) share += svd.left[r][i] * reference.left[j][r];
      for (size_t r = 0; r < rest.size(); ++r) rest[r] -= share * svd.left[r][i];
    }
    worst =
        std::max(worst, std::sqrt(std::inner_product(rest.begin(), rest.end(), rest.begin(), 0.0)));
  }
  return worst;
}

TEST(TruncatedSvd, both_solvers_span_the_space_of_a_dense_decomposition) {
  const Matrix m = made_matrix(1, 150, 60, 12);
  const Reference reference = slow_svd(m.dense);
  for (const uint32_t dense_up_to : {0u, 256u}) {  // Lanczos, then dense
    for (const uint32_t k : {1u, 5u, 20u}) {
      const auto svd = truncated_svd(m.sparse, 150, {.dimensions = k, .dense_up_to = dense_up_to});
      ASSERT_TRUE(svd) << svd.error().message;
      ASSERT_EQ(svd->values.size(), k);
      EXPECT_EQ(svd->left.size(), 150u);
      EXPECT_EQ(svd->right.size(), 60u);
      for (size_t i = 0; i < k; ++i) EXPECT_NEAR(svd->values[i], reference.values[i], 1e-9);
      EXPECT_LT(sine_between(*svd, reference), 1e-6) << k << " " << dense_up_to;
    }
  }
}

TEST(TruncatedSvd, many_columns_go_to_lanczos_and_keep_the_accuracy) {
  const Matrix m = made_matrix(2, 120, 300, 6);
  const Reference reference = slow_svd([&] {  // of the transpose, which has fewer columns
    Columns t(120, std::vector<double>(300));
    for (size_t c = 0; c < 300; ++c) {
      for (size_t r = 0; r < 120; ++r) t[r][c] = m.dense[c][r];
    }
    return t;
  }());
  const auto svd = truncated_svd(m.sparse, 120, {.dimensions = 10});
  ASSERT_TRUE(svd) << svd.error().message;
  for (size_t i = 0; i < 10; ++i) EXPECT_NEAR(svd->values[i], reference.values[i], 1e-9);
}

TEST(TruncatedSvd, vectors_have_length_1_and_give_the_matrix_back) {
  const Matrix m = made_matrix(3, 30, 8, 10);
  const auto svd = truncated_svd(m.sparse, 30, {.dimensions = 8});
  ASSERT_TRUE(svd);
  for (size_t i = 0; i < 8; ++i) {
    for (size_t j = 0; j < 8; ++j) {
      double product = 0;
      for (size_t r = 0; r < 30; ++r) product += svd->left[r][i] * svd->left[r][j];
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-9);
    }
  }
  for (size_t r = 0; r < 30; ++r) {
    for (size_t c = 0; c < 8; ++c) {
      double value = 0;
      for (size_t i = 0; i < 8; ++i) {
        value += svd->left[r][i] * svd->values[i] * svd->right[c][i];
      }
      EXPECT_NEAR(value, m.dense[c][r], 1e-9);
    }
  }
}

TEST(TruncatedSvd, a_matrix_of_low_rank_has_fewer_dimensions) {
  const SparseVector v(std::vector<SparseVector::Entry>{{0, 3}, {2, 4}});
  const std::vector<SparseVector> same = {v, v, v, {}};
  for (const uint32_t dense_up_to : {0u, 256u}) {
    const auto svd = truncated_svd(same, 3, {.dimensions = 2, .dense_up_to = dense_up_to});
    ASSERT_TRUE(svd) << svd.error().message;
    ASSERT_EQ(svd->values.size(), 1u);
    EXPECT_NEAR(svd->values[0], 5 * std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(svd->left[2][0], 0.8, 1e-9);  // the largest component is positive
  }
}

TEST(TruncatedSvd, the_same_matrix_gives_the_same_bits) {
  const Matrix m = made_matrix(4, 200, 90, 10);
  const TruncatedSvdOptions options{.dimensions = 8, .dense_up_to = 0};
  const auto a = truncated_svd(m.sparse, 200, options), b = truncated_svd(m.sparse, 200, options);
  EXPECT_EQ(a->values, b->values);
  EXPECT_EQ(a->left, b->left);
}

TEST(TruncatedSvd, a_matrix_without_entries_is_an_error) {
  const std::vector<SparseVector> none(3);
  EXPECT_FALSE(truncated_svd(none, 5));
  EXPECT_FALSE(truncated_svd({}, 0));
}

}  // namespace
}  // namespace dowser
