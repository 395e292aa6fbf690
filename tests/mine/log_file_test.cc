#include "mine/log_file.h"

#include <gtest/gtest.h>

#include "base/compress.h"
#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

std::vector<std::string> lines_of(const std::string& bytes, std::string* problem = nullptr) {
  TempDir folder;
  EXPECT_TRUE(put_file(folder / "log", bytes).ok());
  Result<LogFile> file = LogFile::open(folder / "log");
  EXPECT_TRUE(file.ok());
  std::vector<std::string> lines;
  while (const auto line = file->next()) lines.emplace_back(line->text);
  if (problem) *problem = file->error() ? file->error()->message : "";
  EXPECT_EQ(file->bytes_total(), bytes.size());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LogFile, gives_lines_without_their_ends) {
  EXPECT_EQ(lines_of("a\nb\r\n\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("x"), Lines{"x"});
}

TEST(LogFile, unpacks_gzip_of_several_members) {
  EXPECT_EQ(lines_of(gzip("a\nb") + gzip("c\nd\n")), (Lines{"a", "bc", "d"}));
  EXPECT_EQ(lines_of(gzip("")), Lines{});
}

TEST(LogFile, what_came_before_a_broken_place_is_read) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  const std::string packed = gzip(text);
  std::string problem;
  const Lines lines = lines_of(packed.substr(0, packed.size() / 2), &problem);
  EXPECT_GT(lines.size(), 5000u);
  EXPECT_NE(problem.find("cut"), std::string::npos) << problem;
  EXPECT_EQ(lines[100], "line 791900");
  EXPECT_EQ(lines_of(gzip("a\n") + "rubbish", &problem), Lines{"a"});
  EXPECT_NE(problem.find("broken"), std::string::npos) << problem;
}

TEST(LogFile, lines_longer_than_the_buffer_are_cut_and_the_next_one_is_whole) {
  for (const size_t size : {size_t{LogFile::kLongestLine}, size_t{LogFile::kLongestLine} + 1,
                            size_t{1} << 20, size_t{5} << 20}) {
    for (const bool packed : {false, true}) {
      const std::string text = "first\n" + std::string(size, 'x') + "\nlast\n";
      const Lines lines = lines_of(packed ? gzip(text) : text);
      ASSERT_EQ(lines.size(), 3u) << size;
      EXPECT_EQ(lines[0], "first");
      EXPECT_EQ(lines[1].size(), std::min(size, size_t{LogFile::kLongestLine}));
      EXPECT_EQ(lines[2], "last");
    }
  }
  EXPECT_EQ(lines_of(std::string(3 << 20, 'x')).size(), 1u);
}

TEST(LogFile, zeros_in_front_of_a_line_are_passed_over) {
  const std::string zeros(3 << 20, '\0');
  EXPECT_EQ(lines_of("a\n" + zeros + "b\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(gzip(zeros + "a\n" + zeros)), Lines{"a"});
  EXPECT_EQ(lines_of(zeros), Lines{});
}

TEST(LogFile, many_lines_across_buffers_are_all_there) {
  std::string text;
  Lines expected;
  for (int i = 0; i < 100'000; ++i) {
    expected.push_back(std::string(static_cast<size_t>(i % 50), 'y') + std::to_string(i));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(lines_of(text), expected);
  EXPECT_EQ(lines_of(gzip(text)), expected);
}

TEST(LogFile, a_folder_or_a_missing_file_is_told) {
  TempDir folder;
  EXPECT_FALSE(LogFile::open(folder.path()).ok());
  EXPECT_FALSE(LogFile::open(folder / "none").ok());
}

}  // namespace
}  // namespace dowser
