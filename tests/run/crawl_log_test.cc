#include "run/crawl_log.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

TEST(CrawlLog, a_line_that_cannot_be_written_is_remembered_and_ends_nothing) {
  Result<CrawlLog> log = CrawlLog::open("/dev/full");
  ASSERT_TRUE(log.ok());
  EXPECT_FALSE(log->has_failed());
  log->note("begins");
  EXPECT_TRUE(log->has_failed());
}

TEST(CrawlLog, a_symbolic_link_is_not_followed) {
  const TempDir dir;
  ASSERT_TRUE(put_file(dir / "start-up", "echo hello\n"));
  std::filesystem::create_symlink("start-up", dir / "crawl.log");
  EXPECT_FALSE(CrawlLog::open(dir / "crawl.log").ok());
  EXPECT_EQ(*read_file(dir / "start-up"), "echo hello\n");
}

}  // namespace
}  // namespace dowser
