#pragma once

#include <cstdint>
#include <vector>

namespace dowser {

struct Interval {
  double mean = 0, low = 0, high = 0;  // 95 %
  bool known = false;                  // there was something to take the mean of

  // Whether it tells the mean from zero.
  bool is_positive() const { return low > 0; }
  bool is_negative() const { return high < 0; }
};

// The mean over groups (topics) of the means of their values (draws), with its 95 % interval by the
// bootstrap: groups are drawn with replacement, then values within each, 2,000 times, always the
// same way. A single group is not drawn: then the interval is about its values alone. Groups must
// not be empty; without any, nothing is known.
Interval bootstrap_mean(const std::vector<std::vector<double>>& groups);

}  // namespace dowser
