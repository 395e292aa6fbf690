#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

// What the learners by nearest neighbours share: NearestNeighbours and DenseNeighbours.

namespace dowser {

struct Neighbour {
  uint32_t example;
  double cosine;  // above 0
};

// The k nearest, nearest first. Of equally near ones the earlier example counts as nearer.
inline std::vector<Neighbour> nearest(std::vector<Neighbour> all, size_t k) {
  const size_t n = std::min(all.size(), k);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(),
                    [](const Neighbour& a, const Neighbour& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.example < b.example;
                    });
  all.resize(n);
  return all;
}

// The vote for each class: the sum of cosine^sharpness over its neighbours.
inline std::vector<double> votes(std::span<const Neighbour> neighbours,
                                 std::span<const uint32_t> labels, uint32_t classes,
                                 double sharpness = 1) {
  std::vector<double> votes(classes);
  for (const Neighbour& n : neighbours) {
    votes[labels[n.example]] += sharpness == 1 ? n.cosine : std::pow(n.cosine, sharpness);
  }
  return votes;
}

}  // namespace dowser
