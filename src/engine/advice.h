#pragma once

#include <cstddef>
#include <string>

// An estimate of what a crawl has not fetched yet, and what follows from it.

namespace dowser {

// Numbers of relevant pages. "Left" always means relevant pages that can be reached and have not
// been found yet. Low and high are bounds (docs/operating.md says how often they hold).
struct Advice {
  double found = 0;                                       // so far
  double remaining = 0, low = 0, high = 0;                // reachable, not found yet
  double next_thousand = 0, next_low = 0, next_high = 0;  // in the next thousand fetches
  double sites = 1;                                       // hosts with waiting links

  double recall() const { return share_found(remaining); }
  double least_recall() const { return share_found(high); }
  double most_recall() const { return share_found(low); }

  // Whether remaining, low and high say anything. They do not if either almost nothing or almost
  // everything may have been found, or if links wait on several sites: how the harvest falls on the
  // sites that are known says nothing about those that are not (engine/stop_advice.cc).
  bool can_tell() const { return sites <= 1 && (least_recall() >= 0.2 || most_recall() <= 0.8); }

  friend bool operator==(const Advice&, const Advice&) = default;

 private:
  double share_found(double left) const { return found + left > 0 ? found / (found + left) : 1; }
};

// "about 120 left (60 to 300)", or that it is too early to tell.
std::string advice_text(const Advice& advice);
// What to do, in a few sentences.
std::string recommendation(const Advice& advice);

// When the advice ends a crawl; 0: never.
struct StopRule {
  double recall = 0;   // at least this share of the reachable relevant pages has been found
  double harvest = 0;  // at most that share of the next thousand fetches will be relevant
  static constexpr size_t kLeastFetches = 200;
};
// Why the crawl should end, as a sentence; "" if it should not.
std::string reason_to_stop(const StopRule& rule, const Advice& advice, size_t fetched);

}  // namespace dowser
