#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/advice.h"
#include "eval/draw.h"

// Was the advice right? The crawl's own estimate of what is left, beside what the labels say.

namespace dowser {

// What a crawl was told after so many fetches.
struct AdviceTaken {
  size_t fetched = 0;
  Advice advice;
};

struct AdviceCheck {
  size_t fetched = 0;
  Advice advice;
  size_t truth = 0;  // targets that can be reached and were not found yet

  bool is_within_two() const;              // by a factor; of nothing, only nothing
  bool is_within_two_of_one_more() const;  // the same of both numbers plus one
  bool is_covered() const;                 // by the bounds
};

std::vector<AdviceCheck> check_advice(std::span<const AdviceTaken> taken,
                                      std::span<const HeldWeb::Node> pages, const Draw& draw);

// Over draws and topics.
struct AdviceScore {
  size_t checks = 0;
  double within_two = 0, within_two_of_one_more = 0, covered = 0;  // shares

  void add(const AdviceCheck& check);
};

}  // namespace dowser
