#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "store/database.h"
#include "tests/made_schools.h"
#include "tests/support.h"

// What a crawl says of itself: the same numbers in JSON, in text and in the report, and a sentence
// that helps where it found less than expected.

namespace dowser {
namespace {

using nlohmann::json;

class AdviceOfCrawls : public testing::Test {
 protected:
  Ran crawl(const std::string& topic, const std::string& pages, std::vector<std::string> more) {
    std::vector<std::string> all = {"crawl",
                                    "--web",
                                    schools_.web(),
                                    "--seed",
                                    "http://schools-wikipedia.org/wp/e/Europe.htm",
                                    "--topic",
                                    topic,
                                    "--max-pages",
                                    pages,
                                    "--out"};
    all.insert(all.end(), more.begin(), more.end());
    return run_dowser(all);
  }

  TempDir dir_;
  const MadeSchools schools_;
};

TEST_F(AdviceOfCrawls, left_means_the_same_in_json_text_and_report) {
  for (const char* pages : {"150", "400"}) {
    const std::string out = dir_ / pages;
    const Ran ran = crawl("bird species feather nest wing", pages, {out, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json result = json::parse(ran.out), advice = result["advice"];
    const double found = advice["found"], left = advice["remaining"];
    EXPECT_EQ(found, result["relevant"].get<double>());
    EXPECT_NEAR(advice["recall"].get<double>(), found + left > 0 ? found / (found + left) : 1,
                1e-9);
    EXPECT_LE(advice["high"].get<double>(), result["waiting"].get<double>() + 1);
    const std::string report = *read_file(out + "/report.html");
    const Ran text = crawl("bird species feather nest wing", pages, {out + "text"});
    if (advice["can_tell"].get<bool>()) {
      const std::string range = fmt::format("({:.0f} to {:.0f})", advice["low"].get<double>(),
                                            advice["high"].get<double>());
      EXPECT_NE(report.find(fmt::format("{:.0f} <span>{}", left, range)), std::string::npos);
      EXPECT_NE(text.out.find(fmt::format("about {:.0f} can still be reached {}", left, range)),
                std::string::npos)
          << text.out;
    } else {
      EXPECT_NE(report.find("too early to estimate"), std::string::npos);
      EXPECT_NE(text.out.find("too early to estimate"), std::string::npos) << text.out;
    }
    EXPECT_NE(text.out.find(fmt::format("{:.0f} relevant page", found)), std::string::npos);
  }
}

// The verdicts at the end count: at fetch other pages may have seemed relevant.
TEST_F(AdviceOfCrawls, how_long_nothing_has_been_found_agrees_with_the_catalogue) {
  const std::string out = dir_ / "out";
  const Ran ran = crawl("bird species feather nest wing", "600", {out, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  Result<Database> database = Database::open(out + "/catalogue.sqlite");
  ASSERT_TRUE(database.ok());
  Result<Statement> row = database->prepare(
      "SELECT COUNT(*) FROM fetched WHERE id > (SELECT MAX(id) FROM found)");
  ASSERT_TRUE(row.ok() && *row->step());
  const std::string last = fmt::format("The last {} fetches found no", row->integer(0));
  const json result = json::parse(ran.out);
  ASSERT_GE(row->integer(0), 0.4 * result["fetched"].get<double>()) << "choose another crawl";
  EXPECT_NE(result["hints"].dump().find(last), std::string::npos) << result["hints"].dump();
}

TEST_F(AdviceOfCrawls, a_word_that_no_page_has_is_named) {
  const Ran ran = crawl("bird fether", "60", {dir_ / "out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("No page so far contains the word \"fether\""), std::string::npos)
      << ran.out;
  EXPECT_NE(read_file(dir_ / "out/report.html")->find("fether"), std::string::npos);
}

// The finds have "bird" and nothing else of what was asked for.
TEST_F(AdviceOfCrawls, finds_that_lack_the_words_of_the_topic_are_doubted) {
  const Ran ran = crawl("bird asyncio coroutine semaphore", "300", {dir_ / "out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("the crawl may be following another subject"), std::string::npos)
      << ran.err;
  EXPECT_NE(ran.out.find("they may be about another subject"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("have been found; the next thousand"), std::string::npos)
      << "advice about a subject that may be the wrong one: " << ran.out;
  EXPECT_NE(read_file(dir_ / "out/report.html")->find("they may be about another subject"),
            std::string::npos);
  const Ran good = crawl("bird nest feather wing beak", "300", {dir_ / "good"});
  EXPECT_EQ(good.err.find("another subject"), std::string::npos) << good.err;
  EXPECT_EQ(good.out.find("another subject"), std::string::npos) << good.out;
}

TEST_F(AdviceOfCrawls, a_crawl_without_a_find_says_what_to_try) {
  const Ran ran = crawl("zzyzx qwertz", "60", {dir_ / "out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("None of the 60 pages fetched seemed relevant then"), std::string::npos);
  EXPECT_EQ(ran.out.find("Most pages have been found"), std::string::npos);
}

TEST_F(AdviceOfCrawls, a_topic_of_stop_words_is_refused) {
  for (const char* topic : {"the of and", "der die das und"}) {
    const Ran ran = crawl(topic, "10", {dir_ / "out"});
    EXPECT_NE(ran.code, 0);
    EXPECT_NE(ran.err.find("only very common words"), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace dowser
