#include "frontier/frontier.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontier/stored_links.h"
#include "tests/frontier/whole_frontier.h"
#include "tests/support.h"

// Which host may be asked: delays, connections, addresses, gaps.

namespace dowser {
namespace {

using Offer = Frontier::Offer;

Url url(const std::string& text) { return *Url::parse(text); }
Url page(const std::string& name) { return url("http://web.test/" + name); }

std::string take_name(WholeFrontier& frontier) {
  const auto candidate = frontier.take();
  return candidate ? std::string(candidate->url.path().substr(1)) : "-";
}

TEST(FrontierHosts, a_host_rests_for_its_delay_and_others_go_meanwhile) {
  WholeFrontier frontier({.delay = std::chrono::seconds(1)});
  frontier.set_time(Time{0});
  frontier.offer(url("http://x.test/1"), Score(3), {});
  frontier.offer(url("http://x.test/2"), Score(2), {});
  frontier.offer(url("http://y.test/3"), Score(1), {});
  EXPECT_EQ(take_name(frontier), "1");
  frontier.note_request(url("http://x.test/1"), Time{0});
  EXPECT_EQ(take_name(frontier), "3");
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.next_ready(), Time{1'000'000});
  frontier.set_time(Time{999'999});
  EXPECT_EQ(take_name(frontier), "-");
  frontier.set_time(Time{1'000'000});
  EXPECT_EQ(take_name(frontier), "2");
  EXPECT_EQ(frontier.next_ready(), std::nullopt);
}

TEST(FrontierHosts, no_more_connections_to_a_host_than_allowed) {
  WholeFrontier frontier({.max_connections = 2});
  for (const char* path : {"1", "2", "3"}) {
    frontier.offer(url(std::string("http://x.test/") + path), Score(1), {});
  }
  for (const char* expected : {"1", "2"}) {
    EXPECT_EQ(take_name(frontier), expected);
    frontier.reserve(url("http://x.test/"));
  }
  EXPECT_FALSE(frontier.can_reserve(url("http://x.test/")));
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.next_ready(), std::nullopt) << "it waits for a connection, not for a time";
  frontier.release(url("http://x.test/"));
  EXPECT_EQ(take_name(frontier), "3");
}

TEST(FrontierHosts, a_host_with_a_delay_is_asked_by_one_at_a_time) {
  WholeFrontier frontier({.delay = Duration(1), .max_connections = 2});
  frontier.set_time(Time{0});
  frontier.offer(url("http://x.test/1"), Score(1), {});
  frontier.reserve(url("http://x.test/"));
  EXPECT_FALSE(frontier.can_reserve(url("http://x.test/")));
  EXPECT_EQ(take_name(frontier), "-");
  frontier.release(url("http://x.test/"));
  EXPECT_EQ(take_name(frontier), "1");
}

TEST(FrontierHosts, a_host_can_ask_for_a_longer_delay_or_for_rest) {
  WholeFrontier frontier({.delay = std::chrono::seconds(1)});
  frontier.set_time(Time{0});
  const Url x = url("http://x.test/1");
  frontier.set_delay(x, std::chrono::seconds(5));
  frontier.note_request(x, Time{0});
  EXPECT_EQ(frontier.ready_at(x), Time{5'000'000});
  frontier.set_delay(x, Duration(1));
  frontier.note_request(x, Time{5'000'000});
  EXPECT_EQ(frontier.ready_at(x), Time{6'000'000}) << "never less than the usual";
  frontier.hold(x, Time{60'000'000});
  frontier.note_request(x, Time{7'000'000});
  EXPECT_EQ(frontier.ready_at(x), Time{60'000'000});
}

TEST(FrontierHosts, after_a_crash_each_host_rests_its_own_delay_also_one_that_was_not_known) {
  WholeFrontier frontier({.delay = std::chrono::seconds(1)});
  const Url slow = url("http://slow.test/1"), held = url("http://held.test/1");
  frontier.set_delay(slow, std::chrono::seconds(5));
  frontier.hold(held, Time{60'000'000});
  frontier.rest_from(Time{10'000'000});
  frontier.set_time(Time{10'000'000});
  const Url unknown = url("http://new.test/1");
  for (const Url& link : {slow, held, unknown}) frontier.offer(link, Score(1), {});
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.ready_at(unknown), Time{11'000'000});
  EXPECT_EQ(frontier.ready_at(slow), Time{15'000'000});
  EXPECT_EQ(frontier.ready_at(held), Time{60'000'000}) << "it had asked for more";
}

TEST(FrontierHosts, a_batch_is_the_best_of_all_hosts_resting_or_not) {
  WholeFrontier frontier({.delay = std::chrono::seconds(1)});
  frontier.set_time(Time{0});
  frontier.note_request(url("http://x.test/"), Time{0});
  frontier.offer(url("http://x.test/1"), Score(3), {});
  frontier.offer(url("http://y.test/2"), Score(2), {});
  frontier.offer(url("http://x.test/3"), Score(1), {});
  const auto batch = frontier.take_best(2);
  ASSERT_EQ(batch.size(), 2u);
  EXPECT_EQ(batch[0].url.path(), "/1");
  EXPECT_EQ(batch[1].url.path(), "/2");
}

TEST(FrontierHosts, a_host_waits_until_enough_others_were_taken) {
  WholeFrontier frontier({.host_gap = 3});
  for (const char* href : {"http://x.test/1", "http://x.test/2", "http://y.test/3",
                           "http://x.test/4", "http://z.test/5"}) {
    frontier.offer(url(href), Score(1), {});
  }
  EXPECT_EQ(take_name(frontier), "1");
  frontier.reserve(url("http://x.test/"));
  EXPECT_EQ(take_name(frontier), "3");
  EXPECT_EQ(take_name(frontier), "5");
  EXPECT_EQ(take_name(frontier), "2") << "two others were between";
  EXPECT_EQ(take_name(frontier), "-") << "a fetch is in flight, which may bring others";
  EXPECT_EQ(frontier.next_ready(), std::nullopt);
  frontier.release(url("http://x.test/"));
  EXPECT_EQ(frontier.next_ready(), Time{INT64_MIN}) << "that is, now";
  EXPECT_EQ(take_name(frontier), "4") << "nothing else could ever go";
}

TEST(FrontierHosts, the_gap_does_not_give_way_while_another_host_is_only_delayed) {
  WholeFrontier frontier({.host_gap = 2});
  frontier.set_time(Time{0});
  for (const char* href : {"http://x.test/1", "http://x.test/2", "http://y.test/3"}) {
    frontier.offer(url(href), Score(1), {});
  }
  frontier.hold(url("http://y.test/"), Time{10});
  EXPECT_EQ(take_name(frontier), "1");
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.next_ready(), Time{10});
  frontier.set_time(Time{10});
  EXPECT_EQ(take_name(frontier), "3");
  EXPECT_EQ(take_name(frontier), "2");
}

