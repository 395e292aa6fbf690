#pragma once

#include <vector>

namespace dowser {

struct Interval {
  double mean = 0, low = 0, high = 0;  // with a 95 % interval
  bool known = false;                  // false if there were no values

  // Whether the mean differs significantly from zero.
  bool is_positive() const { return low > 0; }
  bool is_negative() const { return high < 0; }
};

// The mean over groups (topics) of the means of their values (draws), with its 95 % bootstrap
// interval: groups are drawn with replacement, then values within each, 2,000 times, always with
// the same random numbers. A single group is not resampled: then the interval is about its values
// alone. Groups must not be empty; without any group nothing is known.
Interval bootstrap_mean(const std::vector<std::vector<double>>& groups);

}  // namespace dowser
