#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "base/state.h"
#include "frontier/frontier.h"
#include "model/visit.h"

// What was under way when a visit was kept, so that a crawl of an archived web that is killed goes
// on as if nothing had happened: the same pages in the same order, the same bytes.
//
// On the live web nothing of this is saved. There a link that was under way waits again; answers
// and times differ from run to run anyway.
//
// Links are named by their sequence in the frontier, which still holds them: a few bytes each.
// Answers are not saved, since the archived web gives them again. Keys:
//
//   'f'         time and what was under way, written with every visit: some 40 bytes, and 14
//               for each link
//   'n'         the batch that the strategy chose last, written when it was chosen
//   'o' origin  its robots.txt was read, written once

namespace dowser {

struct SavedFlight {
  // A chosen link that was sent out.
  struct Errand {
    uint64_t sequence = 0;
    uint32_t mark = 0;                 // Candidate::mark
    std::vector<Time> redirects;       // when each was answered
    Failure failure = Failure::kNone;  // of one that has arrived without an answer
  };
  // A robots.txt that was being read.
  struct Reading {
    std::string origin, url;
    int redirects = 0;
  };
  struct Running {
    std::optional<Errand> errand;  // or
    Reading robots;
  };
  struct Chosen {
    uint64_t sequence = 0;
    uint32_t mark = 0;
  };

  Time now, started;             // of the crawl
  std::vector<Errand> arrived;   // and not yet learned from
  std::vector<Errand> waiting;   // for their host's time or its robots.txt
  std::vector<Running> running;  // in the order of their start
  std::vector<Reading> moved;    // robots.txt whose redirects wait to be followed
  std::vector<uint64_t> marked;  // links that a redirect leads to
  // Links that the strategy chose and that are not yet sent out. A batch loses links at its front
  // only, so the batch and how many are left say which.
  std::vector<Chosen> batch;  // when saving: where it is new, else empty
  uint32_t batch_left = 0;
  std::vector<std::string> origins;  // whose robots.txt is known; when saving: the new ones

  // Every link among them: true where it was taken.
  Frontier::UnderWay links() const;
  // Given the links that were taken: as they were chosen. What is there no longer is left out.
  absl::flat_hash_map<uint64_t, Candidate> candidates;
  std::optional<Candidate> candidate(uint64_t sequence, uint32_t mark) const;

  void save(State& state) const;
  static Result<std::optional<SavedFlight>> load(const State& state);
};

}  // namespace dowser
