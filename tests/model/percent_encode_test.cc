#include "model/percent_encode.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dowser {
namespace {

std::string normalised(std::string_view text) {
  std::string out;
  append_percent_normalised(out, text);
  return out;
}

TEST(PercentEncode, encodes_what_the_part_demands) {
  const auto encoded = [](EncodeSet set) {
    std::string out;
    append_percent_encoded(out, " \"#'/<>?@[\\]^`{|}~\x7F\u00FC", set);
    return out;
  };
  EXPECT_EQ(encoded(EncodeSet::kC0Control), " \"#'/<>?@[\\]^`{|}~%7F%C3%BC");
  EXPECT_EQ(encoded(EncodeSet::kFragment), "%20%22#'/%3C%3E?@[\\]^%60{|}~%7F%C3%BC");
  EXPECT_EQ(encoded(EncodeSet::kQuery), "%20%22%23'/%3C%3E?@[\\]^`{|}~%7F%C3%BC");
  EXPECT_EQ(encoded(EncodeSet::kSpecialQuery), "%20%22%23%27/%3C%3E?@[\\]^`{|}~%7F%C3%BC");
  EXPECT_EQ(encoded(EncodeSet::kPath), "%20%22%23'/%3C%3E%3F@[\\]%5E%60%7B|%7D~%7F%C3%BC");
  EXPECT_EQ(encoded(EncodeSet::kUserinfo),
            "%20%22%23'%2F%3C%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D~%7F%C3%BC");
}

TEST(PercentEncode, decoding_leaves_what_is_no_escape) {
  EXPECT_EQ(percent_decode("%41%zz%4%"), "A%zz%4%");
  EXPECT_EQ(percent_decode("%C3%bc%00"), std::string("\u00FC\0", 3));
}

TEST(PercentEncode, normalising_decodes_only_what_never_needs_encoding) {
  EXPECT_EQ(normalised("%7euser%2f%c3%bc%41%2E"), "~user%2F%C3%BCA.");
  EXPECT_EQ(normalised("100%/a%zz"), "100%/a%zz");
}

TEST(PercentEncode, normalising_makes_no_new_escapes) {
  EXPECT_EQ(normalised("%2%65"), "%2%65");
  EXPECT_EQ(normalised("%%32e"), "%%32e");
  EXPECT_EQ(normalised("%2541"), "%2541");
}

RC_GTEST_PROP(PercentEncode, normalising_twice_is_normalising_once, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::element('%', '2', '5', '4', 'e', 'E', 'g', '/', '6'));
  const std::string once = normalised(text);
  RC_ASSERT(normalised(once) == once);
  RC_ASSERT(percent_decode(once) == percent_decode(text));
}

}  // namespace
}  // namespace dowser
