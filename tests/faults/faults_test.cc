#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/faults/call_faults.h"
#include "tests/faults/crawls_fixture.h"
#include "tests/faults/mutations.h"

// A sample of what bench/faults runs at length.

namespace dowser::faults {
namespace {

constexpr uint64_t kSeed = 20;
constexpr size_t kMutations = 25;

class Faults : public CrawlsFixture {
 protected:
  // One call of the phase fails in each way.
  void fail_calls_of(const std::string& name) {
    const std::vector<Phase> phases = phases_of(*crawls_);
    const auto phase =
        std::find_if(phases.begin(), phases.end(), [&](const Phase& p) { return p.name == name; });
    ASSERT_NE(phase, phases.end());
    CallFaults faults(*crawls_);
    std::mt19937_64 random(kSeed);
    for (Fault fault : ways_to_fail()) {
      const long calls = faults.calls(*phase, fault);
      if (calls == 0) continue;
      fault.at = 1 + static_cast<long>(random() % static_cast<uint64_t>(calls));
      const Trial trial = faults.run(*phase, fault, 0);
      EXPECT_EQ(trial.bad, "") << trial.detail << "\n  the call: " << trial.hit
                               << "\n  bench/faults --calls --phase " << name << " --with "
                               << fault.with << (fault.after ? " --after" : "") << " --at "
                               << fault.at;
    }
  }
};

TEST_F(Faults, a_crawl_whose_calls_fail_loses_nothing_and_can_go_on) { fail_calls_of("crawl"); }
TEST_F(Faults, a_resume_whose_calls_fail_loses_nothing_and_can_go_on) { fail_calls_of("resume"); }
TEST_F(Faults, a_recovery_whose_calls_fail_loses_nothing_and_can_go_on) {
  fail_calls_of("recover");
}
TEST_F(Faults, an_end_whose_calls_fail_loses_nothing_and_can_go_on) { fail_calls_of("end"); }
TEST_F(Faults, an_export_whose_calls_fail_is_complete_or_says_so) { fail_calls_of("export"); }

TEST_F(Faults, an_explain_whose_calls_fail_is_complete_or_says_so) { fail_calls_of("explain"); }

// Each with four of the ways to fail, since there are many commands.
TEST_F(Faults, commands_on_a_finished_crawl_whose_calls_fail_spoil_nothing_and_can_be_repeated) {
  CallFaults faults(*crawls_);
  std::mt19937_64 random(kSeed);
  for (const Phase& phase : phases_of(*crawls_)) {
    if (phase.words.empty()) continue;
    std::vector<Fault> ways = ways_to_fail();
    std::shuffle(ways.begin(), ways.end(), random);
    ways.resize(4);
    for (Fault fault : ways) {
      const long calls = faults.calls(phase, fault);
      if (calls == 0) continue;
      fault.at = 1 + static_cast<long>(random() % static_cast<uint64_t>(calls));
      const Trial trial = faults.run(phase, fault, 0);
      EXPECT_EQ(trial.bad, "") << trial.detail << "\n  the call: " << trial.hit
                               << "\n  bench/faults --calls --phase " << phase.name << " --with "
                               << fault.with << (fault.after ? " --after" : "") << " --at "
                               << fault.at;
    }
  }
}

TEST_F(Faults, a_damaged_folder_is_gone_on_with_or_left_as_it_is) {
  Mutations mutations(*crawls_);
  for (size_t i = 0; i < kMutations; ++i) {
    const Fate fate = mutations.run(kSeed, i, 0);
    EXPECT_FALSE(fate.is_bad()) << fate.outcome << " " << fate.detail << "\n  " << fate.mutation.how
                                << " of " << fate.mutation.file << ", " << fate.mutation.detail
                                << "\n  bench/faults --seed " << kSeed << " --mutation " << i;
  }
}

}  // namespace
}  // namespace dowser::faults
