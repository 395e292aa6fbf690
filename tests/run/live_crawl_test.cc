#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "archive/warc_reader.h"
#include "run/run.h"
#include "tests/hostile/hostile_web.h"
#include "tests/support.h"

// Whole crawls of a web on loopback, seen from the server.

namespace dowser {
namespace {

class LiveCrawlTest : public testing::Test {
 protected:
  void start(HostileOptions options) {
    auto web = HostileWeb::start(std::move(options));
    ASSERT_TRUE(web.ok()) << web.error().message;
    web_ = std::move(*web);
  }

  CrawlConfig config(const std::string& name) const {
    CrawlConfig config;
    config.seeds = {web_->start_url()};
    config.topic = "lighthouse beacon harbour";
    for (const HostileWeb::Host& host : web_->hosts()) {
      if (!host.is_allowed) continue;
      config.resolve.push_back(host.name + "=" + host.address + ":" + std::to_string(host.port));
    }
    config.delay = Duration(0);
    config.max_pages = 10'000;
    config.out = dir_ / name;
    return config;
  }

  static CrawlCounters crawl(const CrawlConfig& config) {
    const auto result = run_crawl(config);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? result->counters : CrawlCounters{};
  }

  size_t records(const std::string& name, RecordType type) const {
    size_t count = 0;
    auto reader = WarcReader::open(dir_ / (name + "/archive/crawl-00000.warc.gz"));
    while (auto record = reader->next()) count += record->type == type;
    return count;
  }

  // robots.txt included.
  size_t most_requests_at_a_time() const {
    std::set<uint64_t> under_way;  // connections
    size_t most = 0;
    for (const RequestEvent& event : web_->log()) {
      if (event.kind == RequestEvent::Kind::kReply) under_way.erase(event.connection);
      if (event.kind != RequestEvent::Kind::kRequest) continue;
      under_way.insert(event.connection);
      most = std::max(most, under_way.size());
    }
    return most;
  }

