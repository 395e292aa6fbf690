#include "text/number_forms.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(NumberForms, are_the_word_and_its_regular_plural_or_singular) {
  const auto other = [](std::string_view word) {
    const auto forms = number_forms(word);
    return forms.size() == 2 ? forms[1] : std::string();
  };
  EXPECT_EQ(number_forms("network").front(), "network");
  EXPECT_EQ(other("network"), "networks");
  EXPECT_EQ(other("networks"), "network");
  EXPECT_EQ(other("theory"), "theories");
  EXPECT_EQ(other("theories"), "theory");
  EXPECT_EQ(other("key"), "keys");
  EXPECT_EQ(other("class"), "classes");
  EXPECT_EQ(other("classes"), "class");
  EXPECT_EQ(other("searches"), "search");
  EXPECT_EQ(other("expressions"), "expression");
  EXPECT_EQ(other("cases"), "case");
  EXPECT_EQ(other("analysis"), "analysises");  // which nobody writes
  EXPECT_EQ(other("c"), "");
  EXPECT_EQ(other(""), "");
  EXPECT_EQ(other("über"), "übers");
}

}  // namespace
}  // namespace dowser