TEST(FrontierHosts, hosts_at_one_address_share_its_places) {
  WholeFrontier frontier({.max_per_address = 2});
  for (const char* host : {"a", "b", "c", "d"}) {
    const Url at = url(std::string("http://") + host + ".test/" + host);
    frontier.offer(at, Score(1), {});
    if (at.host() != "d.test") frontier.set_address(at, "192.0.2.1");
  }
  for (const char* expected : {"a", "b"}) {
    EXPECT_EQ(take_name(frontier), expected);
    frontier.reserve(url(std::string("http://") + expected + ".test/"));
  }
  EXPECT_FALSE(frontier.can_reserve(url("http://c.test/")));
  EXPECT_TRUE(frontier.can_reserve(url("http://d.test/")));
  EXPECT_EQ(take_name(frontier), "d") << "it is elsewhere";
  EXPECT_EQ(take_name(frontier), "-");
  frontier.release(url("http://b.test/"));
  EXPECT_EQ(take_name(frontier), "c");
}

TEST(FrontierHosts, the_connections_of_a_host_count_at_its_new_address) {
  WholeFrontier frontier({.max_per_address = 1});
  const Url x = url("http://x.test/"), y = url("http://y.test/");
  frontier.set_address(x, "192.0.2.1");
  frontier.set_address(y, "192.0.2.2");
  frontier.reserve(x);
  EXPECT_TRUE(frontier.can_reserve(y));
  frontier.set_address(x, "192.0.2.2");
  EXPECT_FALSE(frontier.can_reserve(y));
  frontier.set_address(y, "192.0.2.1");
  EXPECT_TRUE(frontier.can_reserve(y));
}

TEST(FrontierHosts, the_addresses_of_an_ipv6_network_share_their_connections) {
  WholeFrontier frontier({.max_per_address = 1});
  const Url x = url("http://x.test/"), y = url("http://y.test/"), z = url("http://z.test/");
  frontier.set_address(x, "2001:db8::1");
  frontier.set_address(y, "2001:db8::2");
  frontier.set_address(z, "2001:db8:0:1::1");
  frontier.reserve(x);
  EXPECT_FALSE(frontier.can_reserve(y));
  EXPECT_TRUE(frontier.can_reserve(z));
}

TEST(FrontierHosts, a_host_that_is_given_up_loses_what_waits_and_refuses_the_rest) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(url("http://x.test/1"), Score(2), {});
  frontier.offer(url("http://x.test/2"), Score(2), {});
  frontier.offer(url("http://y.test/3"), Score(1), {});
  const auto taken = frontier.take();
  EXPECT_EQ(frontier.hosts_active(), 2u);
  frontier.abandon(url("http://x.test/"));
  EXPECT_EQ(frontier.hosts_active(), 1u);
  EXPECT_EQ(frontier.offer(url("http://x.test/4"), Score(2), {}), Offer::kRefused);
  frontier.put_back(*taken);
  EXPECT_EQ(take_name(frontier), "3");
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.hosts_active(), 0u);
}

