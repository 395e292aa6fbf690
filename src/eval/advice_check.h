#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/advice.h"
#include "eval/draw.h"

// Compares a crawl's own estimate of what is left with what the labels say.

namespace dowser {

// The advice of a crawl after a number of fetches.
struct AdviceTaken {
  size_t fetched = 0;
  Advice advice;
};

struct AdviceCheck {
  size_t fetched = 0;
  Advice advice;
  size_t truth = 0;  // reachable targets that have not been found

  bool is_within_two() const;              // estimate and truth differ at most by a factor of two
  bool is_within_two_of_one_more() const;  // the same after adding one to both
  bool is_covered() const;                 // the truth is between the bounds
};

std::vector<AdviceCheck> check_advice(std::span<const AdviceTaken> taken,
                                      std::span<const HeldWeb::Node> pages, const Draw& draw);

// Summary over draws and topics.
struct AdviceScore {
  size_t checks = 0;
  double within_two = 0, within_two_of_one_more = 0, covered = 0;  // shares

  void add(const AdviceCheck& check);
};

}  // namespace dowser
