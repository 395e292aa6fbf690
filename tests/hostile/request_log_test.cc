#include "tests/hostile/request_log.h"

#include <gtest/gtest.h>

#include <thread>

namespace dowser {
namespace {

using Kind = RequestEvent::Kind;
using std::chrono::milliseconds;

// Logs as a person would tell them, times in milliseconds.
struct Story {
  RequestEvents events;

  Story& add(int64_t at, Kind kind, uint64_t connection, std::string host = "",
             std::string target = "", Duration wait = Duration(0)) {
    RequestEvent event;
    event.time = Time{at * 1000};
    event.kind = kind;
    event.connection = connection;
    event.address = "127.0.0.9";
    event.host = std::move(host);
    event.target = std::move(target);
    event.wait = wait;
    if (kind == Kind::kAnswer) event.status = wait > Duration(0) ? 429 : 200;
    events.push_back(event);
    return *this;
  }
  Story& open(int64_t at, uint64_t connection) { return add(at, Kind::kOpen, connection); }
  Story& close(int64_t at, uint64_t connection) { return add(at, Kind::kClose, connection); }
  Story& request(int64_t at, uint64_t connection, std::string host, std::string target = "/") {
    return add(at, Kind::kRequest, connection, std::move(host), std::move(target));
  }
  Story& answer(int64_t at, uint64_t connection, std::string host, Duration wait = Duration(0)) {
    return add(at, Kind::kAnswer, connection, std::move(host), "/", wait);
  }
};

TEST(RequestLog, the_smallest_gap_is_that_between_neighbours_of_one_host) {
  const auto traffic = traffic_by_host(Story()
                                           .request(0, 1, "a")
                                           .request(10, 2, "b")
                                           .request(1000, 1, "a", "/robots.txt")
                                           .request(1015, 2, "b")
                                           .request(1900, 3, "a")
                                           .request(5000, 4, "c")
                                           .events);
  EXPECT_EQ(traffic.at("a").smallest_gap, milliseconds(900));
  EXPECT_EQ(traffic.at("b").smallest_gap, milliseconds(1005));
  EXPECT_EQ(traffic.at("c").smallest_gap, std::nullopt);
  EXPECT_EQ(traffic.at("a").requests, 3u);
}

TEST(RequestLog, connections_count_from_opening_to_closing) {
  Story story;
  story.open(0, 1).request(5, 1, "a").open(10, 2).request(11, 2, "a").close(20, 1);
  story.open(20, 3).request(21, 3, "a").close(30, 2).close(30, 3);
  EXPECT_EQ(traffic_by_host(story.events).at("a").most_connections, 2u);
  story.open(40, 4).open(41, 5).open(42, 6);  // idle ones count when a host was named on them
  story.request(50, 4, "a").request(51, 5, "a").request(52, 6, "a");
  EXPECT_EQ(traffic_by_host(story.events).at("a").most_connections, 3u);
}

TEST(RequestLog, slack_forgives_a_closing_that_was_noticed_late) {
  Story story;
  story.open(0, 1).request(1, 1, "a").open(100, 2).request(101, 2, "a").close(103, 1).close(200, 2);
  EXPECT_EQ(traffic_by_host(story.events).at("a").most_connections, 2u);
  EXPECT_EQ(traffic_by_host(story.events, milliseconds(5)).at("a").most_connections, 1u);
  EXPECT_EQ(traffic_by_host(story.events, milliseconds(5000)).at("a").most_connections, 1u);
}

TEST(RequestLog, a_return_is_measured_against_the_time_that_was_asked_for) {
  Story story;
  story.request(0, 1, "a").answer(100, 1, "a", milliseconds(5000));
  story.request(200, 2, "b").answer(210, 2, "b");
  EXPECT_EQ(traffic_by_host(story.events).at("a").earliest_return, std::nullopt);
  story.request(5150, 1, "a").answer(5160, 1, "a", milliseconds(1000));
  EXPECT_EQ(traffic_by_host(story.events).at("a").earliest_return, milliseconds(50));
  story.request(5500, 1, "a").request(5600, 1, "a").answer(5700, 1, "a");
  EXPECT_EQ(traffic_by_host(story.events).at("a").earliest_return, milliseconds(-660));
  EXPECT_EQ(traffic_by_host(story.events).at("b").earliest_return, std::nullopt);
}

TEST(RequestLog, hosts_of_one_address_are_seen_together) {
  const Story story = Story().open(0, 1).open(1, 2).request(5, 1, "a").request(7, 2, "b");
  const auto traffic = traffic_by_address(story.events);
  ASSERT_EQ(traffic.size(), 1u);
  EXPECT_EQ(traffic.at("127.0.0.9"), (HostTraffic{2, milliseconds(2), 2, std::nullopt}));
}

TEST(RequestLog, addresses_are_counted_by_request_and_by_answer) {
  const Story story = Story()
                          .request(0, 1, "a", "/")
                          .answer(1, 1, "a")
                          .request(2, 1, "a", "/")
                          .request(3, 1, "b", "/x?y");
  EXPECT_EQ(request_counts(story.events), (std::map<std::string, size_t>{{"a/", 2}, {"b/x?y", 1}}));
  EXPECT_EQ(answer_counts(story.events), (std::map<std::string, size_t>{{"a/", 1}}));
}

TEST(RequestLog, a_log_survives_the_way_through_a_file) {
  Story story;
  story.open(0, 1).request(5, 1, "a", "/b?c=d").answer(7, 1, "a", milliseconds(30)).close(9, 1);
  story.events[1].method = "GET";
  story.events[1].client_port = 4711;
  story.events[1].note = "cookie";
  const Result<RequestEvents> back = parse_tsv(to_tsv(story.events));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, story.events);
  story.events[1].target = "/tab\there";
  EXPECT_EQ((*parse_tsv(to_tsv(story.events)))[1].target, "/tab%09here");
}

TEST(RequestLog, what_is_no_log_is_refused) {
  const std::string head = to_tsv({});
  EXPECT_TRUE(parse_tsv(head));
  for (const std::string& text :
       {std::string(), std::string("a\tb\n"), head + "1\n",
        head + "x\topen\t1\t1\t\t\t\t\t0\t0\t\n", head + "1\tfell\t1\t1\t\t\t\t\t0\t0\t\n"}) {
    EXPECT_FALSE(parse_tsv(text)) << text;
  }
}

TEST(RequestLog, times_rise_in_the_order_of_the_log) {
  RequestLog log;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j) log.add({});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const RequestEvents events = log.events();
  ASSERT_EQ(events.size(), 2000u);
  EXPECT_TRUE(std::is_sorted(events.begin(), events.end(),
                             [](const auto& a, const auto& b) { return a.time < b.time; }));
}

}  // namespace
}  // namespace dowser
