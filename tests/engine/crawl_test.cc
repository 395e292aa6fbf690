#include "engine/crawl.h"

#include <gtest/gtest.h>

#include "base/compress.h"
#include "engine/plugins.h"
#include "fetch/memory_web.h"

namespace dowser {
namespace {

// A crawl of a web made by hand: breadth-first, judged by the word "bird".
class CrawlTest : public testing::Test {
 protected:
  CrawlCounters run(const std::string& seed) {
    const auto strategy = make_strategy("breadth-first", {topic_});
    const auto judge = make_judge("keyword", {topic_, {}});
    Frontier frontier(options_);
    SimulatedClock clock(Time{0});
    const auto keep = [&](const Visit& visit, std::span<const FoundLink>) {
      visits_.push_back(visit);
      return keep_status_;
    };
    InlineWorkers workers(web_, clock, **judge, {});
    const CrawlParts parts{clock, frontier, **strategy, workers, [](const Url&) { return true; },
                           keep};
    const std::vector<Url> seeds = {*Url::parse(seed)};
    const auto counters = crawl(parts, limits_, seeds, [&](const Visit&, const CrawlCounters& c) {
      return c.fetched < stop_after_;
    });
    finished_at_ = clock.now();
    error_ = counters ? "" : counters.error().message;
    return counters ? *counters : CrawlCounters{};
  }

  const Visit* visit(const std::string& url) const {
    for (const Visit& v : visits_) {
      if (v.candidate.url.href() == url) return &v;
    }
    return nullptr;
  }

  Topic topic_{"bird", {}};
  MemoryWeb web_;
  FrontierOptions options_;
  CrawlLimits limits_;
  std::vector<Visit> visits_;
  Status keep_status_;
  size_t stop_after_ = 1000;
  Time finished_at_;
  std::string error_;
};

TEST_F(CrawlTest, obeys_robots_txt_and_does_not_count_what_it_forbids) {
  web_.add_html("http://a.test/robots.txt", "User-agent: dowser\nDisallow: /private");
  web_.add_html("http://a.test/", "<a href=/private/x>x</a> <a href=/open>open</a>");
  web_.add_html("http://a.test/open", "bird");
  web_.add_html("http://a.test/private/x", "bird bird bird");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.fetched, 2u);
  EXPECT_EQ(counters.disallowed, 1u);
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(visit("http://a.test/private/x")->response.failure, Failure::kRobots);
  EXPECT_EQ(web_.requests(), 3u) << "robots.txt and two pages";
}

TEST_F(CrawlTest, robots_txt_may_have_moved_and_each_hop_takes_its_time) {
  options_.delay = std::chrono::seconds(1);
  web_.add_redirect("http://a.test/robots.txt", "/1");
  web_.add_redirect("http://a.test/1", "/2");
  web_.add_html("http://a.test/2", "User-agent: *\nDisallow: /x");
  web_.add_html("http://a.test/", "<a href=/x>x</a>");
  EXPECT_EQ(run("http://a.test/").disallowed, 1u);
  EXPECT_EQ(visits_[0].response.fetched_at, Time{3'000'000});
}

TEST_F(CrawlTest, a_robots_txt_that_moves_for_ever_is_as_good_as_none) {
  web_.add_redirect("http://a.test/robots.txt", "/robots.txt");
  web_.add_html("http://a.test/", "bird");
  EXPECT_EQ(run("http://a.test/").relevant, 1u);
}

TEST_F(CrawlTest, robots_txt_may_come_compressed) {
  Response packed;
  packed.status = 200;
  packed.headers.add("Content-Encoding", "gzip");
  packed.body = gzip("User-agent: *\nDisallow: /");
  web_.add("http://a.test/robots.txt", packed);
  web_.add_html("http://a.test/", "bird");
  EXPECT_EQ(run("http://a.test/").disallowed, 1u);
}

TEST_F(CrawlTest, a_redirect_into_a_forbidden_place_is_not_followed) {
  web_.add_html("http://a.test/robots.txt", "User-agent: *\nDisallow: /private");
  web_.add_redirect("http://a.test/", "/private/x");
  web_.add_html("http://a.test/private/x", "bird");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 0u);
  EXPECT_EQ(visits_[0].response.failure, Failure::kRobots);
}

