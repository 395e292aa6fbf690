#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/file.h"
#include "tests/support.h"

// What the documents say about themselves. Their command lines run in tests/docs.

namespace dowser {
namespace {

namespace fs = std::filesystem;

// The tests do not repeat measurements that take minutes or hours. So a reader must be told how old
// they are.
TEST(Documents, a_page_with_figures_of_a_benchmark_says_when_they_were_measured) {
  const std::regex benchmark("bench/[a-z]"),
      month(
          "(January|February|March|April|May|June|July|August|September|October|November|December)"
          "\\s20[0-9]{2}");
  size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(source_dir() / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const auto text = read_file(entry.path());
    ASSERT_TRUE(text.ok());
    if (!std::regex_search(*text, benchmark)) continue;
    ++pages;
    EXPECT_TRUE(std::regex_search(*text, month)) << entry.path();
  }
  EXPECT_GE(pages, 5u);
}

}  // namespace
}  // namespace dowser
