#include "base/bytes.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(Bytes, what_was_written_is_read_back_in_order) {
  ByteWriter writer;
  writer.number(uint32_t{7});
  writer.text("a\0b");
  writer.number(-0.25);
  writer.text("");
  writer.raw("xyz");
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.number<uint32_t>(), 7u);
  EXPECT_EQ(reader.text(), "a\0b");
  EXPECT_EQ(reader.number<double>(), -0.25);
  EXPECT_EQ(reader.text(), "");
  EXPECT_EQ(reader.raw(3), "xyz");
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, cut_bytes_are_noticed_and_never_read_beyond) {
  ByteWriter writer;
  writer.number(uint64_t{1});
  writer.text("long enough");
  for (size_t size = 0; size < writer.bytes().size(); ++size) {
    ByteReader reader(std::string_view(writer.bytes()).substr(0, size));
    reader.number<uint64_t>();
    reader.text();
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(Bytes, sortable_numbers_sort_as_numbers) {
  const uint64_t numbers[] = {0, 1, 255, 256, 1u << 31, UINT64_MAX};
  for (size_t i = 0; i + 1 < std::size(numbers); ++i) {
    EXPECT_LT(sortable(numbers[i]), sortable(numbers[i + 1]));
    EXPECT_EQ(from_sortable(sortable(numbers[i])), numbers[i]);
  }
}

}  // namespace
}  // namespace dowser
