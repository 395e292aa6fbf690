#include "frontier/frontier.h"

#include <gtest/gtest.h>

#include "tests/frontier/whole_frontier.h"

#include <limits>

#include "frontier/stored_links.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Offer = Frontier::Offer;

Url url(const std::string& text) { return *Url::parse(text); }
Url page(const std::string& name) { return url("http://web.test/" + name); }

std::string take_name(WholeFrontier& frontier) {
  const auto candidate = frontier.take();
  return candidate ? std::string(candidate->url.path().substr(1)) : "-";
}

TEST(Frontier, the_best_goes_first_and_among_equals_the_oldest) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(page("low"), Score(1), {});
  frontier.offer(page("first"), Score(2), {});
  frontier.offer(page("second"), Score(2), {});
  EXPECT_EQ(take_name(frontier), "first");
  EXPECT_EQ(take_name(frontier), "second");
  EXPECT_EQ(take_name(frontier), "low");
  EXPECT_EQ(take_name(frontier), "-");
}

TEST(Frontier, scores_of_several_parts_are_compared_one_after_the_other) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(page("b"), Score(1, 0.2, 9), {});
  frontier.offer(page("a"), Score(1, 0.3, 0), {});
  EXPECT_EQ(take_name(frontier), "a");
}

TEST(Frontier, a_score_that_is_not_a_number_goes_last) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  WholeFrontier frontier({.max_waiting = 3});
  frontier.offer(page("strange"), Score(none), {});
  frontier.offer(page("stranger"), Score(none), {});
  frontier.offer(page("low"), Score(-1), {});
  frontier.offer(page("better"), Score(1), {});  // in the place of the worst
  frontier.set_score(page("low"), Score(none));
  EXPECT_EQ(take_name(frontier), "better");
  EXPECT_EQ(take_name(frontier), "strange");
  EXPECT_EQ(take_name(frontier), "low");
  EXPECT_EQ(take_name(frontier), "-");
}

TEST(Frontier, a_link_offered_twice_keeps_its_best_score_and_that_trail) {
  WholeFrontier frontier(FrontierOptions{});
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {VisitId{1}, 1, 0}), Offer::kNew);
  EXPECT_EQ(frontier.offer(page("a"), Score(3), {VisitId{2}, 5, 0}), Offer::kRaised);
  EXPECT_EQ(frontier.offer(page("a"), Score(2), {VisitId{3}, 1, 0}), Offer::kKnown);
  const auto candidate = frontier.take();
  EXPECT_EQ(candidate->score, Score(3));
  EXPECT_EQ(candidate->trail.parent, VisitId{2});
  EXPECT_EQ(candidate->trail.depth, 5u);
  EXPECT_EQ(frontier.offer(page("a"), Score(9), {}), Offer::kVisited);
  EXPECT_EQ(frontier.waiting(), 0u);
}

TEST(Frontier, other_spellings_of_an_address_are_the_same_link) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(url("http://www.web.test/a/index.html"), Score(1), {});
  EXPECT_EQ(frontier.offer(url("http://web.test/a/"), Score(1), {}), Offer::kKnown);
  EXPECT_EQ(frontier.offer(url("http://web.test/a/#part"), Score(1), {}), Offer::kKnown);
  // but the address fetched is the one that was offered
  EXPECT_EQ(frontier.take()->url.href(), "http://www.web.test/a/index.html");
}

TEST(Frontier, what_is_put_back_waits_again_with_its_score) {
  WholeFrontier frontier({.max_per_host = 1});
  frontier.offer(page("a"), Score(2), {VisitId{7}, 3, 1});
  const auto taken = frontier.take();
  frontier.put_back(*taken);
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {}), Offer::kKnown);
  const auto again = frontier.take();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->score, Score(2));
  EXPECT_EQ(again->trail.parent, VisitId{7});
}

TEST(Frontier, the_hosts_of_a_site_share_its_limit) {
  WholeFrontier frontier({.max_per_site = 2});
  frontier.offer(url("http://a.site.co.uk/1"), Score(5), {});
  frontier.offer(url("http://b.site.co.uk/2"), Score(4), {});
  frontier.offer(url("http://c.site.co.uk/3"), Score(3), {});
  frontier.offer(url("http://other.co.uk/4"), Score(2), {});
  const auto first = frontier.take();
  EXPECT_EQ(frontier.waiting(), 3u);
  EXPECT_EQ(frontier.take()->url.host(), "b.site.co.uk");
  EXPECT_EQ(frontier.waiting(), 1u) << "the third host of the site is dropped with the others";
  EXPECT_EQ(frontier.offer(url("http://d.site.co.uk/5"), Score(9), {}), Offer::kRefused);
  frontier.put_back(*first);
  EXPECT_EQ(frontier.take()->url.host(), "a.site.co.uk");
  EXPECT_EQ(frontier.take()->url.host(), "other.co.uk");
  EXPECT_FALSE(frontier.take());
}

