#include "base/base64.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace dowser {
namespace {

TEST(Base64, examples_of_the_standard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(from_base64("Zm8="), "fo");
  EXPECT_EQ(from_base64("Zm8"), "fo");
}

TEST(Base64, all_bytes_come_back_and_other_letters_are_refused) {
  Random random(1);
  for (size_t size = 0; size < 100; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.next());
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
  }
  EXPECT_FALSE(from_base64("Zm9v YmFy"));
  EXPECT_FALSE(from_base64("Z"));
}

}  // namespace
}  // namespace dowser
