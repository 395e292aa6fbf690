#include "mine/anchor_miner.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(AnchorMiner, lists_texts_that_lead_where_the_list_is_meant_for) {
  AnchorMiner miner;
  const auto add = [&](const char* text, uint32_t from, std::optional<uint32_t> to, int times = 1) {
    for (int i = 0; i < times; ++i) miner.add({text, "en", from, to});
  };
  add("Privacy policy", 1, 0, 3);
  add("the privacy policies", 1, 0);  // the same text
  add("Papers", 1, 1, 5);
  add("Mixed", 1, 0, 4);
  add("Mixed", 1, 1);
  add("Rare", 1, 0, 2);
  add("of the", 1, 0, 9);  // nothing is left of it
  add("Departments", 2, 1, 2);
  add("Departments", 2, 2, 2);
  add("Departments", 2, std::nullopt, 7);  // nobody knows where to
  add("Sports", 2, 0, 5);
  const auto pruning = miner.pruning(3), extracting = miner.extracting(3);
  ASSERT_EQ(pruning.size(), 1u);
  EXPECT_EQ(pruning[0].text, "Privacy policy");
  EXPECT_EQ(pruning[0].links, 4u);
  EXPECT_EQ(pruning[0].meant, 4u);
  ASSERT_EQ(extracting.size(), 1u);
  EXPECT_EQ(extracting[0].text, "Departments");
  EXPECT_EQ(extracting[0].links, 4u);
  EXPECT_EQ(miner.pruning(2).size(), 2u);
  EXPECT_EQ(miner.links_from(2), 9u);
}

}  // namespace
}  // namespace dowser
