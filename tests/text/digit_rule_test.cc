#include "text/digit_rule.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(DigitRule, drops_or_keeps_all_digits) {
  EXPECT_TRUE(DigitRule().accepts("no digits"));
  EXPECT_FALSE(DigitRule().accepts("WWW10"));
  EXPECT_FALSE(DigitRule().accepts("12 May 2004"));
  EXPECT_TRUE(DigitRule::make(DigitRule::Kind::kKeep, {})->accepts("WWW10"));
}

TEST(DigitRule, dates_and_times_can_be_kept) {
  const auto rule = DigitRule::make(DigitRule::Kind::kDropButDates, {});
  ASSERT_TRUE(rule.ok());
  for (const char* text : {"2004-12-23", "23.12.2004", "12/23/04", "23 December 2004",
                           "the 3rd of May", "December 23, 2004", "Dec 2004", "18:00",
                           "at 6:00:15 pm", "6 pm", "history since 1848", "no digits"}) {
    EXPECT_TRUE(rule->accepts(text)) << text;
  }
  for (const char* text : {"WWW10", "KDD2003", "room 12", "12345", "part 3 of 2004-12-23"}) {
    EXPECT_FALSE(rule->accepts(text)) << text;
  }
}

TEST(DigitRule, patterns_of_ones_own_are_kept_as_well) {
  const std::string patterns[] = {R"(\bmp[34]\b)"};
  const auto rule = DigitRule::make(DigitRule::Kind::kDropButDates, patterns);
  ASSERT_TRUE(rule.ok());
  EXPECT_TRUE(rule->accepts("MP3 files of 1998"));
  EXPECT_FALSE(rule->accepts("mp5"));
  EXPECT_FALSE(rule->accepts("mp3 " + std::string(5000, 'x')));
  const std::string wrong[] = {"("};
  const auto bad = DigitRule::make(DigitRule::Kind::kDropButDates, wrong);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "'(' is no regular expression");
}

}  // namespace
}  // namespace dowser
