#include "eval/verdicts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dowser {
namespace {

double share(size_t part, size_t of) {
  return of > 0 ? static_cast<double>(part) / static_cast<double>(of) : 0;
}

double f1_of(size_t both, size_t said, size_t on_topic) { return share(2 * both, said + on_topic); }

void measure_order(std::vector<PageVerdict> verdicts, VerdictQuality& quality) {
  std::sort(verdicts.begin(), verdicts.end(),
            [](const PageVerdict& a, const PageVerdict& b) { return a.relevance > b.relevance; });
  size_t both = 0;
  for (size_t i = 0; i < verdicts.size();) {
    const double relevance = verdicts[i].relevance;
    size_t here = 0;
    for (; i < verdicts.size() && verdicts[i].relevance == relevance; ++i) {
      here += verdicts[i].on_topic;
    }
    both += here;
    quality.average_precision += share(here, quality.on_topic) * share(both, i);
    const double f1 = f1_of(both, i, quality.on_topic);
    if (f1 <= quality.best_f1) continue;
    quality.best_f1 = f1;
    quality.best_threshold = relevance;
  }
}

void measure_calibration(std::span<const PageVerdict> verdicts, VerdictQuality& quality) {
  for (const PageVerdict& v : verdicts) {
    const double place = std::clamp(v.relevance, 0.0, 1.0) * VerdictQuality::kBins;
    const size_t bin = std::min(VerdictQuality::kBins - 1, static_cast<size_t>(place));
    quality.bins[bin] += {1, size_t{v.on_topic}, v.relevance};
  }
  for (const VerdictQuality::Bin& bin : quality.bins) {
    quality.calibration_error += std::abs(bin.relevance - static_cast<double>(bin.on_topic)) /
                                 static_cast<double>(verdicts.size());
  }
}

}  // namespace

VerdictQuality::Bin& VerdictQuality::Bin::operator+=(const Bin& other) {
  pages += other.pages;
  on_topic += other.on_topic;
  relevance += other.relevance;
  return *this;
}

std::optional<VerdictQuality> verdict_quality(std::span<const PageVerdict> verdicts) {
  VerdictQuality quality;
  size_t said = 0, both = 0;
  for (const PageVerdict& v : verdicts) {
    ++quality.pages;
    quality.on_topic += v.on_topic;
    said += v.relevant;
    both += v.relevant && v.on_topic;
  }
  if (quality.on_topic == 0) return std::nullopt;
  quality.precision = share(both, said);
  quality.recall = share(both, quality.on_topic);
  quality.f1 = f1_of(both, said, quality.on_topic);
  measure_order({verdicts.begin(), verdicts.end()}, quality);
  measure_calibration(verdicts, quality);
  return quality;
}

}  // namespace dowser
