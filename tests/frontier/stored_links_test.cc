#include "frontier/stored_links.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "tests/frontier/whole_frontier.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Offer = Frontier::Offer;

Url url(const std::string& text) { return *Url::parse(text); }

// A crawl that can die.
class StoredFrontier : public testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    auto state = State::open(folder_.path());
    ASSERT_TRUE(state.ok()) << state.error().message;
    state_ = *std::move(state);
    links_.emplace(*state_);
    frontier_.emplace(options_, *links_);
    frontier_->load();
  }
  void commit() {
    ASSERT_TRUE(state_->commit().ok());
    links_->committed(links_->seal());
  }
  void die() {
    frontier_.reset();
    links_.reset();
    state_.reset();
  }
  void die_and_load() {
    die();
    open();
  }
  std::string take() {
    const auto taken = frontier_->take();
    return taken ? std::string(taken->url.href()) : "-";
  }

  TempDir folder_;
  FrontierOptions options_;
  std::unique_ptr<State> state_;
  std::optional<StoredLinks> links_;
  std::optional<WholeFrontier> frontier_;
};

TEST_F(StoredFrontier, what_waits_comes_back_with_score_trail_and_order) {
  frontier_->offer(url("http://x.test/a"), Score(1), {VisitId{1}, 2, 3});
  frontier_->offer(url("http://x.test/b"), Score(1), {});
  frontier_->offer(url("http://x.test/c"), Score(0, 0, 0, 4), {});
  commit();
  frontier_->offer(url("http://x.test/b"), Score(1, 2), {VisitId{4}, 5, 6});
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->waiting(), 3u);
  const auto b = frontier_->take();
  EXPECT_EQ(b->url.href(), "http://x.test/b");
  EXPECT_EQ(b->score, Score(1, 2));
  EXPECT_EQ(b->trail.parent, VisitId{4});
  EXPECT_EQ(b->trail.depth, 5u);
  EXPECT_EQ(b->trail.position, 6u);
  EXPECT_EQ(frontier_->take()->trail.parent, VisitId{1});
  EXPECT_EQ(frontier_->take()->score, Score(0, 0, 0, 4));
}

TEST_F(StoredFrontier, a_score_that_a_strategy_set_comes_back_with_the_trail_of_the_offer) {
  const Url a = url("http://x.test/a"), b = url("http://x.test/b");
  frontier_->offer(a, Score(1), {VisitId{1}, 2, 3});
  frontier_->offer(b, Score(1), {VisitId{1}, 2, 4});
  commit();
  EXPECT_TRUE(frontier_->set_score(a, Score(0.25)));
  EXPECT_TRUE(frontier_->set_score(b, Score(0.5)));
  commit();
  frontier_->offer(a, Score(3), {VisitId{7}, 8, 9});  // a better offer takes its place
  commit();
  die_and_load();
  const auto first = frontier_->take(), second = frontier_->take();
  EXPECT_EQ(first->url, a);
  EXPECT_EQ(first->score, Score(3));
  EXPECT_EQ(first->trail.parent, VisitId{7});
  EXPECT_EQ(second->score, Score(0.5));
  EXPECT_EQ(second->trail.position, 4u);
}

TEST_F(StoredFrontier, a_score_that_an_earlier_run_set_gives_way_to_a_better_offer) {
  const Url a = url("http://x.test/a");
  frontier_->offer(a, Score(1), {VisitId{1}, 2, 3});
  EXPECT_TRUE(frontier_->set_score(a, Score(0.25)));
  commit();
  die_and_load();
  frontier_->offer(a, Score(3), {VisitId{7}, 8, 9});
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->take()->score, Score(3));
  frontier_->finish(a, VisitId{1});
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->waiting(), 0u);
}

TEST_F(StoredFrontier, what_was_on_its_way_waits_again_and_what_was_finished_does_not) {
  for (const char* path : {"a", "b", "c"}) {
    frontier_->offer(url(std::string("http://x.test/") + path), Score(1), {});
  }
  EXPECT_EQ(take(), "http://x.test/a");
  EXPECT_EQ(take(), "http://x.test/b");
  frontier_->finish(url("http://x.test/b"), VisitId{8});
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->visit_of(url("http://x.test/b")), VisitId{8});
  EXPECT_EQ(frontier_->offer(url("http://x.test/b"), Score(9), {}), Offer::kVisited);
  EXPECT_EQ(take(), "http://x.test/a");
  EXPECT_EQ(take(), "http://x.test/c");
  EXPECT_EQ(take(), "-");
}

TEST_F(StoredFrontier, the_target_of_a_redirect_that_was_not_finished_waits_again) {
  frontier_->offer(url("http://x.test/a"), Score(1), {});
  EXPECT_TRUE(frontier_->mark_visited(url("http://x.test/a")));
  EXPECT_TRUE(frontier_->mark_visited(url("http://x.test/new")));
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->offer(url("http://x.test/new"), Score(0), {}), Offer::kNew);
  EXPECT_TRUE(frontier_->mark_visited(url("http://x.test/a")));
  frontier_->finish(url("http://x.test/a"), VisitId{0});
  commit();
  die_and_load();
  EXPECT_EQ(take(), "http://x.test/new");
  EXPECT_EQ(take(), "-");
}

TEST_F(StoredFrontier, what_was_not_committed_never_happened) {
  frontier_->offer(url("http://x.test/a"), Score(1), {});
  commit();
  frontier_->offer(url("http://x.test/b"), Score(2), {});
  EXPECT_EQ(take(), "http://x.test/b") << "though it can be used before";
  frontier_->drop(url("http://x.test/a"));
  die_and_load();
  EXPECT_EQ(take(), "http://x.test/a");
  EXPECT_EQ(take(), "-");
}

