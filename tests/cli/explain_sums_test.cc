#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

// Every page of a crawl: what its words added is what it has.
void expect_sums(const std::string& folder, size_t least_pages) {
  Result<Database> db = Database::open(folder + "/catalogue.sqlite");
  ASSERT_TRUE(db) << db.error().message;
  Result<Statement> rows = db->prepare("SELECT url, relevance, reasons FROM pages");
  ASSERT_TRUE(rows);
  size_t pages = 0, with_words = 0;
  while (*rows->step()) {
    ++pages;
    double sum = 0;
    if (!rows->is_null(2)) {
      for (const json& reason : json::parse(rows->text(2))) {
        sum += reason[1].get<double>();
        with_words += reason[0].get<std::string>()[0] != '(';
      }
    }
    EXPECT_NEAR(sum, rows->real(1), 1e-6) << rows->text(0);
  }
  EXPECT_GE(pages, least_pages);
  EXPECT_GT(with_words, pages);
}

TEST(ExplainSums, on_500_pages_of_each_of_three_crawls) {
  const auto schools = test_data("schools.warc.gz"), webkb = test_data("webkb.warc.gz");
  if (!schools || !webkb) GTEST_SKIP() << kNoData;
  const TempDir dir;
  const std::string wiki = "http://schools-wikipedia.org/wp/";
  const std::vector<std::vector<std::string>> crawls = {
      {"--web", schools->string(), "--seed", wiki + "e/Europe.htm", "--topic",
       "bird species feather nest wing"},
      {"--web", schools->string(), "--seed", wiki + "e/Europe.htm", "--example",
       wiki + "v/Volcano.htm", "--example", wiki + "g/Granite.htm", "--example",
       wiki + "e/Earthquake.htm"},
      {"--web", webkb->string(), "--seed", "http://www.cs.cornell.edu/", "--topic",
       "homework lecture syllabus exam"}};
  int number = 0;
  for (std::vector<std::string> arguments : crawls) {
    const std::string out = dir / ("crawl" + std::to_string(number++));
    arguments.insert(arguments.begin(), "crawl");
    for (const char* more : {"--max-pages", "500", "--out"}) arguments.push_back(more);
    arguments.push_back(out);
    const Ran ran = run_dowser(arguments);
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_sums(out, 500);
  }
}

}  // namespace
}  // namespace dowser
