#include "frontier/frontier.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "base/random.h"

namespace dowser {
namespace {

using Offer = Frontier::Offer;

Url url(const std::string& text) { return *Url::parse(text); }
Url page(const std::string& name) { return url("http://web.test/" + name); }

std::string take_name(Frontier& frontier) {
  const auto candidate = frontier.take();
  return candidate ? std::string(candidate->url.path().substr(1)) : "-";
}

TEST(Frontier, the_best_goes_first_and_among_equals_the_oldest) {
  Frontier frontier({});
  frontier.offer(page("low"), Score(1), {});
  frontier.offer(page("first"), Score(2), {});
  frontier.offer(page("second"), Score(2), {});
  EXPECT_EQ(take_name(frontier), "first");
  EXPECT_EQ(take_name(frontier), "second");
  EXPECT_EQ(take_name(frontier), "low");
  EXPECT_EQ(take_name(frontier), "-");
}

TEST(Frontier, scores_of_several_parts_are_compared_one_after_the_other) {
  Frontier frontier({});
  frontier.offer(page("b"), Score(1, 0.2, 9), {});
  frontier.offer(page("a"), Score(1, 0.3, 0), {});
  EXPECT_EQ(take_name(frontier), "a");
}

TEST(Frontier, a_link_offered_twice_keeps_its_best_score_and_that_trail) {
  Frontier frontier({});
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
  Frontier frontier({});
  frontier.offer(url("http://www.web.test/a/index.html"), Score(1), {});
  EXPECT_EQ(frontier.offer(url("http://web.test/a/"), Score(1), {}), Offer::kKnown);
  EXPECT_EQ(frontier.offer(url("http://web.test/a/#part"), Score(1), {}), Offer::kKnown);
  // but the address fetched is the one that was offered
  EXPECT_EQ(frontier.take()->url.href(), "http://www.web.test/a/index.html");
}

TEST(Frontier, a_host_rests_for_its_delay_and_others_go_meanwhile) {
  Frontier frontier({.delay = std::chrono::seconds(1)});
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

TEST(Frontier, no_more_errands_at_a_host_than_it_has_places) {
  Frontier frontier({.max_connections = 2});
  for (const char* path : {"1", "2", "3"}) {
    frontier.offer(url(std::string("http://x.test/") + path), Score(1), {});
  }
  for (const char* expected : {"1", "2"}) {
    EXPECT_EQ(take_name(frontier), expected);
    frontier.enter(url("http://x.test/"));
  }
  EXPECT_FALSE(frontier.has_place(url("http://x.test/")));
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.next_ready(), std::nullopt) << "not time is missing, but a place";
  frontier.leave(url("http://x.test/"));
  EXPECT_EQ(take_name(frontier), "3");
}

TEST(Frontier, a_host_with_a_delay_is_asked_by_one_at_a_time) {
  Frontier frontier({.delay = Duration(1), .max_connections = 2});
  frontier.set_time(Time{0});
  frontier.offer(url("http://x.test/1"), Score(1), {});
  frontier.enter(url("http://x.test/"));
  EXPECT_FALSE(frontier.has_place(url("http://x.test/")));
  EXPECT_EQ(take_name(frontier), "-");
  frontier.leave(url("http://x.test/"));
  EXPECT_EQ(take_name(frontier), "1");
}

TEST(Frontier, a_host_can_ask_for_a_longer_delay_or_for_rest) {
  Frontier frontier({.delay = std::chrono::seconds(1)});
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

TEST(Frontier, what_is_put_back_waits_again_with_its_score) {
  Frontier frontier({.max_per_host = 1});
  frontier.offer(page("a"), Score(2), {VisitId{7}, 3, 1});
  const auto taken = frontier.take();
  frontier.put_back(*taken);
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {}), Offer::kKnown);
  const auto again = frontier.take();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->score, Score(2));
  EXPECT_EQ(again->trail.parent, VisitId{7});
}

