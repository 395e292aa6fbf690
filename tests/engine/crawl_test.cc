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
    const auto keep = [&](KeptVisit kept, const CrawlCounters&, const SavedFlight*) {
      visits_.push_back(std::move(kept.visit));
      return keep_status_;
    };
    InlineWorkers workers(web_, clock, **judge, work_);
    CrawlParts parts{clock, frontier, **strategy, workers, [](const Url&) { return true; }, keep};
    auto guards = Guards::make(guard_options_);
    if (guarded_) parts.guards = &*guards;
    const std::vector<Url> seeds = {*Url::parse(seed)};
    CrawlEvents events;
    bool stops = false;
    events.on_visit(
        [&](const Visit&, const CrawlCounters& c) { stops = stops || c.fetched >= stop_after_; });
    events.subscribe([&](const CrawlEvent& event) {
      if (const auto* given_up = std::get_if<HostAbandoned>(&event)) {
        hosts_given_up_.emplace_back(given_up->host);
      }
      if (const auto* waits = std::get_if<CrawlWaits>(&event)) {
        waits_.push_back({std::string(waits->host), waits->wait, waits->counters.waiting});
      }
    });
    CrawlLimits limits = limits_;
    limits.should_stop = [&] { return stops; };
    const auto counters = crawl(parts, limits, seeds, events);
    finished_at_ = clock.now();
    error_ = counters ? "" : counters.error().message;
    return counters ? *counters : CrawlCounters{};
  }

  struct Waited {
    std::string host;
    Duration wait;
    size_t waiting;  // links
  };

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
  bool guarded_ = false;
  GuardOptions guard_options_;
  WorkOptions work_;
  std::vector<Visit> visits_;
  std::vector<Waited> waits_;
  Status keep_status_;
  size_t stop_after_ = 1000;
  std::vector<std::string> hosts_given_up_;
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
  EXPECT_EQ(visits_[0].response.failure, Failure::kRobotsFailed);
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

TEST_F(CrawlTest, stops_after_the_visit_when_it_is_asked_to) {
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

TEST_F(CrawlTest, a_redirect_to_another_spelling_of_itself_is_followed) {
  web_.add_redirect("http://a.test/", "http://www.a.test/");
  web_.add_html("http://www.a.test/", "bird");
  EXPECT_EQ(run("http://a.test/").relevant, 1u);
}

// Real hosts, on a clock that is not.
class LiveRulesTest : public CrawlTest {
 protected:
  void SetUp() override {
    limits_.live = true;
    options_.max_connections = 2;
  }
  static Response answer(int status, const std::string& body = "") {
    Response response;
    response.status = status;
    response.headers.add("Content-Type", "text/html");
    response.body = body;
    return response;
  }
  static Response failing(Failure failure) {
    Response response;
    response.failure = failure;
    return response;
  }
};

TEST_F(LiveRulesTest, crawl_delay_counts) {
  options_.delay = std::chrono::seconds(1);
  web_.add_html("http://a.test/robots.txt", "User-agent: *\nCrawl-delay: 5");
  web_.add_html("http://a.test/", "<a href=x>x</a>");
  run("http://a.test/");
  ASSERT_EQ(visits_.size(), 2u);
  EXPECT_GE(visits_[1].response.fetched_at - visits_[0].response.fetched_at,
            std::chrono::seconds(5));
}

TEST_F(LiveRulesTest, the_first_page_after_robots_txt_waits_the_crawl_delay) {
  options_.delay = std::chrono::seconds(1);
  web_.add_html("http://a.test/robots.txt", "User-agent: *\nCrawl-delay: 3");
  web_.add_html("http://a.test/", "bird");
  run("http://a.test/");
  ASSERT_EQ(visits_.size(), 1u);
  EXPECT_EQ(visits_[0].response.fetched_at, Time{3'000'000});
}

TEST_F(LiveRulesTest, a_host_is_one_host_whatever_its_port_and_dot) {
  options_.delay = std::chrono::seconds(1);
  web_.add_html("http://b.test/",
                "<a href='http://a.test/'>1</a> <a href='http://a.test:8080/'>2</a> "
                "<a href='http://a.test./'>3</a> <a href='https://a.test:8443/'>4</a>");
  limits_.connections = 10;
  run("http://b.test/");
  ASSERT_EQ(visits_.size(), 5u);
  std::vector<Time> times;
  for (const Visit& visit : visits_) times.push_back(visit.response.fetched_at);
  std::sort(times.begin() + 1, times.end());
  // Each has a robots.txt of its own, which is a request like others.
  for (size_t i = 2; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 1], std::chrono::seconds(1)) << i;
  }
  EXPECT_GE(times[4] - times[1], std::chrono::seconds(6));
}

