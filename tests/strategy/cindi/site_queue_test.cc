#include "strategy/cindi/site_queue.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace dowser {
namespace {

Url site_url(const std::string& text) { return *Url::parse("http://" + text); }

class SiteQueueTest : public testing::Test {
 protected:
  void offer(const std::string& address, SiteQueue::Priority priority, double score = 1) {
    queue_.note_offer(site_url(address), priority);
    frontier_.offer(site_url(address), Score(score), {});
  }
  void high(const std::string& address) { offer(address, SiteQueue::Priority::kHigh); }
  void low(const std::string& address) { offer(address, SiteQueue::Priority::kLow, 0); }

  // Chooses and visits at once; "-" if there is nothing.
  std::string next() {
    const std::optional<SiteQueue::Choice> choice = queue_.choose(view_);
    if (!choice) return "-";
    exhausted_ = choice->high_is_exhausted;
    visit(choice->candidate);
    return std::string(choice->candidate.url.href().substr(7));
  }
  void visit(const Candidate& candidate) {
    frontier_.finish(candidate.url, VisitId{visits_});
    queue_.note_visit(candidate.url, VisitId{visits_++});
  }

  Frontier frontier_{FrontierOptions{}};
  FrontierView view_{frontier_};
  SiteQueue queue_{{.most_open = 2}};
  uint32_t visits_ = 0;
  bool exhausted_ = false;
};

TEST_F(SiteQueueTest, opens_sites_with_high_priority_first_and_goes_on_where_links_are_best) {
  low("l/1");
  for (const char* page : {"a/1", "a/2", "b/1", "b/2", "c/1"}) high(page);
  offer("b/3", SiteQueue::Priority::kHigh, 1.5);
  EXPECT_EQ(next(), "a/1");
  EXPECT_EQ(next(), "b/3");
  EXPECT_FALSE(exhausted_);
  EXPECT_EQ(next(), "a/2");  // equal scores: a waits longer than b
  EXPECT_EQ(next(), "c/1");  // a is finished
  EXPECT_EQ(next(), "b/1");  // c is finished, but l has low priority only
  EXPECT_EQ(next(), "b/2");
  EXPECT_FALSE(exhausted_);
  EXPECT_EQ(next(), "l/1");
  EXPECT_TRUE(exhausted_);
  EXPECT_EQ(next(), "-");
}

TEST_F(SiteQueueTest, takes_turns_whatever_the_scores_are) {
  queue_ = SiteQueue({.most_open = 2, .take_turns = true});
  low("l/1");
  for (const char* page : {"a/1", "a/2", "b/1", "b/2", "b/3", "c/1"}) high(page);
  offer("b/4", SiteQueue::Priority::kHigh, 1.5);
  EXPECT_EQ(next(), "a/1");
  EXPECT_EQ(next(), "b/4");
  EXPECT_EQ(next(), "a/2");
  EXPECT_EQ(next(), "c/1");  // a is finished
  EXPECT_EQ(next(), "l/1");  // c is finished
  EXPECT_TRUE(exhausted_);
  EXPECT_EQ(next(), "b/1");
}

TEST_F(SiteQueueTest, links_below_zero_wait_until_nothing_else_does) {
  frontier_.offer(site_url("o/1"), Score(-1), {});
  high("a/1");
  EXPECT_EQ(next(), "a/1");
  EXPECT_EQ(next(), "o/1");
  EXPECT_TRUE(exhausted_);
}

TEST_F(SiteQueueTest, waits_for_pages_of_its_open_sites) {
  for (const char* page : {"a/1", "b/1", "c/1"}) high(page);
  const auto a = queue_.choose(view_), b = queue_.choose(view_);
  ASSERT_TRUE(a && b);
  EXPECT_FALSE(queue_.choose(view_));  // two sites are open, and c has to wait
  visit(a->candidate);
  EXPECT_EQ(next(), "c/1");
}

TEST_F(SiteQueueTest, a_trap_is_left_for_good) {
  for (const char* page : {"a/1", "a/2", "a/3"}) high(page);
  EXPECT_EQ(next(), "a/1");
  queue_.note_trap(site_url("a/1"));
  EXPECT_EQ(next(), "-");
  high("a/4");
  EXPECT_EQ(next(), "-");
  EXPECT_EQ(frontier_.waiting(), 0u);
}

TEST(SiteQueue, without_reopening_links_into_finished_sites_are_refused) {
  for (const bool reopens : {true, false}) {
    Frontier frontier{FrontierOptions{}};
    FrontierView view{frontier};
    SiteQueue queue({.reopens = reopens});
    const auto offer = [&](const char* address) {
      queue.note_offer(site_url(address), SiteQueue::Priority::kHigh);
      frontier.offer(site_url(address), Score(1), {});
    };
    offer("a/1");
    const auto first = queue.choose(view);
    ASSERT_TRUE(first);
    frontier.finish(first->candidate.url, VisitId{0});
    queue.note_visit(first->candidate.url, VisitId{0});
    EXPECT_FALSE(queue.choose(view));  // a is finished
    offer("a/2");
    EXPECT_EQ(queue.choose(view).has_value(), reopens);
  }
}

TEST(SiteQueue, a_domain_is_one_site) {
  const SiteQueue hosts({}), domains({.by_domain = true});
  EXPECT_FALSE(hosts.is_same_site(site_url("www.bbc.co.uk/"), site_url("news.bbc.co.uk/")));
  EXPECT_TRUE(domains.is_same_site(site_url("www.bbc.co.uk/"), site_url("news.bbc.co.uk/")));
  EXPECT_FALSE(domains.is_same_site(site_url("www.bbc.co.uk/"), site_url("www.itv.co.uk/")));
}

// A queue that was saved and loaded at any time chooses like one that was not.
TEST(SiteQueue, chooses_alike_after_save_and_load) {
  std::string chosen, expected;
  for (const bool reloads : {false, true}) {
    Random r(3);
    Frontier f{FrontierOptions{}};
    FrontierView v{f};
    auto q = std::make_unique<SiteQueue>(SiteQueue::Options{.most_open = 3});
    std::string order;
    std::vector<Candidate> in_flight;
    for (uint32_t visit = 0; visit < 300;) {
      for (int i = 0; i < 2; ++i) {
        const std::string address = fmt::format("h{}.test/{}", r.below(20), r.below(40));
        const bool is_high = r.below(2);
        q->note_offer(site_url(address),
                      is_high ? SiteQueue::Priority::kHigh : SiteQueue::Priority::kLow);
        f.offer(site_url(address), Score(is_high), {});
      }
      const bool is_time = r.below(2) == 0;
      if (reloads && is_time) {
        ByteWriter out;
        q->save(out);
        q = std::make_unique<SiteQueue>(SiteQueue::Options{.most_open = 3});
        ByteReader in(out.bytes());
        ASSERT_TRUE(q->load(in).ok());
        EXPECT_TRUE(in.at_end());
      }
      if (auto choice = q->choose(v)) in_flight.push_back(std::move(choice->candidate));
      if (in_flight.size() < 3 && r.below(2)) continue;
      if (in_flight.empty()) {
        ++visit;
        continue;
      }
      const Candidate done = in_flight.front();
      in_flight.erase(in_flight.begin());
      f.finish(done.url, VisitId{visit});
      q->note_visit(done.url, VisitId{visit++});
      order += std::string(done.url.href()) + "\n";
    }
    (reloads ? chosen : expected) = order;
  }
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_EQ(chosen, expected);
}

}  // namespace
}  // namespace dowser
