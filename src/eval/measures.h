#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "eval/course.h"
#include "eval/draw.h"

// What a course was worth.

namespace dowser {

// After how many fetches a curve is noted: 10, 20, 50 … and a hundred even steps, up to the budget.
std::vector<uint32_t> curve_points(size_t budget);

// Targets found after so many fetches. A crawl that ended early stays where it was.
std::vector<uint32_t> found_curve(const Course& course, const Draw& draw,
                                  std::span<const uint32_t> points);

// Sum over the fetches 1 … budget of the targets found until then.
double area_of(const Course& course, const Draw& draw, size_t budget);

// Fetches until this share of the reachable targets was found; nothing where it never was.
std::optional<uint32_t> search_length(const Course& course, const Draw& draw, double share);

// Targets that both found, as a share of those that either found (K 4.2: robustness).
double overlap_of(const Course& a, const Course& b, const Draw& draw);

// The mean of a value over the pages that were fetched; 0 where there are none.
double mean_over(const Course& course, std::span<const double> by_node);
// The same over the last `window` fetches before each point (U3: moving average).
std::vector<double> moving_average(const Course& course, std::span<const double> by_node,
                                   std::span<const uint32_t> points, size_t window);

}  // namespace dowser