TEST(Frontier, a_full_frontier_forgets_the_worst) {
  WholeFrontier frontier({.max_waiting = 2});
  frontier.offer(page("a"), Score(1), {});
  frontier.offer(page("b"), Score(2), {});
  EXPECT_EQ(frontier.offer(page("c"), Score(1), {}), Offer::kRefused);
  EXPECT_EQ(frontier.offer(page("d"), Score(3), {}), Offer::kNew);
  EXPECT_EQ(take_name(frontier), "d");
  EXPECT_EQ(take_name(frontier), "b");
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {}), Offer::kNew) << "forgotten, not visited";
}

TEST(Frontier, an_address_reached_by_a_redirect_is_not_taken_again) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(page("a"), Score(1), {});
  EXPECT_TRUE(frontier.mark_visited(page("a")));
  EXPECT_FALSE(frontier.mark_visited(page("a")));
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {}), Offer::kVisited);
}

TEST(Frontier, waiting_links_can_be_rescored_and_dropped) {
  WholeFrontier frontier(FrontierOptions{});
  for (const char* name : {"a", "b", "c"}) frontier.offer(page(name), Score(1), {});
  EXPECT_TRUE(frontier.set_score(page("c"), Score(2)));
  EXPECT_FALSE(frontier.set_score(page("c"), Score(2)));
  EXPECT_FALSE(frontier.set_score(page("unknown"), Score(1)));
  frontier.drop(page("a"));
  EXPECT_EQ(frontier.waiting(), 2u);
  frontier.offer(page("d"), Score(0), {});
  frontier.rescore([](const Candidate& c) -> std::optional<Score> {
    if (c.url.path() == "/b") return std::nullopt;
    return Score(-c.score.value());
  });
  EXPECT_EQ(take_name(frontier), "d");
  EXPECT_EQ(take_name(frontier), "c");
  EXPECT_EQ(take_name(frontier), "-");
}

TEST(Frontier, a_visited_address_knows_its_visit_once_it_is_finished) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(page("a"), Score(1), {});
  EXPECT_EQ(frontier.visit_of(page("a")), std::nullopt);
  frontier.take();
  EXPECT_EQ(frontier.visit_of(page("a")), std::nullopt) << "on its way";
  frontier.finish(page("a"), VisitId{0});
  EXPECT_EQ(frontier.visit_of(page("a")), VisitId{0});
  EXPECT_EQ(frontier.visit_of(url("http://www.web.test/a/index.html")), VisitId{0});
  frontier.mark_visited(page("b"));
  frontier.finish(page("b"), VisitId{7});
  EXPECT_EQ(frontier.visit_of(page("b")), VisitId{7}) << "reached by a redirect";
  EXPECT_EQ(frontier.offer(page("b"), Score(1), {}), Offer::kVisited);
}

TEST(Frontier, what_is_put_back_has_its_old_place_among_equals) {
  WholeFrontier frontier(FrontierOptions{});
  for (const char* name : {"a", "b"}) frontier.offer(page(name), Score(1), {});
  frontier.put_back(*frontier.take());
  EXPECT_EQ(take_name(frontier), "a");
  EXPECT_EQ(take_name(frontier), "b");
}

TEST(Frontier, a_better_offer_does_not_change_the_address_that_is_fetched) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(url("http://www.web.test/a"), Score(1), {});
  EXPECT_EQ(frontier.offer(url("http://web.test/a"), Score(2), {}), Offer::kRaised);
  EXPECT_EQ(frontier.take()->url.href(), "http://www.web.test/a");
}

TEST(Frontier, a_strategy_that_rescores_sees_links_in_the_order_of_offers_with_their_trails) {
  WholeFrontier frontier(FrontierOptions{});
  frontier.offer(page("a"), Score(1), {VisitId{1}, 2, 3});
  frontier.offer(page("b"), Score(5), {});
  frontier.offer(page("a"), Score(3), {VisitId{4}, 5, 6});
  std::string seen;
  frontier.rescore([&](const Candidate& c) {
    seen += c.url.path();
    EXPECT_EQ(c.trail.position, c.url.path() == "/a" ? 6u : 0u);
    return Score(0, 1);
  });
  EXPECT_EQ(seen, "/a/b");
  EXPECT_EQ(take_name(frontier), "a");
}

TEST(Frontier, a_known_address_takes_less_than_a_hundred_bytes) {
  const TempDir folder;
  auto state = State::open(folder.path());
  ASSERT_TRUE(state.ok());
  StoredLinks links(**state);
  WholeFrontier frontier({.delay = Duration(1)}, links);
  constexpr size_t kLinks = 200'000;
  for (size_t i = 0; i < kLinks; ++i) {
    const std::string host = "http://h" + std::to_string(i % 2000) + ".test/";
    frontier.offer(url(host + std::to_string(i)), Score(static_cast<double>(i % 7)), {});
  }
  EXPECT_LT(frontier.memory_bytes(), 100 * kLinks);
}

}  // namespace
}  // namespace dowser
