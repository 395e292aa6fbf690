#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace dowser {
namespace {

const std::vector<std::string> kKnown = {
    "best-first", "breadth-first", "depth-first", "delta", "beta", "n", "max-pages"};

TEST(NearestName, is_the_one_that_was_meant) {
  const std::pair<const char*, const char*> rows[] = {{"best-first", "best-first"},
                                                      {"bestfirst", "best-first"},
                                                      {"best_first", "best-first"},
                                                      {"dept-first", "depth-first"},
                                                      {"dleta", "delta"},
                                                      {"betta", "beta"},
                                                      {"bredth-frist", "breadth-first"},
                                                      {"max-page", "max-pages"},
                                                      {"pages", ""},
                                                      {"shark-search", ""},
                                                      {"", ""},
                                                      {"k", ""},
                                                      {"xy", ""}};
  for (const auto& [name, meant] : rows) EXPECT_EQ(nearest_name(name, kKnown), meant) << name;
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(NearestName, of_equally_near_ones_the_first_is_taken) {
  const std::vector<std::string> known = {"cart", "card"};
  EXPECT_EQ(nearest_name("carx", known), "cart");
}

TEST(DidYouMean, is_a_hint_or_nothing) {
  EXPECT_EQ(did_you_mean("dleta", kKnown), " (did you mean 'delta'?)");
  EXPECT_EQ(did_you_mean("shark-search", kKnown), "");
}

}  // namespace
}  // namespace dowser
