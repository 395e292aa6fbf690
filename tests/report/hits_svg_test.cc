#include "report/hits_svg.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(HitsSvg, signatures_of_the_same_words_have_different_labels) {
  EXPECT_EQ(label_of_signature("tr_owl_nest_egg_1"), "owl nest egg");
  EXPECT_EQ(label_of_signature("tr_owl_nest_egg_2"), "owl nest egg (2)");
  EXPECT_EQ(words_of_signature("tr_owl_nest_egg_2"), "owl nest egg");
  EXPECT_EQ(label_of_signature("egg"), "egg");  // a word, as a column of its own
  EXPECT_EQ(label_of_signature(""), "");
}

}  // namespace
}  // namespace dowser
