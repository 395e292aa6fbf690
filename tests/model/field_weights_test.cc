#include "model/field_weights.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(FieldWeights, its_text_form_says_what_is_not_usual) {
  EXPECT_EQ(FieldWeights().text(), "");
  const Result<FieldWeights> weights = FieldWeights::parse("  menu:2 title:7 ");
  ASSERT_TRUE(weights);
  EXPECT_EQ(weights->title, 7);
  EXPECT_EQ(weights->text(), "title:7 menu:2");
  EXPECT_EQ(*FieldWeights::parse(weights->text()), *weights);
}

TEST(FieldWeights, what_is_no_field_or_no_weight_is_refused) {
  EXPECT_NE(FieldWeights::parse("titel:3").error().message.find("titel"), std::string::npos);
  for (const char* text : {"title", "title:", "title:-1", "title:21", "title:x", "title:1.5"}) {
    EXPECT_FALSE(FieldWeights::parse(text)) << text;
  }
}

}  // namespace
}  // namespace dowser
