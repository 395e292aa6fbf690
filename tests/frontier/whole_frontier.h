#pragma once

#include "frontier/frontier_view.h"

namespace dowser {

// A frontier together with what a strategy and the dispatcher may do with it.
class WholeFrontier : public Frontier {
 public:
  using Frontier::abandon;
  using Frontier::best_score;
  using Frontier::block;
  using Frontier::can_reserve;
  using Frontier::delay_of;
  using Frontier::Frontier;
  using Frontier::hold;
  using Frontier::is_over_limit;
  using Frontier::note_request;
  using Frontier::now;
  using Frontier::ready_at;
  using Frontier::release;
  using Frontier::rescore;
  using Frontier::reserve;
  using Frontier::set_address;
  using Frontier::set_delay;
  using Frontier::take;
  using Frontier::take_best;
  using Frontier::unblock;

  bool set_score(uint64_t fingerprint, const Score& score) {
    return FrontierView(*this).set_score(fingerprint, score);
  }
  bool set_score(const Url& url, const Score& score) {
    return set_score(seen_fingerprint(url), score);
  }
  // Drops one link, as a strategy does.
  void drop(const Url& url) {
    rescore([&](const Candidate& waiting) -> std::optional<Score> {
      if (waiting.url == url) return std::nullopt;
      return waiting.score;
    });
  }
};

}  // namespace dowser