TEST_F(LiveRulesTest, a_port_that_cannot_be_asked_does_not_give_up_the_others) {
  web_.add_html(
      "http://b.test/",
      "<a href='http://a.test:1/'>nobody listens there</a> <a href='http://a.test/'>a</a>");
  web_.add("http://a.test:1/robots.txt", failing(Failure::kDns));
  web_.add_html("http://a.test/", "bird <a href='http://a.test:1/x'>x</a>");
  const CrawlCounters counters = run("http://b.test/");
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(counters.given_up, 1u);
  EXPECT_EQ(hosts_given_up_.size(), 1u);
  EXPECT_EQ(counters.fetched, 3u);
}

TEST_F(LiveRulesTest, a_robots_txt_that_moved_keeps_the_delay_of_the_host_it_moved_to) {
  options_.delay = std::chrono::seconds(10);
  web_.add_redirect("http://a.test/robots.txt", "http://b.test/rules");
  web_.add_html("http://b.test/rules", "User-agent: *\nDisallow: /x");
  web_.add_html("http://b.test/", "<a href='http://a.test/'>a</a> <a href='http://a.test/x'>x</a>");
  web_.add_html("http://a.test/", "bird");
  limits_.connections = 10;
  const CrawlCounters counters = run("http://b.test/");
  // robots.txt of b at 0 s, its page at 10 s, the rules of a at 20 s.
  EXPECT_EQ(visit("http://b.test/")->response.fetched_at, Time{10'000'000});
  EXPECT_GE(visit("http://a.test/")->response.fetched_at, Time{20'000'000});
  EXPECT_EQ(counters.disallowed, 1u);
}

TEST_F(LiveRulesTest,
       a_robots_txt_that_did_not_come_whole_is_asked_for_again_and_then_forbids_all) {
  Response cut = answer(200, "User-agent: *\nDisallow:");
  cut.truncated = true;
  cut.cut_by = Failure::kReset;
  web_.add("http://a.test/robots.txt", cut);
  Response broken = answer(200, "\x1b\x04\xff");
  broken.headers.add("Content-Encoding", "br");
  web_.add("http://b.test/robots.txt", broken);
  web_.add("http://c.test/robots.txt", answer(429));
  web_.add("http://d.test/robots.txt", cut);
  web_.then("http://d.test/robots.txt", answer(200));
  for (const std::string host : {"a", "b", "c", "d"}) {
    web_.add_html("http://" + host + ".test/", "bird");
  }
  web_.add_html("http://e.test/",
                "<a href='http://a.test/'>a</a> <a href='http://b.test/'>b</a> "
                "<a href='http://c.test/'>c</a> <a href='http://d.test/'>d</a>");
  const CrawlCounters counters = run("http://e.test/");
  EXPECT_EQ(counters.failures.at("robots-failed"), 3u);
  EXPECT_EQ(counters.relevant, 1u) << "the second answer of d was whole";
  EXPECT_EQ(counters.given_up, 3u);
  EXPECT_EQ(hosts_given_up_.size(), 3u);
}