TEST(FrontierHosts, a_batch_from_full_hosts_is_empty) {
  WholeFrontier frontier({.max_connections = 1});
  frontier.offer(page("a"), Score(1), {});
  frontier.reserve(page(""));
  EXPECT_TRUE(frontier.take_best(2).empty());
}

TEST(FrontierHosts, links_are_taken_from_a_given_host_if_it_may_be_asked) {
  WholeFrontier frontier({.delay = std::chrono::seconds(1)});
  FrontierView view(frontier);
  frontier.set_time(Time{0});
  frontier.offer(*Url::parse("http://a.test/1"), Score(1), {});
  frontier.offer(*Url::parse("http://a.test/2"), Score(2), {});
  frontier.offer(*Url::parse("http://b.test/1"), Score(3), {});
  EXPECT_FALSE(view.host("c.test").best);
  EXPECT_EQ(view.host("a.test").best, Score(2));
  EXPECT_TRUE(view.host("a.test").is_ready);
  const auto first = view.take_from("a.test");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->url.path(), "/2");
  EXPECT_EQ(view.host("a.test").in_flight, 1u);
  frontier.note_request(first->url, Time{0});
  EXPECT_FALSE(view.host("a.test").is_ready);
  EXPECT_TRUE(view.host("a.test").will_be_ready);
  EXPECT_FALSE(view.take_from("a.test"));
  EXPECT_EQ(frontier.next_ready(), Time{0});  // b
  EXPECT_EQ(frontier.next_delayed(), Time{1'000'000});
  frontier.set_time(Time{1'000'000});
  EXPECT_EQ(view.take_from("a.test")->url.path(), "/1");
}

TEST(FrontierHosts, a_host_that_was_left_is_left_for_good) {
  TempDir dir;
  const auto state = State::open(dir.path());
  ASSERT_TRUE(state.ok());
  StoredLinks links(**state);
  {
    WholeFrontier frontier({}, links);
    FrontierView view(frontier);
    frontier.offer(*Url::parse("http://a.test/1"), Score(1), {});
    frontier.offer(*Url::parse("http://b.test/1"), Score(1), {});
    view.leave("a.test");
    EXPECT_EQ(frontier.waiting(), 1u);
    EXPECT_TRUE(view.host("a.test").is_left);
    EXPECT_EQ(frontier.offer(*Url::parse("http://a.test/2"), Score(1), {}),
              Frontier::Offer::kRefused);
    ASSERT_TRUE((*state)->commit().ok());
    links.committed(links.seal());
  }
  WholeFrontier frontier({}, links);
  frontier.load();
  EXPECT_EQ(frontier.waiting(), 1u);
  EXPECT_EQ(frontier.offer(*Url::parse("http://a.test/3"), Score(1), {}),
            Frontier::Offer::kRefused);
}

// Two of four links of x are better than all of y, but nothing is known of y.
TEST(FrontierHosts, a_host_of_which_little_is_known_is_preferred_until_it_is_known) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.explore({.height = 4, .pages = 2, .known = 0});
  for (const char* path : {"1", "2", "3"})
    frontier.offer(url(fmt::format("http://x.test/{}", path)), Score(5), {});
  for (const char* path : {"4", "5", "6"})
    frontier.offer(url(fmt::format("http://y.test/{}", path)), Score(4), {});
  EXPECT_EQ(take_name(frontier), "1") << "5 + 4 and 4 + 4";
  EXPECT_EQ(take_name(frontier), "4") << "5 + 2 and 4 + 4";
  EXPECT_EQ(take_name(frontier), "2") << "5 + 2 and 4 + 2";
  EXPECT_EQ(take_name(frontier), "5") << "5 and 4 + 2";
  EXPECT_EQ(take_name(frontier), "3") << "5 and 4";
}

TEST(FrontierHosts, a_host_with_few_links_is_no_site_to_be_explored) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.explore({.height = 4, .pages = 2, .known = 4});
  for (const char* path : {"1", "2", "3", "4"})
    frontier.offer(url(fmt::format("http://x.test/{}", path)), Score(2), {});
  frontier.offer(url("http://y.test/5"), Score(4), {});
  EXPECT_EQ(take_name(frontier), "1") << "2 + 4 and 4 + 1";
  EXPECT_EQ(take_name(frontier), "5") << "2 + 2 and 4 + 1";
}

// A link that comes back from the dispatcher was not a page that is known.
TEST(FrontierHosts, a_link_that_is_put_back_gives_its_host_the_bonus_again) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.explore({.height = 4, .pages = 1, .known = 0});
  frontier.offer(url("http://x.test/1"), Score(1), {});
  frontier.offer(url("http://x.test/2"), Score(1), {});
  frontier.offer(url("http://y.test/3"), Score(0), {});
  const auto taken = frontier.take();
  frontier.put_back(*taken);
  EXPECT_EQ(take_name(frontier), "1");
  EXPECT_EQ(take_name(frontier), "3");
}

}  // namespace
}  // namespace dowser
