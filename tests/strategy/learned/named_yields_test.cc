#include "strategy/learned/named_yields.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(NamedYields, a_name_has_one_number_and_keeps_what_it_brought) {
  NamedYields yields;
  const uint32_t a = yields.number_of("p>a"), b = yields.number_of("li>a");
  EXPECT_EQ(yields.number_of("p>a"), a);
  EXPECT_NE(a, b);
  yields[b] = {1.5, 3};
  EXPECT_NEAR(yields[b].mean(0.1, 2), (1.5 + 0.2) / 5, 1e-12);
  EXPECT_EQ(yields.name(b), "li>a");
}

TEST(NamedYields, what_is_not_kept_is_forgotten_and_the_rest_is_renumbered) {
  NamedYields yields;
  for (const char* name : {"a", "b", "c"}) yields[yields.number_of(name)].count = 7;
  std::vector<uint32_t> moved = {UINT32_MAX, 0, 0};
  yields.keep(moved);
  EXPECT_EQ(moved[1], 0u);
  EXPECT_EQ(moved[2], 1u);
  EXPECT_EQ(yields.number_of("c"), 1u);
  EXPECT_EQ(yields[1].count, 7u);
  EXPECT_EQ(yields[yields.number_of("a")].count, 0u);
}

TEST(NamedYields, comes_back_from_its_bytes) {
  NamedYields yields, again;
  yields[yields.number_of("a")] = {0.5, 2};
  yields[yields.number_of("b")] = {0.25, 1};
  ByteWriter out;
  yields.save(out);
  ByteReader in(out.bytes());
  again.load(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  EXPECT_EQ(again.number_of("b"), 1u);
  EXPECT_EQ(again[1].sum, 0.25);
  EXPECT_EQ(again.name(0), "a");
}

}  // namespace
}  // namespace dowser
