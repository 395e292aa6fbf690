#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "tests/support.h"

// A file that a person names may be a device without an end, by mistake. Each command says so in a
// sentence, before its memory is full.

namespace dowser {
namespace {

TEST(EndlessFiles, each_command_refuses_them_in_a_sentence) {
  const TempDir dir;
  const std::string page = dir / "page.html", labels = dir / "labels.tsv";
  const std::string web = dir / "web.warc.gz", to = dir / "new";
  ASSERT_TRUE(put_file(page, "<title>Birds</title><p>birds build nests"));
  ASSERT_TRUE(put_file(labels, "http://a.test/index.html\tbird\n"));
  std::filesystem::create_directory(dir / "site");
  ASSERT_TRUE(put_file(dir / "site/index.html", "<p>birds build nests").ok());
  ASSERT_EQ(run_dowser({"pack", dir / "site", "--host", "a.test", "--to", web}).code, 0);
  const std::string seed = "http://a.test/index.html", zero = "/dev/zero";
  const std::vector<std::vector<std::string>> lines = {
      {"crawl", "--config", zero, "--out", to},
      {"crawl", "--web", web, "--seeds", zero, "--topic", "bird", "--out", to},
      {"crawl", "--web", web, "--seed", seed, "--topic", "bird", "--profile", zero, "--out", to},
      {"crawl", "--web", web, "--seed", seed, "--model", zero, "--out", to},
      {"crawl", "--web", web, "--seed", seed, "--example", zero, "--out", to},
      {"compare", "--web", web, "--labels", zero, "--out", to},
      {"compare", "--web", web, "--labels", labels, "--seeds", zero, "--out", to},
      {"inspect", "robots", zero},
      {"inspect", "model", zero},
      {"inspect", "document", zero},
      {"inspect", "page", zero},
      {"judge", zero, "--topic", "bird"},
      {"judge", page, "--model", zero},
      {"learn", "bayes", "--labels", zero, "--web", web, "--good", "bird", "--to", to},
      {"learn", "bayes", "--labels", labels, "--tree", zero, "--web", web, "--good", "bird", "--to",
       to},
      {"learn", "hmm", zero, "--to", to},
      {"seeds", "--queries", zero, "--provider", "json(file=" + zero + ")"},
      {"session", "import", zero, "--web", web, "--to", to},
      {"session", "show", zero},
      {"signature", "keywords", "--training", zero, "--background", zero, "--to", to},
      {"topics", "--counts", zero},
      {"topics", "bird", "--from", zero},
      {"usage", zero, "--site", "a.test"},
  };
  for (const std::vector<std::string>& line : lines) {
    std::string words;
    for (const std::string& word : line) words += word + " ";
    const Ran ran = run_dowser(line);
    EXPECT_TRUE(ran.code == 1 || ran.code == 2) << words << ran.code << ran.err;
    EXPECT_NE(ran.err.find("/dev/zero"), std::string::npos) << words << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << words << ran.err;
    EXPECT_FALSE(std::filesystem::exists(to)) << words;
  }
}

}  // namespace
}  // namespace dowser
