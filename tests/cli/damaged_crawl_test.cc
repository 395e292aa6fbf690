#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "tests/support.h"

// A crawl whose files were lost or replaced: each command that reads it refuses with a sentence
// that says what to do.

namespace dowser {
namespace {

namespace fs = std::filesystem;

class DamagedCrawl : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(dir_ / "site");
    for (const std::string name : {"0", "1", "2"}) {
      ASSERT_TRUE(put_file(dir_.path() / "site" / (name + ".html"),
                           "<title>Birds</title><p>birds build nests <a href=1.html>one</a> "
                           "<a href=2.html>two</a> number " +
                               name)
                      .ok());
    }
    ASSERT_EQ(run_dowser({"pack", dir_ / "site", "--host", "a.test", "--to", web_}).code, 0);
    ASSERT_EQ(run_dowser({"crawl", "--web", web_, "--seed", "http://a.test/0.html", "--topic",
                          "bird", "--out", crawl_})
                  .code,
              0);
    fs::copy(crawl_, dir_ / "other", fs::copy_options::recursive);
  }

  void expect_advice(const std::vector<std::string>& line, const std::string& advice) const {
    const Ran ran = run_dowser(line);
    std::string words;
    for (const std::string& word : line) words += word + " ";
    EXPECT_EQ(ran.code, 1) << words;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << words << ran.err;
    EXPECT_NE(ran.err.find(advice), std::string::npos) << words << ran.err;
  }

  TempDir dir_;
  const std::string web_ = dir_ / "web.warc.gz", crawl_ = dir_ / "crawl";
};

TEST_F(DamagedCrawl, a_catalogue_that_is_none_is_refused_with_the_command_that_finds_the_cause) {
  const std::string other = dir_ / "other", advice = "dowser check " + crawl_;
  ASSERT_TRUE(put_file(crawl_ + "/catalogue.sqlite", "nobody else has written this\n"));
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{"export", crawl_},
                                             {"explain", crawl_, "http://a.test/0.html"},
                                             {"search", crawl_, "bird"},
                                             {"annotate", crawl_, "http://a.test/0.html", "a note"},
                                             {"stats", crawl_},
                                             {"rank", crawl_},
                                             {"diff", other, crawl_}}) {
    expect_advice(line, advice);
  }
}

TEST_F(DamagedCrawl, a_link_in_the_archive_that_leads_nowhere_is_named) {
  const std::string file = crawl_ + "/archive/crawl-00000.warc.gz";
  fs::remove(file);
  fs::create_symlink(dir_.path() / "nowhere", file);
  expect_advice({"topics", "bird", "--from", crawl_}, file + " is a link to a file that is not");
}

}  // namespace
}  // namespace dowser
