#include <gtest/gtest.h>

#include <set>

#include "archive/warc_reader.h"
#include "engine/run.h"
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
    const auto result = run_crawl(
        config, [](const Visit&, const CrawlCounters&) { return true; }, [] { return false; });
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? result->counters : CrawlCounters{};
  }

  size_t records(const std::string& name, RecordType type) const {
    size_t count = 0;
    auto reader = WarcReader::open(dir_ / (name + "/archive/crawl-00000.warc.gz"));
    while (auto record = reader->next()) count += record->type == type;
    return count;
  }

  // Pages only: where a host is is known when its robots.txt has come.
  size_t most_pages_at_a_time() const {
    std::set<uint64_t> under_way;  // connections
    size_t most = 0;
    for (const RequestEvent& event : web_->log()) {
      if (event.kind == RequestEvent::Kind::kAnswer) under_way.erase(event.connection);
      if (event.kind != RequestEvent::Kind::kRequest || event.target == "/robots.txt") continue;
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
  // A busy server notices the end of a connection some time after the crawler has closed it.
  constexpr Duration kSlack = std::chrono::milliseconds(50);
  for (const auto& [host, traffic] : traffic_by_host(web_->log(), kSlack)) {
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
  EXPECT_EQ(crawl(usual).statuses.at("200"), 3u);
  for (const auto& [host, traffic] : traffic_by_host(web_->log(), Duration(0))) {
    EXPECT_GE(*traffic.smallest_gap, std::chrono::milliseconds(990)) << host;
  }
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
  // The server may note an answer a moment after the crawler has read it.
  EXPECT_LE(most_pages_at_a_time(), 3u + 1u);
}

}  // namespace
}  // namespace dowser
