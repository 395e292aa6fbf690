#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace dowser {
namespace {

// An evaluation repeats to the byte on any machine: these values must stay for ever.
TEST(Random, is_the_same_for_ever) {
  Random random(1234567);
  for (const uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                  4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(random.next(), expected);
  }
  Random numbers(1);
  EXPECT_EQ(numbers.uniform(), 0.5665615751722809);
  EXPECT_EQ(numbers.below(1000), 745u);
  EXPECT_EQ(numbers.below(1000), 971u);
}

TEST(Random, goes_on_from_a_saved_state) {
  Random a(7);
  a.next();
  Random b(a.state());
  EXPECT_EQ(a.next(), b.next());
}

TEST(Random, stays_in_its_bounds_and_reaches_all_of_them) {
  Random random(3);
  std::vector<int> counts(7);
  double least = 1, most = 0;
  for (int i = 0; i < 70'000; ++i) {
    ++counts[random.below(7)];
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_LT(least, 0.001);
  EXPECT_GT(most, 0.999);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace dowser
