#include "eval/statistics.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace dowser {
namespace {

constexpr size_t kResamples = 2000;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Interval bootstrap_mean(const std::vector<std::vector<double>>& groups) {
  Interval interval;
  if (groups.empty()) return interval;
  interval.known = true;
  for (const auto& group : groups)
    interval.mean += mean(group) / static_cast<double>(groups.size());
  Random random(1);
  std::vector<double> means(kResamples);
  for (double& resampled : means) {
    for (size_t i = 0; i < groups.size(); ++i) {
      const auto& group = groups[groups.size() == 1 ? 0 : random.below(groups.size())];
      double sum = 0;
      for (size_t k = 0; k < group.size(); ++k) sum += group[random.below(group.size())];
      resampled += sum / static_cast<double>(group.size() * groups.size());
    }
  }
  std::sort(means.begin(), means.end());
  interval.low = means[static_cast<size_t>(0.025 * kResamples)];
  interval.high = means[static_cast<size_t>(0.975 * kResamples) - 1];
  return interval;
}

}  // namespace dowser
