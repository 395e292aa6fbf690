#include "run/archived_pages.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace dowser {
namespace {

// The records of a page may continue in the next file of the archive. It was once reported as
// missing where the file before it had been cut.
TEST(ArchivedPages, a_file_that_ends_too_early_is_named_and_not_the_next_one) {
  const TempDir dir;
  ASSERT_TRUE(put_file(dir / "crawl-00000.warc.gz", "nobody else has written this\n"));
  ArchivedPages pages(dir.path());
  const auto answer = pages.answer("crawl-00000.warc.gz", 1000);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message,
            (dir / "crawl-00000.warc.gz") + " ends before all records of the page at byte 1000");
  EXPECT_FALSE(pages.status().ok()) << "it is not a single damaged record";
}

}  // namespace
}  // namespace dowser