TEST_F(StoredFrontier, dropped_evicted_and_refused_links_leave_nothing) {
  options_.max_waiting = 2;
  die_and_load();
  for (int i = 0; i < 5; ++i) {
    frontier_->offer(url("http://x.test/" + std::to_string(i)), Score(i), {});
  }
  EXPECT_EQ(take(), "http://x.test/4");
  frontier_->finish(url("http://x.test/4"), VisitId{0});
  frontier_->drop(url("http://x.test/3"));
  commit();
  size_t keys = 0;
  (void)state_->scan("l", [&](std::string_view, std::string_view) { ++keys; });
  EXPECT_EQ(keys, 0u);
  EXPECT_EQ(frontier_->known(), 1u);
}

TEST_F(StoredFrontier, a_host_keeps_its_count_its_time_its_delay_and_that_it_was_given_up) {
  options_.max_per_host = 2;
  die_and_load();
  frontier_->set_time(Time{0});
  for (const char* path : {"a", "b", "c"}) {
    frontier_->offer(url(std::string("http://x.test/") + path), Score(1), {});
  }
  take();
  frontier_->finish(url("http://www.x.test/a"), VisitId{0});  // spelled as a redirect had it
  frontier_->set_delay(url("http://x.test/"), Duration(5));
  frontier_->note_request(url("http://x.test/"), Time{10});
  frontier_->abandon(url("http://y.test/"));
  commit();
  die_and_load();
  EXPECT_EQ(frontier_->offer(url("http://y.test/1"), Score(1), {}), Offer::kRefused);
  EXPECT_EQ(frontier_->ready_at(url("http://x.test/")), Time{15});
  EXPECT_EQ(take(), "-");
  frontier_->set_time(Time{15});
  EXPECT_EQ(take(), "http://x.test/b");
  EXPECT_EQ(frontier_->waiting(), 0u) << "two of the host were taken";
  frontier_->note_request(url("http://x.test/"), Time{20});
  EXPECT_EQ(frontier_->ready_at(url("http://x.test/")), Time{25});
}

// A crawl that was resumed with a shorter --delay once kept the old one for every host it knew.
TEST_F(StoredFrontier, of_the_delays_only_those_that_a_host_asked_for_outlive_the_settings) {
  options_.delay = Duration(100);
  die_and_load();
  frontier_->set_time(Time{0});
  for (const char* host : {"x", "y"}) {
    const Url page = url(std::string("http://") + host + ".test/");
    frontier_->offer(page, Score(1), {});
    if (*host == 'y') frontier_->set_delay(page, Duration(300));
    frontier_->note_request(page, Time{10});
  }
  commit();
  options_.delay = Duration(5);
  die_and_load();
  EXPECT_EQ(frontier_->ready_at(url("http://x.test/")), Time{110}) << "what was promised before";
  frontier_->note_request(url("http://x.test/"), Time{200});
  EXPECT_EQ(frontier_->ready_at(url("http://x.test/")), Time{205});
  frontier_->note_request(url("http://y.test/"), Time{400});
  EXPECT_EQ(frontier_->ready_at(url("http://y.test/")), Time{700});
}

TEST_F(StoredFrontier, a_site_keeps_its_count_over_all_its_hosts) {
  options_.max_per_site = 2;
  die_and_load();
  for (const char* host : {"a", "b", "c"}) {
    frontier_->offer(url(std::string("http://") + host + ".site.org/"), Score(1), {});
  }
  EXPECT_EQ(take(), "http://a.site.org/");
  frontier_->finish(url("http://a.site.org/"), VisitId{0});
  commit();
  die_and_load();
  EXPECT_EQ(take(), "http://b.site.org/");
  EXPECT_EQ(take(), "-") << "two of the site were taken";
}

TEST_F(StoredFrontier, new_scores_survive_without_a_new_trail) {
  frontier_->offer(url("http://x.test/a"), Score(1), {VisitId{1}, 1, 1});
  frontier_->offer(url("http://x.test/b"), Score(2), {VisitId{2}, 2, 2});
  commit();
  frontier_->rescore([](const Candidate& c) { return Score(-c.score.value()); });
  EXPECT_TRUE(frontier_->set_score(url("http://x.test/b"), Score(7)));
  commit();
  die_and_load();
  const auto b = frontier_->take();
  EXPECT_EQ(b->score, Score(7));
  EXPECT_EQ(b->trail.parent, VisitId{2});
  EXPECT_EQ(frontier_->take()->score, Score(-1));
}

TEST_F(StoredFrontier, a_new_offer_goes_behind_equals_that_were_loaded) {
  frontier_->offer(url("http://x.test/a"), Score(1), {});
  frontier_->offer(url("http://x.test/b"), Score(1), {});
  commit();
  die_and_load();
  frontier_->offer(url("http://x.test/c"), Score(1), {});
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(take(), std::string("http://x.test/") + path);
}

TEST_F(StoredFrontier, a_state_that_lost_an_address_ends_the_run) {
  frontier_->offer(url("http://x.test/a"), Score(1), {});
  commit();
  std::vector<std::string> keys;
  (void)state_->scan("l", [&](std::string_view key, std::string_view) { keys.emplace_back(key); });
  for (const std::string& key : keys) state_->erase(key);
  commit();
  EXPECT_THROW(frontier_->take(), std::runtime_error);
}

}  // namespace
}  // namespace dowser
