#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/state.h"
#include "frontier/frontier.h"
#include "model/visit.h"

// What was in flight when a visit was kept, so that a killed crawl of an archived web continues as
// if nothing had happened: the same pages in the same order, the same bytes.
//
// On the live web nothing of this is saved. There a link that was in flight waits again; answers
// and times differ from run to run anyway.
//
// Links are named by their sequence in the frontier, which still holds them: a few bytes each.
// Answers are not saved, since the archived web gives them again. Keys:
//
// clang-format off
//   'f'         time and what was in flight, written with every visit: about 40 bytes, and 14 for
//               each link
//   'n'         the batch that the strategy chose last, written when it was chosen
//   'o' origin  its robots.txt was read, written once
// clang-format on

namespace dowser {

struct SavedFlight {
  // A link that the strategy chose.
  struct Fetch {
    uint64_t sequence = 0;             // of the candidate
    uint32_t mark = 0;                 // of the candidate
    std::vector<Time> redirects;       // when each was answered
    Failure failure = Failure::kNone;  // if it ended without a request

    // The candidate, from those that the frontier has taken; nothing if it is not among them.
    std::optional<Candidate> candidate(const Frontier::Taken& taken) const;
  };
  // A robots.txt that was being read.
  struct Reading {
    std::string origin, url;
    int redirects = 0;
  };
  using Running = std::variant<Fetch, Reading>;

  Time now, started;             // of the crawl
  std::vector<Fetch> failed;     // without a request, and not yet visits
  std::vector<Fetch> waiting;    // for their host's time or its robots.txt
  std::vector<Running> running;  // in the order of their start
  std::vector<Reading> moved;    // robots.txt whose redirects wait to be followed
  std::vector<uint64_t> marked;  // sequences of the links that a redirect leads to
  // The batch that the strategy chose last, of which the last `batch_left` are not yet fetched.
  // save() writes the batch only if it is not empty; load() gives only those that are left.
  std::vector<Fetch> batch;
  uint32_t batch_left = 0;
  // The origins whose robots.txt is known. save() adds them to those saved before.
  std::vector<std::string> origins;

  // All these links: true if it was taken, false if it was only marked.
  Frontier::InFlight links() const;

  void save(State& state) const;
  static Result<std::optional<SavedFlight>> load(const State& state);
};

}  // namespace dowser