TEST_F(CrawlTest, a_host_whose_robots_txt_fails_is_left_alone) {
  Response broken;
  broken.status = 503;
  web_.add("http://a.test/robots.txt", broken);
  web_.add_html("http://a.test/", "bird");
  EXPECT_EQ(run("http://a.test/").fetched, 0u);
}

TEST_F(CrawlTest, a_redirect_and_what_it_leads_to_are_one_fetch) {
  web_.add_redirect("http://a.test/", "http://b.test/there");
  web_.add_html("http://b.test/there", "bird <a href=next>next</a>");
  web_.add_html("http://b.test/next", "bird");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.fetched, 2u);
  EXPECT_EQ(counters.redirected, 1u);
  ASSERT_EQ(visits_[0].redirects.size(), 1u);
  EXPECT_EQ(visits_[0].response.url.href(), "http://b.test/there");
  EXPECT_NE(visit("http://b.test/next"), nullptr) << "links are resolved where the page was";
}

TEST_F(CrawlTest, redirects_in_a_circle_end) {
  web_.add_redirect("http://a.test/1", "/2");
  web_.add_redirect("http://a.test/2", "/1");
  const CrawlCounters counters = run("http://a.test/1");
  EXPECT_EQ(counters.fetched, 1u);
  EXPECT_EQ(counters.failed, 1u);
}

TEST_F(CrawlTest, endless_redirects_end) {
  for (int i = 0; i < 30; ++i) {
    web_.add_redirect("http://a.test/" + std::to_string(i), "/" + std::to_string(i + 1));
  }
  run("http://a.test/0");
  EXPECT_EQ(visits_[0].response.failure, Failure::kTooManyRedirects);
}

TEST_F(CrawlTest, a_missing_page_is_a_visit_that_failed) {
  web_.add_html("http://a.test/", "<a href=gone>gone</a>");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.fetched, 2u);
  EXPECT_EQ(counters.failed, 1u);
  EXPECT_EQ(visit("http://a.test/gone")->response.status, 404);
}

TEST_F(CrawlTest, links_marked_nofollow_are_found_but_not_followed) {
  web_.add_html("http://a.test/", "<a rel=nofollow href=x>x</a>");
  web_.add_html("http://a.test/x", "bird");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.links, 1u);
  EXPECT_EQ(counters.fetched, 1u);
}

TEST_F(CrawlTest, waits_between_two_requests_to_a_host) {
  options_.delay = std::chrono::seconds(2);
  web_.add_html("http://a.test/", "<a href=x>x</a>");
  run("http://a.test/");
  // robots.txt at 0, the two pages at 2 and 4 seconds
  EXPECT_EQ(finished_at_, Time{4'000'000});
  EXPECT_EQ(visits_[1].response.fetched_at, Time{4'000'000});
}

TEST_F(CrawlTest, stops_when_its_time_is_up) {
  options_.delay = std::chrono::seconds(1);
  limits_.max_time = std::chrono::seconds(10);
  std::string links;
  for (int i = 0; i < 50; ++i) links += "<a href=/" + std::to_string(i) + ">x</a>";
  web_.add_html("http://a.test/", links);
  // robots.txt at 0, pages at 1 … 9 seconds
  EXPECT_EQ(run("http://a.test/").fetched, 9u);
}

TEST_F(CrawlTest, stops_when_the_observer_says_so) {
  stop_after_ = 1;
  web_.add_html("http://a.test/", "<a href=x>x</a>");
  EXPECT_EQ(run("http://a.test/").fetched, 1u);
}

TEST_F(CrawlTest, ends_with_the_error_where_nothing_can_be_kept) {
  keep_status_ = Error{"the disk is full"};
  web_.add_html("http://a.test/", "<a href=x>x</a>");
  run("http://a.test/");
  EXPECT_EQ(error_, "the disk is full");
  EXPECT_EQ(visits_.size(), 1u);
}

TEST_F(CrawlTest, names_the_parent_whose_offer_won) {
  web_.add_html("http://a.test/", "<a href=x>x</a><a href=y>y</a>");
  web_.add_html("http://a.test/x", "<a href=y>y</a>");
  run("http://a.test/");
  EXPECT_EQ(visit("http://a.test/y")->candidate.trail.parent, VisitId{0});
  EXPECT_EQ(visit("http://a.test/y")->candidate.trail.position, 1u);
  EXPECT_EQ(visit("http://a.test/y")->candidate.trail.depth, 1u);
}

}  // namespace
}  // namespace dowser