TEST_F(LiveRulesTest, robots_txt_is_read_again_after_a_day_and_the_old_rules_hold_meanwhile) {
  options_.delay = std::chrono::hours(7);
  web_.add_html("http://a.test/robots.txt", "User-agent: *\nDisallow: /never");
  web_.then("http://a.test/robots.txt", answer(200, "User-agent: *\nDisallow: /5"));
  for (int i = 0; i < 8; ++i) {
    web_.add_html("http://a.test/" + std::to_string(i),
                  "bird <a href=" + std::to_string(i + 1) + ">next</a>");
  }
  run("http://a.test/0");
  // robots.txt at 0 h, then a page every seven hours; at 28 h robots.txt is read again.
  ASSERT_EQ(visits_.size(), 6u);
  EXPECT_EQ(visits_[4].response.status, 200);
  EXPECT_EQ(visits_[5].response.failure, Failure::kRobots);
}

TEST_F(LiveRulesTest, a_robots_txt_that_cannot_be_read_again_leaves_the_old_rules) {
  options_.delay = std::chrono::hours(7);
  web_.add_html("http://a.test/robots.txt", "User-agent: *\nDisallow: /7");
  web_.then("http://a.test/robots.txt", answer(500));
  for (int i = 0; i < 8; ++i) {
    web_.add_html("http://a.test/" + std::to_string(i),
                  "bird <a href=" + std::to_string(i + 1) + ">next</a>");
  }
  const CrawlCounters counters = run("http://a.test/0");
  EXPECT_EQ(counters.fetched, 7u);
  EXPECT_EQ(counters.disallowed, 1u);
  EXPECT_EQ(counters.given_up, 0u);
}

