#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "store/database.h"
#include "tests/support.h"

// Verdicts at the end of a crawl, and what a person can change about them, through the real program
// and on Wikipedia for Schools.

namespace dowser {
namespace {

constexpr char kHost[] = "http://schools-wikipedia.org/wp/";

// All rows of pages, links and hosts, and the judge.
std::string tables(const std::string& folder) {
  Result<Database> database = Database::open(folder + "/catalogue.sqlite");
  EXPECT_TRUE(database.ok());
  std::string all;
  for (const char* table : {"pages", "links", "hosts", "judged", "sums"}) {
    const bool is_sums = std::string_view(table) == "sums";  // those of runs hold times
    Result<Statement> rows = database->prepare(
        fmt::format("SELECT * FROM {}{}", table, is_sums ? " WHERE page >= 0 ORDER BY page" : ""));
    EXPECT_TRUE(rows.ok());
    while (*rows->step()) {
      for (int i = 0; i < rows->columns(); ++i) all += rows->text(i) + "|";
      all += "\n";
    }
  }
  return all + *read_file(folder + "/judge.model");
}

double number(const std::string& folder, const std::string& sql) {
  Result<Database> database = Database::open(folder + "/catalogue.sqlite");
  EXPECT_TRUE(database.ok());
  Result<Statement> row = database->prepare(sql);
  EXPECT_TRUE(row.ok()) << sql;
  EXPECT_TRUE(*row->step());
  return row->real(0);
}

class Rejudge : public testing::Test {
 protected:
  void SetUp() override {
    const auto web = test_data("schools.warc.gz");
    if (!web) GTEST_SKIP() << kNoData;
    web_ = web->string();
  }

  // A crawl of 150 pages for birds.
  Ran crawl(const std::string& folder, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"crawl",
                                          "--web",
                                          web_,
                                          "--seed",
                                          std::string(kHost) + "b/Bird.htm",
                                          "--topic",
                                          "bird feather nest wing beak",
                                          "--max-pages",
                                          "150",
                                          "--out",
                                          folder};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dowser(arguments);
  }

