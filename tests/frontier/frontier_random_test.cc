#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "frontier/stored_links.h"
#include "tests/frontier/slow_frontier.h"
#include "tests/frontier/whole_frontier.h"
#include "tests/support.h"

// Random crawls, step by step against the slow reference.

namespace dowser {
namespace {

Url url(const std::string& text) { return *Url::parse(text); }

FrontierOptions random_options(Random& random) {
  FrontierOptions options;
  const auto maybe = [&](size_t most) { return random.below(2) ? 0 : 1 + random.below(most); };
  options.delay = Duration(static_cast<int64_t>(maybe(4)));
  options.max_waiting = random.below(4) ? 0 : 5 + random.below(20);
  options.max_per_host = random.below(4) ? 0 : 1 + random.below(10);
  options.max_per_site = random.below(4) ? 0 : 1 + random.below(15);
  options.max_connections = maybe(3);
  options.max_per_address = maybe(3);
  options.host_gap = maybe(4);
  return options;
}

Exploration random_exploration(Random& random) {
  if (random.below(2)) return {};
  return {static_cast<double>(1 + random.below(4)), static_cast<double>(1 + random.below(6)),
          static_cast<double>(random.below(6))};
}

// Both frontiers, to which the same happens.
class Pair {
 public:
  explicit Pair(uint64_t seed)
      : random_(seed),
        options_(random_options(random_)),
        exploration_(random_exploration(random_)) {
    slow_.explore(exploration_);
    committed_.explore(exploration_);
  }

  // With crashes the links are on disk, else in memory.
  void run(int steps, bool with_crashes) {
    if (with_crashes) {
      open();
    } else {
      fast_.emplace(options_);
      fast_->explore(exploration_);
      move_on();
    }
    for (int i = 0; i < steps; ++i) {
      step();
      if (with_crashes && random_.below(8) == 0) commit();
      if (with_crashes && random_.below(100) == 0) crash();
      RC_ASSERT(fast_->waiting() == slow_.waiting());
      RC_ASSERT(fast_->known() == slow_.known());
      RC_ASSERT(fast_->hosts_active() == slow_.hosts_active());
    }
    for (const std::string& href : in_flight_) release(href);
    in_flight_.clear();
    for (int i = 0; i < 100; ++i) {  // what is left comes in the same order
      move_on();
      take();
    }
  }

 private:
  std::string some_host() {
    constexpr const char* kHosts[] = {"a.one.org", "b.one.org", "c.two.co.uk", "d.two.co.uk",
                                      "e.test"};
    return kHosts[random_.below(std::size(kHosts))];
  }
  std::string some_href() {
    return "http://" + some_host() + "/" + std::to_string(random_.below(30));
  }
  static std::string host_of(const std::string& href) { return std::string(url(href).host()); }

