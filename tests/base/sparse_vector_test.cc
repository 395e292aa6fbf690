#include "base/sparse_vector.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace dowser {
namespace {

using Entries = std::vector<SparseVector::Entry>;

// The slow and obvious form. Values are small whole numbers, so that every sum is exact.
constexpr size_t kSize = 200;
using Dense = std::vector<double>;

Dense dense(const Entries& entries) {
  Dense d(kSize);
  for (const auto& e : entries) d[e.index] += e.value;
  return d;
}

Dense dense(const SparseVector& v) {
  const auto entries = v.entries();
  return dense(Entries(entries.begin(), entries.end()));
}

double dense_dot(const Dense& a, const Dense& b) {
  double total = 0;
  for (size_t i = 0; i < kSize; ++i) total += a[i] * b[i];
  return total;
}

// Up to 300 entries over few indexes, so that they collide, cancel, and are of very unlike sizes.
Entries any_entries() {
  const auto entry =
      rc::gen::map(rc::gen::pair(rc::gen::inRange<uint32_t>(0, kSize), rc::gen::inRange(-3, 4)),
                   [](const auto& p) {
                     return SparseVector::Entry{p.first, static_cast<double>(p.second)};
                   });
  const auto count = *rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 300));
  return *rc::gen::container<Entries>(count, entry);
}

RC_GTEST_PROP(SparseVector, holds_what_a_dense_one_holds, ()) {
  const Entries entries = any_entries();
  const SparseVector v(entries);
  const Dense d = dense(entries);
  size_t nonzero = 0;
  for (uint32_t i = 0; i < kSize; ++i) {
    RC_ASSERT(v.at(i) == d[i]);
    nonzero += d[i] != 0;
  }
  RC_ASSERT(v.at(kSize) == 0);
  RC_ASSERT(v.size() == nonzero);
  RC_ASSERT(v.empty() == (nonzero == 0));
  for (size_t i = 1; i < v.size(); ++i) {
    RC_ASSERT(v.entries()[i - 1].index < v.entries()[i].index);
  }
}

RC_GTEST_PROP(SparseVector, computes_what_a_dense_one_computes, ()) {
  const Entries a_entries = any_entries(), b_entries = any_entries();
  const SparseVector a(a_entries), b(b_entries);
  const Dense da = dense(a_entries), db = dense(b_entries);
  const double factor = *rc::gen::inRange(-2, 3);

  RC_ASSERT(dot(a, b) == dense_dot(da, db));
  RC_ASSERT(dot(b, a) == dot(a, b));
  RC_ASSERT(a.norm() == std::sqrt(dense_dot(da, da)));
  Dense scaled = da, added = da;
  for (double& x : scaled) x *= factor;
  for (size_t i = 0; i < kSize; ++i) added[i] += factor * db[i];
  RC_ASSERT(dense(a.scaled(factor)) == scaled);
  RC_ASSERT(dense(sum(a, b, factor)) == added);
  RC_ASSERT(sum(a, a, -1).empty());
}

RC_GTEST_PROP(SparseVector, cosine_is_the_dot_product_of_directions, ()) {
  const SparseVector a(any_entries()), b(any_entries());
  const double expected = a.empty() || b.empty() ? 0 : dot(a, b) / (a.norm() * b.norm());
  RC_ASSERT(std::abs(cosine(a, b) - expected) < 1e-12);
  RC_ASSERT(std::abs(dot(a.normalised(), b.normalised()) - expected) < 1e-12);
  if (!a.empty()) RC_ASSERT(std::abs(a.normalised().norm() - 1) < 1e-12);
}

TEST(SparseVector, the_empty_vector_is_harmless) {
  const SparseVector none, one(Entries{{7, 2}});
  EXPECT_EQ(none.normalised(), none);
  EXPECT_EQ(none.norm(), 0);
  EXPECT_EQ(cosine(none, one), 0);
  EXPECT_EQ(sum(none, one), one);
  EXPECT_EQ(one.scaled(0), none);
  EXPECT_EQ(SparseVector(Entries{{3, 1}, {3, -1}}), none);
}

}  // namespace
}  // namespace dowser