TEST_F(LiveRulesTest, hosts_that_rest_for_long_do_not_keep_others_from_being_asked) {
  std::string links;
  Response busy = answer(429);
  busy.headers.add("Retry-After", "80000");
  for (int i = 0; i < 5; ++i) {
    const std::string host = "http://busy" + std::to_string(i) + ".test/";
    web_.add(host + "robots.txt", busy);
    web_.then(host + "robots.txt", answer(404));
    web_.add_html(host, "late");
    links += "<a href='" + host + "'>x</a> ";
  }
  for (int i = 0; i < 5; ++i) {
    web_.add_html("http://a" + std::to_string(i) + ".test/", "bird");
    links += "<a href='http://a" + std::to_string(i) + ".test/'>x</a> ";
  }
  web_.add_html("http://b.test/", links);
  limits_.connections = 2;
  const CrawlCounters counters = run("http://b.test/");
  EXPECT_EQ(counters.fetched, 11u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT(visit("http://a" + std::to_string(i) + ".test/")->response.fetched_at,
              Time{60'000'000});
    EXPECT_GE(visit("http://busy" + std::to_string(i) + ".test/")->response.fetched_at,
              Time{80'000'000'000});
  }
}

TEST_F(LiveRulesTest, retry_after_is_waited_for_and_then_it_is_tried_again) {
  Response busy = answer(503);
  busy.headers.add("Retry-After", "30");
  web_.add("http://a.test/", busy);
  web_.then("http://a.test/", answer(200, "bird"));
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(counters.retried, 1u);
  EXPECT_EQ(visits_[0].response.fetched_at, Time{30'000'000});
}

TEST_F(LiveRulesTest, while_nothing_is_sent_it_is_told_for_which_host_and_how_long) {
  Response busy = answer(503);
  busy.headers.add("Retry-After", "300");
  web_.add_html("http://b.test/", "bird <a href='http://a.test/'>a</a>");
  web_.add("http://a.test/", busy);
  web_.then("http://a.test/", answer(200, "bird"));
  run("http://b.test/");
  ASSERT_FALSE(waits_.empty());
  EXPECT_EQ(waits_.back().host, "a.test");
  EXPECT_EQ(waits_.back().wait, std::chrono::seconds(300));
  EXPECT_EQ(waits_.back().waiting, 1u) << "the counters are those of this moment";
}

TEST_F(LiveRulesTest, a_host_that_says_too_many_rests_longer_each_time_and_the_others_go_on) {
  web_.add("http://a.test/", answer(429));
  web_.add_html("http://b.test/", "bird <a href='http://a.test/'>a</a>");
  run("http://b.test/");
  ASSERT_EQ(visits_.size(), 2u);
  EXPECT_EQ(visits_[1].response.status, 429);
  // five tries: after 10, 20, 40 and 80 seconds
  EXPECT_EQ(visits_[1].response.fetched_at, Time{150'000'000});
}

TEST_F(LiveRulesTest, a_host_that_cannot_be_asked_is_given_up_with_all_that_waits_there) {
  web_.add_html("http://b.test/",
                "<a href='http://a.test/1'>1</a> <a href='http://a.test/2'>2</a> "
                "<a href='http://a.test/3'>3</a>");
  web_.add("http://a.test/robots.txt", failing(Failure::kDns));
  const CrawlCounters counters = run("http://b.test/");
  EXPECT_EQ(counters.given_up, 1u);
  EXPECT_EQ(counters.fetched, 2u) << "b, and the first of a";
  EXPECT_EQ(counters.failures.at("dns"), 1u);
}

TEST_F(LiveRulesTest, a_robots_txt_that_fails_at_first_is_asked_for_again) {
  web_.add("http://a.test/robots.txt", answer(500));
  web_.then("http://a.test/robots.txt", answer(200, "User-agent: *\nDisallow: /x"));
  web_.add_html("http://a.test/", "bird <a href=x>x</a>");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(counters.disallowed, 1u);
}

TEST_F(LiveRulesTest, the_target_of_a_redirect_that_failed_is_reached_when_it_is_tried_again) {
  web_.add_redirect("http://a.test/", "/there");
  web_.add("http://a.test/there", answer(503));
  web_.then("http://a.test/there", answer(200, "bird"));
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(counters.fetched, 1u);
}

TEST_F(LiveRulesTest, a_slow_host_rests_as_long_as_it_took) {
  options_.delay = std::chrono::seconds(1);
  Response slow = answer(200, "<a href=x>x</a>");
  slow.elapsed = std::chrono::seconds(7);
  web_.add("http://a.test/", slow);
  web_.add_html("http://a.test/x", "bird");
  run("http://a.test/");
  ASSERT_EQ(visits_.size(), 2u);
  EXPECT_EQ(visits_[1].response.fetched_at - visits_[0].response.fetched_at,
            std::chrono::seconds(7));
}

class GuardedCrawlTest : public LiveRulesTest {
 protected:
  void SetUp() override {
    LiveRulesTest::SetUp();
    guarded_ = true;
    work_.sketches = true;
  }
};

TEST_F(GuardedCrawlTest, what_is_denied_is_not_fetched_also_not_through_a_redirect) {
  guard_options_.scope.deny = {"*/private/*"};
  web_.add_html("http://a.test/", "<a href=/private/x>x</a> <a href=/hop>hop</a>");
  web_.add_redirect("http://a.test/hop", "/private/y");
  web_.add_html("http://a.test/private/x", "bird");
  web_.add_html("http://a.test/private/y", "bird");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 0u);
  EXPECT_EQ(counters.refused.at("denied"), 1u);
  EXPECT_EQ(web_.requests(), 3u) << "robots.txt, the home page and the redirect";
}

TEST_F(GuardedCrawlTest, an_endless_calendar_ends) {
  limits_.max_pages = 100'000;
  stop_after_ = 100'000;
  web_.answer_all("http://cal.test/", [](const Url& url) {
    const int day = std::atoi(std::string(url.path().substr(1)).c_str());
    return answer(200, "<p>nothing on day " + std::to_string(day) + " <a href=/" +
                           std::to_string(day + 1) + ">next</a>");
  });
  const CrawlCounters counters = run("http://cal.test/1");
  EXPECT_LE(counters.fetched, 2100u);
  EXPECT_EQ(counters.waiting, 0u);
  EXPECT_GE(counters.refused.at("shape"), 1u);
}

TEST_F(GuardedCrawlTest, a_page_that_repeats_another_is_not_found_and_its_links_go_last) {
  const std::string text =
      "<p>the bird builds its nest of twigs high above the river where no cat comes";
  web_.add_html("http://a.test/", "<a href=/1>1</a> <a href=/2>2</a> <a href=/3>3</a>");
  web_.add_html("http://a.test/1", text);
  web_.add_html("http://a.test/2", text + "<a href=/deep><img src=x></a>");
  web_.add_html("http://a.test/3", "other words <a href=/4>4</a>");
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.relevant, 1u);
  EXPECT_EQ(counters.near_duplicates, 1u);
  EXPECT_EQ(visit("http://a.test/2")->near_duplicate_of, VisitId{1});
  EXPECT_EQ(visit("http://a.test/deep")->candidate.score, Score::last());
  EXPECT_LT(visit("http://a.test/4")->id, visit("http://a.test/deep")->id);
}

