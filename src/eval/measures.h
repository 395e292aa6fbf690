#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/course.h"
#include "eval/draw.h"

// Measures of what a crawl found.

namespace dowser {

// The numbers of fetches at which curves are recorded: 10, 20, 50 … and a hundred even steps, up to
// the budget.
std::vector<uint32_t> curve_points(size_t budget);

// Targets found after each of these numbers of fetches. A crawl that ended early stays constant.
std::vector<uint32_t> found_curve(const Course& course, const Draw& draw,
                                  std::span<const uint32_t> points);

// The sum over the fetches 1 … budget of the targets found until then.
double area_of(const Course& course, const Draw& draw, size_t budget);

// The number of fetches until this share of the reachable targets was found; nothing if it never
// was.
std::optional<uint32_t> search_length(const Course& course, const Draw& draw, double share);

// Targets that both found, as a share of those that either found (robustness in Küçük 2009, section
// 4.2).
double overlap_of(const Course& a, const Course& b, const Draw& draw);

// The mean of a value over the fetched pages; 0 if there are none.
double mean_over(const Course& course, std::span<const double> by_node);
// The same over the last `window` fetches before each point (moving average in Uluhan 2006, ch.
// IV).
std::vector<double> moving_average(const Course& course, std::span<const double> by_node,
                                   std::span<const uint32_t> points, size_t window);

}  // namespace dowser