  std::string web_;
  TempDir dir_;
};

TEST_F(Rejudge, every_page_is_judged_again_at_the_end_and_the_first_verdict_is_kept) {
  const std::string folder = dir_ / "birds";
  ASSERT_EQ(crawl(folder).code, 0);
  EXPECT_EQ(number(folder, "SELECT COUNT(*) FROM pages WHERE relevance_at_fetch IS NULL"), 0);
  EXPECT_GT(number(folder, "SELECT COUNT(*) FROM pages WHERE relevance != relevance_at_fetch"),
            100);
  EXPECT_EQ(number(folder, "SELECT SUM(relevant != (relevance >= threshold)) FROM pages, judged"),
            0);
  EXPECT_EQ(number(folder, "SELECT SUM(relevant) FROM hosts"),
            number(folder, "SELECT COUNT(*) FROM found"));
  // Found by its owner: these were "not relevant" to birds.
  for (const char* page : {"c/Crow.htm", "p/Parrot.htm", "p/Penguin.htm", "s/Swan.htm"}) {
    EXPECT_EQ(number(folder, fmt::format("SELECT COALESCE(MIN(relevant), 1) FROM pages WHERE url = "
                                         "'{}{}'",
                                         kHost, page)),
              1)
        << page;
  }
  const Ran checked = run_dowser({"check", folder});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
}

TEST_F(Rejudge, twice_gives_the_same_bytes) {
  const std::string folder = dir_ / "birds";
  ASSERT_EQ(crawl(folder).code, 0);
  const std::string first = tables(folder);
  Ran again = run_dowser({"rejudge", folder});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(tables(folder), first);
  ASSERT_EQ(run_dowser({"rejudge", folder, "--threshold", "0.7"}).code, 0);
  const std::string strict = tables(folder);
  EXPECT_NE(strict, first);
  EXPECT_EQ(number(folder, "SELECT SUM(relevant != (relevance >= 0.7)) FROM pages"), 0);
  ASSERT_EQ(run_dowser({"rejudge", folder}).code, 0);  // the threshold is kept
  EXPECT_EQ(tables(folder), strict);
  ASSERT_EQ(run_dowser({"rejudge", folder, "--threshold", "auto"}).code, 0);
  EXPECT_EQ(tables(folder), first);
  EXPECT_EQ(run_dowser({"check", folder}).code, 0);
}

TEST_F(Rejudge, by_another_topic_or_judge_is_offline) {
  const std::string folder = dir_ / "birds";
  ASSERT_EQ(crawl(folder).code, 0);
  const std::string archive = run_dowser({"inspect", "archive", folder + "/archive"}).out;
  ASSERT_EQ(run_dowser({"rejudge", folder, "--judge", "keyword(mode=all)", "--topic", "egg"}).code,
            0);
  EXPECT_EQ(number(folder, "SELECT SUM(relevant != (relevance > 0)) FROM pages"), 0);
  EXPECT_EQ(run_dowser({"inspect", "archive", folder + "/archive"}).out, archive);
  const Ran unknown =
      run_dowser({"rejudge", folder, "--example", std::string(kHost) + "z/None.htm"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("nothing is fetched here"), std::string::npos) << unknown.err;
}

TEST_F(Rejudge, marks_are_labels_and_teach) {
  const std::string folder = dir_ / "birds", crow = std::string(kHost) + "c/Crow.htm";
  ASSERT_EQ(crawl(folder).code, 0);
  const std::string bird = std::string(kHost) + "b/Bird.htm";
  ASSERT_EQ(number(folder, fmt::format("SELECT COUNT(*) FROM pages WHERE url = '{}'", bird)), 1);
  const Ran ran = run_dowser({"rejudge", folder, "--not-example", bird});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(
      number(folder, fmt::format("SELECT relevant = 0 AND relevance = 0 AND label = 'useless' "
                                 "FROM pages WHERE url = '{}'",
                                 bird)),
      1);
  EXPECT_EQ(number(folder, "SELECT COUNT(*) FROM pages WHERE label IS NOT NULL"), 1);
}

TEST_F(Rejudge, the_judge_of_a_crawl_can_be_asked) {
  const std::string folder = dir_ / "birds";
  ASSERT_EQ(crawl(folder).code, 0);
  const std::string bird = std::string(kHost) + "b/Bird.htm";
  const Ran asked = run_dowser({"judge", "--crawl", folder, "--web", web_, bird, "--json"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  const auto json = nlohmann::json::parse(asked.out);
  EXPECT_DOUBLE_EQ(
      json["pages"][0]["relevance"].get<double>(),
      number(folder, fmt::format("SELECT relevance FROM pages WHERE url = '{}'", bird)));
  EXPECT_EQ(run_dowser({"judge", "--crawl", folder, "--topic", "x", bird}).code, 2);
  EXPECT_EQ(run_dowser({"judge", "--crawl", dir_ / "none", "--web", web_, bird}).code, 1);
}

// Killed while all pages are judged again, and resumed or judged again: the same catalogue.
TEST_F(Rejudge, killed_in_the_middle_leaves_all_or_nothing) {
  const std::string whole = dir_ / "whole", killed = dir_ / "killed";
  ASSERT_EQ(crawl(whole).code, 0);
  ASSERT_EQ(crawl(killed).code, 0);
  const std::string expected = tables(whole);
  ASSERT_EQ(tables(killed), expected);
  for (const int milliseconds : {30, 60, 90, 120, 160, 200}) {
    DowserProcess process({"rejudge", killed, "--threshold", "0.6"});
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    process.signal(SIGKILL);
    process.wait();
    EXPECT_EQ(run_dowser({"check", killed}).code, 0);
  }
  const Ran again = run_dowser({"rejudge", killed, "--threshold", "auto"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(tables(killed), expected);
}

// A counter-example moves the pages like it down in the frontier.
TEST_F(Rejudge, resume_with_a_counter_example_moves_pages_like_it_down) {
  const std::string plain = dir_ / "plain", taught = dir_ / "taught";
  for (const std::string& folder : {plain, taught}) {
    ASSERT_EQ(
        run_dowser({"crawl", "--web", web_, "--seed", std::string(kHost) + "a/Animal.htm",
                    "--topic", "animal species habitat", "--max-pages", "100", "--out", folder})
            .code,
        0);
  }
  // Whatever was found of dinosaurs is not meant.
  const std::string dinosaur = std::string(kHost) + "d/Dinosaur.htm";
  ASSERT_EQ(run_dowser({"resume", plain, "--max-pages", "250"}).code, 0);
  const Ran ran = run_dowser({"resume", taught, "--max-pages", "250", "--not-example", dinosaur});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string like_it =
      "SELECT COUNT(*) FROM pages WHERE id >= 100 AND (title LIKE '%saur%' OR title LIKE "
      "'%dinosaur%' OR title LIKE '%Cretaceous%' OR title LIKE '%Jurassic%' OR title LIKE "
      "'%Triassic%')";
  const double before = number(plain, like_it), after = number(taught, like_it);
  RecordProperty("before", static_cast<int>(before));
  RecordProperty("after", static_cast<int>(after));
  EXPECT_GT(before, 0);
  EXPECT_LT(after, before);
}

}  // namespace
}  // namespace dowser
