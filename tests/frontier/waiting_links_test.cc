#include "frontier/waiting_links.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "base/random.h"

namespace dowser {
namespace {

TEST(WaitingLinks, the_front_of_a_queue_is_its_best_and_the_worst_is_that_of_all) {
  const bool held = rc::check([](uint64_t seed) {
    Random random(seed);
    WaitingLinks links(true);
    WaitingLinks::Queue queues[2];
    std::map<Rank, WaitingLinks::Slot> of_queue[2], all;
    uint64_t sequence = 0;
    // Of one part or of several; some differ by less than a float can tell, and a seed's by more.
    const auto some_score = [&] {
      if (random.below(10) == 0) return random.below(2) == 0 ? Score::seed() : Score::last();
      const double first = static_cast<double>(random.below(2)) + 1e-12 * random.below(3);
      return Score(first, 0, static_cast<double>(random.below(2)));
    };
    for (int step = 0; step < 300; ++step) {
      const HostId host = static_cast<HostId>(random.below(2));
      const uint64_t action = random.below(5);
      if (action < 3) {
        const Rank rank{some_score(), sequence++};
        const auto slot = links.add(queues[host], host, 77 + rank.sequence, rank);
        of_queue[host][rank] = slot;
        all[rank] = slot;
      } else if (!of_queue[host].empty()) {
        auto it = of_queue[host].begin();
        std::advance(it, static_cast<ptrdiff_t>(random.below(of_queue[host].size())));
        const auto [rank, slot] = *it;
        of_queue[host].erase(it);
        all.erase(rank);
        RC_ASSERT(links.rank(slot) == rank);
        RC_ASSERT(links.fingerprint(slot) == 77 + rank.sequence);
        RC_ASSERT(links.host(slot) == host);
        if (action == 3) {
          links.remove(queues[host], slot);
        } else {
          const Rank next{some_score(), rank.sequence};
          links.set_score(queues[host], slot, next.score);
          of_queue[host][next] = slot;
          all[next] = slot;
        }
      }
      RC_ASSERT(links.size() == all.size());
      if (!all.empty()) RC_ASSERT(links.worst() == all.rbegin()->second);
      for (int h = 0; h < 2; ++h) {
        RC_ASSERT(queues[h].size() == of_queue[h].size());
        if (!queues[h].empty()) RC_ASSERT(queues[h].front().slot == of_queue[h].begin()->second);
      }
    }
  });
  EXPECT_TRUE(held);
}

TEST(WaitingLinks, the_slots_of_links_that_are_gone_are_used_again) {
  WaitingLinks links(false);
  WaitingLinks::Queue queue;
  for (uint64_t i = 0; i < 100; ++i) links.add(queue, 0, i, {Score(1), i});
  const size_t bytes = links.memory_bytes();
  for (uint64_t i = 0; i < 100'000; ++i) {
    links.remove(queue, queue.front().slot);
    links.add(queue, 0, i, {Score(1), 100 + i});
  }
  EXPECT_EQ(links.memory_bytes(), bytes);
}

}  // namespace
}  // namespace dowser
