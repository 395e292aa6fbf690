#include "eval/measures.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace dowser {
namespace {

using Node = HeldWeb::Node;

// Calls back for each fetch with whether it found a new target.
template <class Callback>
void each_fetch(const Course& course, const Draw& draw, Callback callback) {
  std::vector<char> wanted = draw.is_target;
  for (const Node node : course.pages) {
    const bool found = node != HeldWeb::kNone && wanted[node];
    if (found) wanted[node] = false;
    callback(found);
  }
}

std::set<Node> targets_of(const Course& course, const Draw& draw) {
  std::set<Node> targets;
  for (const Node node : course.pages) {
    if (node != HeldWeb::kNone && draw.is_target[node]) targets.insert(node);
  }
  return targets;
}

}  // namespace

std::vector<uint32_t> curve_points(size_t budget) {
  std::set<uint32_t> points;
  for (size_t power = 10; power <= budget; power *= 10) {
    for (const size_t factor : {1, 2, 5}) {
      if (power * factor <= budget) points.insert(static_cast<uint32_t>(power * factor));
    }
  }
  for (size_t i = 1; i <= 100; ++i) {
    points.insert(static_cast<uint32_t>(std::max<size_t>(1, budget * i / 100)));
  }
  return {points.begin(), points.end()};
}

std::vector<uint32_t> found_curve(const Course& course, const Draw& draw,
                                  std::span<const uint32_t> points) {
  std::vector<uint32_t> curve;
  uint32_t fetched = 0, found = 0;
  each_fetch(course, draw, [&](bool is_found) {
    ++fetched;
    found += is_found;
    if (curve.size() < points.size() && fetched == points[curve.size()]) curve.push_back(found);
  });
  curve.resize(points.size(), found);
  return curve;
}

double area_of(const Course& course, const Draw& draw, size_t budget) {
  double area = 0, found = 0;
  size_t fetched = 0;
  each_fetch(course, draw, [&](bool is_found) {
    ++fetched;
    found += is_found;
    area += found;
  });
  if (fetched < budget) area += found * static_cast<double>(budget - fetched);
  return area;
}

std::optional<uint32_t> search_length(const Course& course, const Draw& draw, double share) {
  const double wanted = std::ceil(share * static_cast<double>(draw.reachable) - 1e-9);
  std::optional<uint32_t> length;
  uint32_t fetched = 0;
  double found = 0;
  each_fetch(course, draw, [&](bool is_found) {
    ++fetched;
    found += is_found;
    if (!length && found >= wanted) length = fetched;
  });
  return length;
}

double overlap_of(const Course& a, const Course& b, const Draw& draw) {
  const std::set<Node> in_a = targets_of(a, draw), in_b = targets_of(b, draw);
  size_t both = 0;
  for (const Node node : in_a) both += in_b.count(node);
  const size_t either = in_a.size() + in_b.size() - both;
  return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
}

double mean_over(const Course& course, std::span<const double> by_node) {
  double sum = 0;
  size_t count = 0;
  for (const Node node : course.pages) {
    if (node == HeldWeb::kNone) continue;
    sum += by_node[node];
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::vector<double> moving_average(const Course& course, std::span<const double> by_node,
                                   std::span<const uint32_t> points, size_t window) {
  std::vector<double> averages;
  for (const uint32_t point : points) {
    const size_t end = std::min<size_t>(point, course.pages.size());
    const size_t begin = end > window ? end - window : 0;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
      if (course.pages[i] != HeldWeb::kNone) sum += by_node[course.pages[i]];
    }
    averages.push_back(end == begin ? 0 : sum / static_cast<double>(end - begin));
  }
  return averages;
}

}  // namespace dowser
