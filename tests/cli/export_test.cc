#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support.h"

namespace dowser {
namespace {

// Every table that `dowser export --help` offers can be written, in both forms.
TEST(Export, every_table_of_a_crawl_with_documents_can_be_written) {
  const TempDir dir;
  std::filesystem::create_directories(dir.path() / "site");
  ASSERT_TRUE(put_file(dir / "site/index.html",
                       "<title>papers</title><p>All papers about hidden models of browsing. "
                       "<a href=paper.tex>hidden models</a>"));
  ASSERT_TRUE(put_file(dir / "site/paper.tex",
                       "\\documentclass{article}\\title{Hidden Models}\\author{Ada Lovelace}"
                       "\\begin{document}\\maketitle\\begin{abstract}On hidden models."
                       "\\end{abstract}\\section{Introduction}Models of browsing are hidden."
                       "\\end{document}"));
  ASSERT_EQ(run_dowser({"pack", dir / "site", "--all", "--host", "papers.test", "--to",
                        dir / "web.warc.gz"})
                .code,
            0);
  const Ran crawled =
      run_dowser({"crawl", "--web", dir / "web.warc.gz", "--seed", "http://papers.test/index.html",
                  "--topic", "hidden models", "--documents", "yes", "--out", dir / "out"});
  ASSERT_EQ(crawled.code, 0) << crawled.err;
  const std::pair<std::string, std::string> tables[] = {{"pages", "http://papers.test/paper.tex"},
                                                        {"links", "paper.tex"},
                                                        {"documents", "Hidden Models"},
                                                        {"hosts", "papers.test"},
                                                        {"runs", "started"}};
  for (const auto& [table, part] : tables) {
    for (const std::string format : {"csv", "jsonl"}) {
      const Ran ran = run_dowser({"export", dir / "out", "--table", table, "--format", format});
      EXPECT_EQ(ran.code, 0) << table << " " << format << ": " << ran.err;
      EXPECT_NE(ran.out.find(part), std::string::npos) << table << " " << format << ": " << ran.out;
    }
  }
}

}  // namespace
}  // namespace dowser
