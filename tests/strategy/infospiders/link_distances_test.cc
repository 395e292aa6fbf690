#include "strategy/infospiders/link_distances.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/strategy/infospiders/spider_page.h"

namespace dowser {
namespace {

using Inputs = std::vector<KeywordInput>;

// owl is keyword 0, hawk 1.
uint32_t keyword_of(TermId term) {
  return term == term_id("owl") ? 0 : term == term_id("hawk") ? 1 : kNoKeyword;
}

TEST(LinkDistances, an_occurrence_counts_the_less_the_more_links_stand_between) {
  // owl  [snow]  white owl  [eagle owl]  hawk  [kite]  owl
  const Page page = spider_page("a", "owl [snow>b] white owl [eagle owl>c] hawk [kite>d] owl");
  const auto inputs = keyword_inputs(page, 5, keyword_of);
  ASSERT_EQ(inputs.size(), 3u);
  // snow: owl 1, owl 1, owl in the next link 1/2, owl beyond two links 1/3; hawk beyond one 1/2
  EXPECT_EQ(inputs[0].size(), 2u);
  EXPECT_NEAR(inputs[0][0].value, 1 + 1 + 1.0 / 2 + 1.0 / 3, 1e-9);
  EXPECT_NEAR(inputs[0][1].value, 1.0 / 2, 1e-9);
  // eagle owl: owl beyond one link 1/2, owl before it 1, owl in it 1, owl beyond one 1/2; hawk 1
  EXPECT_NEAR(inputs[1][0].value, 1.0 / 2 + 1 + 1 + 1.0 / 2, 1e-9);
  EXPECT_NEAR(inputs[1][1].value, 1, 1e-9);
  // kite: owl beyond two links 1/3, beyond one 1/2, in the next link 1/2, owl 1; hawk 1
  EXPECT_NEAR(inputs[2][0].value, 1.0 / 3 + 1.0 / 2 + 1.0 / 2 + 1, 1e-9);
  EXPECT_NEAR(inputs[2][1].value, 1, 1e-9);
}

TEST(LinkDistances, what_is_further_than_rho_does_not_count) {
  const Page page = spider_page("a", "[x>b] [x>c] [owl>d] [x>e] [x>f]");
  const auto inputs = keyword_inputs(page, 2, keyword_of);
  EXPECT_EQ(inputs[0], Inputs{});
  EXPECT_EQ(inputs[1], (Inputs{{0, 0.5}}));
  EXPECT_EQ(inputs[2], (Inputs{{0, 1}}));
  EXPECT_EQ(inputs[3], (Inputs{{0, 0.5}}));
  EXPECT_EQ(inputs[4], Inputs{});
}

TEST(LinkDistances, other_forms_of_a_word_are_the_word) {
  const auto inputs = keyword_inputs(spider_page("a", "owls [x>b]"), 5, keyword_of);
  EXPECT_EQ(inputs[0], (Inputs{{0, 1}}));
}

TEST(LinkDistances, a_page_without_links_or_without_keywords_has_no_inputs) {
  EXPECT_TRUE(keyword_inputs(spider_page("a", "owl"), 5, keyword_of).empty());
  EXPECT_EQ(keyword_inputs(spider_page("a", "crow [x>b] rook"), 5, keyword_of),
            std::vector<Inputs>{Inputs{}});
}

// The definition, without any cleverness: every pair of an occurrence and a link.
TEST(LinkDistances, agrees_with_a_slow_reference_on_random_pages) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::string text;
    struct Place {  // distance 1 to the links from first to last
      int first, last;
      uint32_t keyword;
    };
    std::vector<Place> places;
    int links = 0;
    for (uint64_t piece = random.below(30); piece > 0; --piece) {
      const uint64_t word = random.below(3);
      const char* words[] = {"owl", "hawk", "crow"};
      const bool is_link = random.below(2) == 0;
      text += is_link ? "[" + std::string(words[word]) + ">x] " : std::string(words[word]) + " ";
      if (word < 2) {
        places.push_back({is_link ? links : links - 1, links, static_cast<uint32_t>(word)});
      }
      if (is_link) ++links;
    }
    const auto inputs = keyword_inputs(spider_page("a", text), 3, keyword_of);
    ASSERT_EQ(inputs.size(), static_cast<size_t>(links));
    for (int l = 0; l < links; ++l) {
      double expected[2] = {0, 0};
      for (const Place& p : places) {
        const int dist = l < p.first ? 1 + p.first - l : l > p.last ? 1 + l - p.last : 1;
        if (dist <= 3) expected[p.keyword] += 1.0 / dist;
      }
      double found[2] = {0, 0};
      for (const KeywordInput& in : inputs[static_cast<size_t>(l)]) found[in.keyword] = in.value;
      EXPECT_NEAR(found[0], expected[0], 1e-9) << text;
      EXPECT_NEAR(found[1], expected[1], 1e-9) << text;
    }
  }
}

}  // namespace
}  // namespace dowser