TEST(Frontier, a_batch_is_the_best_of_all_hosts_resting_or_not) {
  Frontier frontier({.delay = std::chrono::seconds(1)});
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

TEST(Frontier, a_full_frontier_forgets_the_worst) {
  Frontier frontier({.max_waiting = 2});
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
  Frontier frontier({});
  frontier.offer(page("a"), Score(1), {});
  EXPECT_TRUE(frontier.mark_visited(page("a")));
  EXPECT_FALSE(frontier.mark_visited(page("a")));
  EXPECT_EQ(take_name(frontier), "-");
  EXPECT_EQ(frontier.offer(page("a"), Score(1), {}), Offer::kVisited);
}

TEST(Frontier, what_waits_can_be_raised_dropped_and_scored_anew) {
  Frontier frontier({});
  for (const char* name : {"a", "b", "c"}) frontier.offer(page(name), Score(1), {});
  EXPECT_TRUE(frontier.raise(page("c"), Score(2)));
  EXPECT_FALSE(frontier.raise(page("c"), Score(1)));
  EXPECT_FALSE(frontier.raise(page("unknown"), Score(1)));
  EXPECT_TRUE(frontier.drop(page("a")));
  EXPECT_FALSE(frontier.drop(page("a")));
  frontier.offer(page("d"), Score(0), {});
  frontier.rescore([](const Candidate& c) -> std::optional<Score> {
    if (c.url.path() == "/b") return std::nullopt;
    return Score(-c.score.value());
  });
  EXPECT_EQ(take_name(frontier), "d");
  EXPECT_EQ(take_name(frontier), "c");
  EXPECT_EQ(take_name(frontier), "-");
}

// The slow, obvious frontier: a list that is searched from end to end.
class SlowFrontier {
 public:
  void offer(const std::string& href, double score) {
    if (visited_.contains(href)) return;
    const auto [it, added] = waiting_.try_emplace(href, score, sequence_);
    if (added) {
      ++sequence_;
    } else {
      it->second.first = std::max(it->second.first, score);
    }
  }
  std::string take(const std::function<bool(const std::string&)>& may_go) {
    auto best = waiting_.end();
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (!may_go(it->first)) continue;
      if (best == waiting_.end() || it->second.first > best->second.first ||
          (it->second.first == best->second.first && it->second.second < best->second.second)) {
        best = it;
      }
    }
    if (best == waiting_.end()) return "-";
    const std::string href = best->first;
    waiting_.erase(best);
    visited_[href] = true;
    return href;
  }

 private:
  std::map<std::string, std::pair<double, int>> waiting_;
  std::map<std::string, bool> visited_;
  int sequence_ = 0;
};

TEST(Frontier, agrees_with_the_slow_reference_on_random_crawls) {
  rc::check("same order", [](uint64_t seed) {
    Random random(seed);
    Frontier fast({.delay = Duration(3)});
    SlowFrontier slow;
    std::map<std::string, Time> ready;
    Time now{0};
    for (int step = 0; step < 300; ++step) {
      const std::string host = "h" + std::to_string(random.below(5)) + ".test";
      const std::string href = "http://" + host + "/" + std::to_string(random.below(40));
      switch (random.below(4)) {
        case 0:
        case 1: {
          const double score = static_cast<double>(random.below(6));
          fast.offer(url(href), Score(score), {});
          slow.offer(href, score);
          break;
        }
        case 2: {
          const auto taken = fast.take();
          const std::string expected = slow.take(
              [&](const std::string& h) { return ready[std::string(url(h).host())] <= now; });
          RC_ASSERT((taken ? std::string(taken->url.href()) : "-") == expected);
          if (taken) {
            fast.note_request(taken->url, now);
            ready[std::string(taken->url.host())] = now + Duration(3);
          }
          break;
        }
        default:
          now = now + Duration(static_cast<int64_t>(random.below(3)));
          fast.set_time(now);
      }
    }
  });
}

}  // namespace
}  // namespace dowser