  void step() {
    const std::string href = some_href();
    const double score = static_cast<double>(random_.below(6));
    switch (random_.below(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5: {
        const auto parent = static_cast<uint32_t>(random_.below(1000));
        fast_->offer(url(href), Score(score), {VisitId{parent}, 0, 0});
        slow_.offer(href, score, parent);
        break;
      }
      case 6:
      case 7:
      case 8:
      case 9:
        take();
        break;
      case 10:
      case 11:
      case 12:
        end_fetch();
        break;
      case 13:
      case 14:
        move_on();
        break;
      case 15:
        fast_->set_score(url(href), Score(score));
        slow_.set_score(href, score);
        break;
      case 16:
        fast_->drop(url(href));
        slow_.drop(href);
        break;
      case 17: {
        const std::string ip = std::to_string(random_.below(3));
        fast_->set_address(url(href), ip);
        slow_.set_address(host_of(href), ip);
        break;
      }
      case 18: {
        const Time until = now_ + Duration(static_cast<int64_t>(random_.below(5)));
        fast_->hold(url(href), until);
        slow_.hold(host_of(href), until);
        break;
      }
      default: {
        const auto fatigue = static_cast<double>(random_.below(4));
        fast_->set_fatigue(url(href), fatigue);
        slow_.set_fatigue(host_of(href), fatigue);
        if (random_.below(20) > 0) break;
        fast_->abandon(url(href));
        slow_.abandon(host_of(href));
      }
    }
  }

  void take() {
    const bool something = fast_->next_ready() == now_;
    const auto taken = fast_->take();
    const auto expected = slow_.take();
    RC_ASSERT((taken ? std::string(taken->url.href()) : "-") == expected.value_or("-"));
    RC_ASSERT(taken.has_value() == something);
    if (!taken) return;
    RC_ASSERT(taken->trail.parent->value == slow_.parent_of_flight(*expected));
    RC_ASSERT(fast_->can_reserve(taken->url));
    fast_->reserve(taken->url);
    slow_.reserve(host_of(*expected));
    fast_->note_request(taken->url, now_);
    slow_.note_request(host_of(*expected));
    in_flight_.push_back(*expected);
    taken_.insert_or_assign(*expected, *taken);
  }

  void release(const std::string& href) {
    fast_->release(url(href));
    slow_.release(host_of(href));
  }

  void end_fetch() {
    if (in_flight_.empty()) return;
    const size_t i = random_.below(in_flight_.size());
    const std::string href = in_flight_[i];
    in_flight_.erase(in_flight_.begin() + static_cast<ptrdiff_t>(i));
    release(href);
    if (random_.below(3) == 0) {
      fast_->put_back(taken_.at(href));
      slow_.put_back(href);
      return;
    }
    finish(href, visits_);
    if (random_.below(3) == 0) {  // it was a redirect
      const std::string target = some_href();
      if (fast_->mark_visited(url(target))) finish(target, visits_);
    }
    ++visits_;
  }

  void finish(const std::string& href, uint32_t id) {
    fast_->finish(url(href), VisitId{id});
    slow_.finish(href, id);
    RC_ASSERT(fast_->visit_of(url(href)) == VisitId{id});
  }

  void move_on() {
    now_ = now_ + Duration(static_cast<int64_t>(random_.below(3)));
    fast_->set_time(now_);
    slow_.set_time(now_);
  }

  void open() {
    auto state = State::open(folder_.path());
    RC_ASSERT(state.ok());
    state_ = *std::move(state);
    links_.emplace(*state_);
    fast_.emplace(options_, *links_);
    fast_->load();
    fast_->explore(exploration_);
    fast_->set_time(now_);
    slow_.set_time(now_);
  }
  void commit() {
    RC_ASSERT(state_->commit().ok());
    links_->committed(links_->seal());
    committed_ = slow_;
  }
  void crash() {
    fast_.reset();
    links_.reset();
    state_.reset();  // what was not committed is lost
    slow_ = committed_;
    slow_.crash();
    open();
    in_flight_.clear();
    for (int i = 0; i < 150; ++i) {
      const std::string href =
          "http://h" + std::to_string(i % 5) + ".test/" + std::to_string(i / 5);
      const auto visit = fast_->visit_of(url(href));
      RC_ASSERT((visit ? std::optional(visit->value) : std::nullopt) == slow_.visit_of(href));
    }
  }

  Random random_;
  FrontierOptions options_;
  Exploration exploration_;
  TempDir folder_;
  std::unique_ptr<State> state_;
  std::optional<StoredLinks> links_;
  std::optional<WholeFrontier> fast_;
  SlowFrontier slow_{options_};
  SlowFrontier committed_{options_};
  Time now_{0};
  uint32_t visits_ = 0;
  std::vector<std::string> in_flight_;
  std::map<std::string, Candidate> taken_;
};

TEST(FrontierRandom, agrees_with_the_slow_reference_whatever_its_options) {
  EXPECT_TRUE(rc::check("same order", [](uint64_t seed) { Pair(seed).run(400, false); }));
}

TEST(FrontierRandom, a_crawl_that_dies_goes_on_in_the_order_it_would_have_had) {
  EXPECT_TRUE(rc::check("same order", [](uint64_t seed) { Pair(seed).run(400, true); }));
}

}  // namespace
}  // namespace dowser