TEST_F(GuardedCrawlTest, a_page_that_names_another_as_its_canonical_form_repeats_it) {
  const auto page = [](const std::string& head, const std::string& tail) {
    return head + "<p>the bird builds its nest of twigs high above the river where no cat comes " +
           "and the young ones learn to fly before the summer ends " + tail;
  };
  web_.add_html("http://a.test/", "<a href=/1>1</a> <a href=/2>2</a>");
  web_.add_html("http://a.test/1", page("", ""));
  web_.add_html("http://a.test/2", page("<link rel=canonical href=/1>", "printed for you today"));
  EXPECT_EQ(run("http://a.test/").relevant, 1u);
  EXPECT_EQ(visit("http://a.test/2")->near_duplicate_of, VisitId{1});
}

TEST_F(GuardedCrawlTest, not_found_with_status_200_is_noticed) {
  guard_options_.soft_404 = true;
  std::string links;
  for (int i = 0; i < 8; ++i) links += "<a href=/" + std::to_string(i) + ">x</a>";
  web_.answer_all("http://a.test/", [&](const Url& url) {
    if (url.path() == "/robots.txt") return answer(404);
    if (url.path() == "/") return answer(200, links);
    if (url.path().size() == 2 && url.path()[1] < '6') {
      return answer(200, "page " + std::string(url.path()) + " has a bird of its own " +
                             std::string(url.path()));
    }
    return answer(200, "<title>Sorry</title>Sorry, the bird you want was not found here");
  });
  const CrawlCounters counters = run("http://a.test/");
  EXPECT_EQ(counters.soft_404, 2u) << "6 and 7";
  EXPECT_EQ(counters.relevant, 6u);
}

TEST_F(GuardedCrawlTest, feeds_are_sources_of_links_when_asked_for) {
  limits_.sitemaps = work_.sitemaps = true;
  web_.add_html("http://a.test/", "<link rel=alternate type=application/rss+xml href=/feed>home");
  Response feed;
  feed.status = 200;
  feed.headers.add("Content-Type", "application/rss+xml");
  feed.body = "<rss><channel><item><link>http://a.test/news</link></item></channel></rss>";
  web_.add("http://a.test/feed", feed);
  web_.add_html("http://a.test/news", "bird");
  EXPECT_EQ(run("http://a.test/").relevant, 1u);
}

TEST_F(GuardedCrawlTest, sitemaps_that_robots_txt_names_are_sources_of_links_when_asked_for) {
  web_.add_html("http://a.test/robots.txt", "Sitemap: http://a.test/map.xml");
  Response map;
  map.status = 200;
  map.headers.add("Content-Type", "application/xml");
  map.body = "<urlset><url><loc>http://a.test/hidden</loc></url></urlset>";
  web_.add("http://a.test/map.xml", map);
  web_.add_html("http://a.test/", "nothing");
  web_.add_html("http://a.test/hidden", "bird");
  EXPECT_EQ(run("http://a.test/").relevant, 0u);
  visits_.clear();
  limits_.sitemaps = work_.sitemaps = true;
  EXPECT_EQ(run("http://a.test/").relevant, 1u);
}

}  // namespace
}  // namespace dowser
