#include <gtest/gtest.h>

#include <csignal>

#include "tests/made_schools.h"
#include "tests/support.h"

// Ctrl-C in commands that take long: exit 130, and nothing is half-written.

namespace dowser {
namespace {

class Interrupt : public testing::Test {
 protected:
  Ran interrupted(const std::vector<std::string>& arguments) {
    DowserProcess process(arguments);
    process.wait_until_it_handles(SIGINT);
    process.signal(SIGINT);
    return process.wait();
  }

  bool is_empty() const { return std::filesystem::is_empty(dir_.path()); }

  TempDir dir_;
  const std::optional<std::filesystem::path> web_ = test_data("schools.warc.gz");
  const std::optional<std::filesystem::path> labels_ = test_data("schools-labels.tsv");
};

TEST_F(Interrupt, compare_leaves_no_folder) {
  const MadeSchools schools;
  const Ran ran = interrupted({"compare", "--web", schools.web(), "--labels", schools.labels(),
                               "--strategies", "breadth-first; best-first", "--budget", "100",
                               "--draws", "20000", "--out", dir_ / "out"});
  EXPECT_EQ(ran.code, 130) << ran.err;
  // The signal may come before the command has begun.
  if (ran.err != "dowser: interrupted\n") {
    EXPECT_NE(ran.err.find("dowser compare: interrupted; nothing was written\n"), std::string::npos)
        << ran.err;
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(Interrupt, learn_leaves_no_model) {
  if (!web_ || !labels_) GTEST_SKIP() << kNoData;
  const Ran ran =
      interrupted({"learn", "svm", "--web", web_->string(), "--labels", labels_->string(), "--good",
                   "birds", "--folds", "50", "--to", dir_ / "model.json"});
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_TRUE(is_empty());
}

TEST_F(Interrupt, export_leaves_no_file) {
  const MadeSchools schools;
  const Ran crawled =
      run_dowser({"crawl", "--web", schools.web(), "--seed",
                  "http://schools-wikipedia.org/wp/e/Europe.htm", "--topic", "bird", "--strategy",
                  "breadth-first", "--max-pages", "20", "--out", dir_ / "crawl"});
  ASSERT_EQ(crawled.code, 0) << crawled.err;
  const Ran ran = run_dowser({"export", dir_ / "crawl", "--to", dir_ / "pages.jsonl"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(std::filesystem::exists(dir_ / "pages.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "pages.jsonl.new"));
}

}  // namespace
}  // namespace dowser
