#include "background/background.h"

#include <gtest/gtest.h>

#include "text/terms.h"

namespace dowser {
namespace {

double share(std::string_view word, std::string_view language) {
  const std::vector<TermId> terms = term_ids(word, language);
  return terms.size() == 1 ? background_share(terms[0]) : -1;
}

TEST(Background, is_a_table_of_rising_terms_and_shares_from_0_to_1) {
  const BackgroundTable table = background_table();
  ASSERT_EQ(table.terms.size(), table.levels.size());
  EXPECT_LE(table.terms.size(), 100'000u);
  for (size_t i = 0; i < table.terms.size(); ++i) {
    if (i > 0) {
      ASSERT_LT(table.terms[i - 1], table.terms[i]);
    }
    const double share = background_share(table.terms[i]);
    ASSERT_EQ(share, share_of_level(table.levels[i]));
    ASSERT_GT(share, 0);
    ASSERT_LE(share, 1);
  }
}

TEST(Background, a_word_that_nobody_uses_has_no_share) { EXPECT_EQ(share("xqzzyplugh", "en"), 0); }

TEST(Background, a_share_comes_back_from_its_byte_within_two_percent) {
  for (double share = 0.0002; share <= 1; share *= 1.01) {
    EXPECT_NEAR(share_of_level(level_of_share(share)) / share, 1, 0.02);
  }
  EXPECT_EQ(level_of_share(1e-9), 255);
}

TEST(Background, knows_the_common_words_of_many_languages) {
  if (background_table().terms.empty()) GTEST_SKIP() << "none of its packages is installed";
  struct Pair {
    std::string_view language, common, rare;
  };
  for (const Pair& pair : {Pair{"en", "time", "trombone"}, Pair{"de", "Zeit", "Posaune"},
                           Pair{"fr", "temps", "trombone"}, Pair{"es", "tiempo", "albatros"},
                           Pair{"tr", "zaman", "penguen"}, Pair{"ja", "時間", "竜巻"}}) {
    EXPECT_GT(share(pair.common, pair.language), 0.01) << pair.common;
    EXPECT_GT(share(pair.common, pair.language), 3 * share(pair.rare, pair.language)) << pair.rare;
  }
}

}  // namespace
}  // namespace dowser
