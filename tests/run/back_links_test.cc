#include "run/back_links.h"

#include <gtest/gtest.h>

#include <set>

#include "archive/warc_writer.h"
#include "run/earlier_crawls.h"
#include "run/run.h"
#include "tests/support.h"

namespace dowser {
namespace {

Url url(const std::string& name) { return *Url::parse("http://w.test/" + name); }

// A web in an archive: far -> near -> moved => target, other -> target, and target -> far.
class BackLinksTest : public testing::Test {
 protected:
  void SetUp() override {
    WarcWriter writer({.folder = dir_.path() / "archive", .prefix = "crawl"});
    const auto page = [&](const std::string& name, const std::string& links) {
      write(writer, name, 200, "<p>lighthouse " + name + links);
    };
    page("target", " <a href=far>far</a>");
    page("near", " <a href=moved>x</a>");
    page("far", " <a href=near#part>x</a>");
    page("other", " <a href=http://www.w.test/target/>x</a> <a href=near>x</a>");
    page("stranger", " <a href=target rel=nofollow>x</a> <a href=elsewhere>x</a>");
    write(writer, "moved", 301, "", "/target");
    write(writer, "gone", 404, "<a href=target>x</a>");
  }

  static void write(WarcWriter& writer, const std::string& name, int status,
                    const std::string& body, const std::string& location = "") {
    Response response;
    response.url = url(name);
    response.status = status;
    response.reason = "-";
    response.headers.add("Content-Type", "text/html");
    if (!location.empty()) response.headers.add("Location", location);
    response.fetched_at = Time{1'000'000'000'000'000};
    response.body = body;
    ASSERT_TRUE(writer.write(response_record(response)).ok());
  }

  BackLinks read() const {
    const std::vector<std::string> places = {dir_.path().string()};
    return std::move(*BackLinks::read(*archive_files(places)));
  }

  static std::vector<std::set<std::string>> names(const PageLayers& layers) {
    std::vector<std::set<std::string>> names;
    for (const auto& layer : layers) {
      names.emplace_back();
      for (const Page* page : layer) names.back().insert(std::string(page->url.path().substr(1)));
    }
    return names;
  }
  static std::vector<Page> example(const std::string& name) {
    Page page;
    page.url = url(name);
    return {page};
  }

  TempDir dir_;
};

TEST_F(BackLinksTest, a_layer_holds_the_pages_that_link_to_the_one_before_it) {
  BackLinks links = read();
  const PageLayers layers = links.layers_around(example("target"), 4, 300);
  using Layer = std::set<std::string>;
  EXPECT_EQ(names(layers), (std::vector<Layer>{{"near", "other"}, {"far"}, {}, {}}));
  EXPECT_FALSE(layers[1][0]->terms.empty());  // whole pages
  EXPECT_NE(layers[1][0]->text.find("lighthouse"), std::string::npos);
  EXPECT_EQ(layers, links.layers_around(example("target"), 4, 300));  // the very pages
}

TEST_F(BackLinksTest, an_example_may_be_named_by_what_leads_to_it_or_be_no_page_of_the_archive) {
  BackLinks links = read();
  using Layer = std::set<std::string>;
  EXPECT_EQ(names(links.layers_around(example("moved"), 1, 300)),
            (std::vector<Layer>{{"near", "other"}}));
  EXPECT_EQ(names(links.layers_around(example("elsewhere"), 1, 300)),
            (std::vector<Layer>{{"stranger"}}));
  EXPECT_EQ(names(links.layers_around(example("unheard-of"), 2, 300)),
            (std::vector<Layer>{{}, {}}));
}

TEST_F(BackLinksTest, a_layer_has_no_more_pages_than_wanted_and_the_next_is_still_whole) {
  BackLinks links = read();
  const PageLayers layers = links.layers_around(example("target"), 2, 1);
  EXPECT_EQ(layers[0].size(), 1u);
  EXPECT_EQ(layers[1].size(), 1u);
  BackLinks again = read();
  EXPECT_EQ(names(layers), names(again.layers_around(example("target"), 2, 1)));
}

TEST_F(BackLinksTest, places_are_archives_or_folders_of_crawls) {
  const std::vector<std::string> file = {dir_ / "archive/crawl-00000.warc.gz"};
  EXPECT_EQ(archive_files(file)->size(), 1u);
  const std::vector<std::string> both = {dir_.path().string(), file.front()};
  EXPECT_EQ(archive_files(both)->size(), 2u);
  const std::vector<std::string> neither = {dir_ / "nothing"};
  ASSERT_FALSE(archive_files(neither).ok());
  EXPECT_NE(archive_files(neither).error().message.find("nor the folder of a crawl"),
            std::string::npos);
}

class EarlierCrawlTest : public BackLinksTest {
 protected:
  CrawlConfig config(const std::string& name) const {
    CrawlConfig config;
    config.web = {dir_ / "archive/crawl-00000.warc.gz"};
    config.seeds = {"http://w.test/target"};
    config.topic = "lighthouse target";
    config.out = dir_ / name;
    return config;
  }
  static Result<RunResult> run(const CrawlConfig& config) { return run_crawl(config); }
};

TEST_F(EarlierCrawlTest, what_was_found_is_known_best_first_and_once) {
  ASSERT_TRUE(run(config("first")).ok());
  ASSERT_TRUE(run(config("second")).ok());
  const std::vector<std::string> folders = {dir_ / "first", dir_ / "second"};
  const auto finds = earlier_finds(folders, 1000);
  ASSERT_TRUE(finds.ok()) << finds.error().message;
  ASSERT_GE(finds->size(), 2u);
  EXPECT_EQ(finds->front().url.href(), "http://w.test/target");
  std::set<std::string> seen;
  for (size_t i = 0; i < finds->size(); ++i) {
    EXPECT_TRUE(seen.insert(std::string((*finds)[i].url.href())).second);
    if (i > 0) {
      EXPECT_GE((*finds)[i - 1].relevance, (*finds)[i].relevance);
    }
  }
  EXPECT_EQ(earlier_finds(folders, 1)->size(), 1u);
}

TEST_F(EarlierCrawlTest, an_archived_web_may_be_crawled_with_earlier_crawls_and_back_links) {
  ASSERT_TRUE(run(config("first")).ok());
  CrawlConfig second = config("second");
  second.previous = {dir_ / "first"};
  second.back_links = {dir_ / "first"};
  second.examples = {"http://w.test/target"};
  second.strategy = "context-graph";
  const auto result = run(second);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->counters.fetched, 4u);
  CrawlConfig third = config("third");
  third.previous = {dir_ / "no-crawl"};
  EXPECT_FALSE(run(third).ok());
}

TEST_F(EarlierCrawlTest, a_strategy_that_needs_back_links_refuses_examples_that_nothing_links_to) {
  CrawlConfig lonely = config("lonely");
  lonely.strategy = "context-graph";
  lonely.back_links = {dir_.path().string()};
  lonely.examples = {"http://w.test/stranger"};
  const auto result = run(lonely);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "context-graph has nothing to learn from: no page of --back-links links to an "
            "--example");
}

}  // namespace
}  // namespace dowser