  TempDir dir_;
  std::unique_ptr<HostileWeb> web_;
};

TEST_F(LiveCrawlTest, what_an_earlier_crawl_has_is_not_sent_again_and_judged_as_it_was) {
  HostileOptions options;
  options.good_pages = 60;
  options.good_hosts = 5;
  options.exhibits = false;
  start(options);
  const CrawlCounters first = crawl(config("first"));
  EXPECT_EQ(first.unchanged, 0u);
  CrawlConfig again = config("second");
  again.previous = {dir_ / "first"};
  const CrawlCounters second = crawl(again);
  EXPECT_EQ(second.unchanged, 60u);
  EXPECT_EQ(second.relevant, first.relevant);
  EXPECT_EQ(second.links, first.links);
  EXPECT_EQ(records("second", RecordType::kRevisit), 60u);
  EXPECT_EQ(records("second", RecordType::kResponse), 0u);

  CrawlConfig third = config("third");
  third.previous = {dir_ / "first", dir_ / "second"};
  EXPECT_EQ(crawl(third).unchanged, 60u) << "a 304 is as good as the page it stands for";
}

TEST_F(LiveCrawlTest, a_host_sees_two_connections_at_most_also_without_a_delay) {
  HostileOptions options;
  options.good_pages = 120;
  options.good_hosts = 2;
  options.exhibits = false;
  options.latency = std::chrono::milliseconds(10);
  start(options);
  CrawlConfig eager = config("eager");
  eager.connections = 64;
  EXPECT_EQ(crawl(eager).statuses.at("200"), 120u);
  for (const auto& [host, traffic] : traffic_by_host(web_->log())) {
    EXPECT_LE(traffic.most_connections, 2u) << host;
  }
}

TEST_F(LiveCrawlTest, a_second_lies_between_two_requests_to_a_host_where_nothing_else_was_said) {
  HostileOptions options;
  options.good_pages = 3;
  options.good_hosts = 1;
  options.exhibits = false;
  start(options);
  CrawlConfig usual = config("usual");
  usual.delay.reset();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(crawl(usual).statuses.at("200"), 3u);
  // Between robots.txt and three pages. How long after each other a busy server notices two
  // requests says nothing.
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

TEST_F(LiveCrawlTest, the_hosts_of_one_address_share_its_places) {
  HostileOptions options;
  options.good_pages = 200;
  options.good_hosts = 10;
  options.exhibits = false;
  options.addresses = 1;
  options.latency = std::chrono::milliseconds(20);
  start(options);
  CrawlConfig limited = config("limited");
  limited.max_per_address = 3;
  limited.connections = 32;
  EXPECT_EQ(crawl(limited).statuses.at("200"), 200u);
  EXPECT_LE(most_requests_at_a_time(), 3u);
}

TEST_F(LiveCrawlTest, an_address_with_many_names_gets_eight_requests_at_a_time_from_the_start) {
  HostileOptions options;
  options.good_pages = 150;
  options.good_hosts = 60;
  options.exhibits = false;
  options.addresses = 1;
  options.latency = std::chrono::milliseconds(50);
  start(options);
  CrawlConfig many = config("many");
  many.connections = 100;
  EXPECT_EQ(crawl(many).statuses.at("200"), 150u);
  EXPECT_LE(most_requests_at_a_time(), 8u);
}

// Pages that come at once; those of hosts that ask for patience come later, or not in this test.
bool comes_soon(const std::string& page) {
  return !page.starts_with("retry-") && !page.starts_with("recovers") &&
         !page.starts_with("good-tls") && !page.starts_with("robots-");
}

// All exhibits at once, until each that answers soon has done so. Others are cut off in the middle.
TEST_F(LiveCrawlTest, the_whole_hostile_web_is_survived_and_each_answer_is_counted_for_what_it_is) {
  using std::chrono::steady_clock;
  HostileOptions options;
  options.good_pages = 60;
  options.good_hosts = 10;
  options.patience = std::chrono::seconds(2);
  options.crawl_delay = 1;
  options.retry_after = 1;
  start(options);
  CrawlConfig all = config("all");
  all.strategy = "breadth-first";
  all.connections = 400;
  std::map<std::string, std::string> outcomes;  // of the first page of each host
  CrawlEvents events;
  events.on_visit([&](const Visit& visit, const CrawlCounters&) {
    outcomes.try_emplace(std::string(visit.candidate.url.hostname()),
                         visit.response.failure == Failure::kNone
                             ? std::to_string(visit.response.status)
                             : std::string(name_of(visit.response.failure)));
  });
  const auto is_complete = [&] {
    return std::ranges::all_of(web_->exhibits(),
                               [&](const Exhibit& exhibit) {
                                 return exhibit.outcomes.empty() || outcomes.contains(exhibit.host);
                               }) &&
           std::ranges::none_of(web_->missing(web_->log()), comes_soon);
  };
  const auto begin = steady_clock::now();
  auto next_look = begin + std::chrono::seconds(5);
  bool stops = false;
  const auto should_stop = [&] {
    if (stops || steady_clock::now() < next_look) return stops;
    next_look += std::chrono::seconds(1);
    stops = is_complete() || steady_clock::now() > begin + std::chrono::minutes(10);
    return stops;
  };
  const auto result = run_crawl(all, events, should_stop);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const RequestEvents log = web_->log();
  for (const RequestEvent& event : web_->offences(log)) {
    ADD_FAILURE() << "asked for " << event.host << event.target << " " << event.note;
  }
  for (const std::string& page : web_->missing(log)) EXPECT_FALSE(comes_soon(page)) << page;
  size_t checked = 0;
  for (const Exhibit& exhibit : web_->exhibits()) {
    if (exhibit.outcomes.empty()) continue;
    const std::string& outcome = outcomes[exhibit.host];
    EXPECT_TRUE(std::ranges::find(exhibit.outcomes, outcome) != exhibit.outcomes.end())
        << exhibit.host << ": " << outcome;
    ++checked;
  }
  EXPECT_GT(checked, 50u);
}

}  // namespace
}  // namespace dowser
