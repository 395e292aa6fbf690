#include "graph/ranking.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

using Ranked = std::vector<RankedNode>;

TEST(Ranking, the_best_come_first_and_equals_by_number) {
  const std::vector<double> values = {0.5, 0, 0.9, 0.5, -1};
  EXPECT_EQ(best_nodes(values, 2), (Ranked{{2, 0.9}, {0, 0.5}}));
  EXPECT_EQ(best_nodes(values, 9), (Ranked{{2, 0.9}, {0, 0.5}, {3, 0.5}}));
  EXPECT_EQ(best_nodes(values, 0), Ranked{});
  EXPECT_EQ(best_nodes({}, 3), Ranked{});
}

}  // namespace
}  // namespace dowser
