#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "graph/link_graph.h"

// Slow and obvious: graphs as full matrices, and small random ones to try things on.

namespace dowser {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  // [from][to]

inline Matrix zeros(size_t n) { return Matrix(n, Vector(n)); }

// Σ over j of m[i][j] v[j].
inline Vector times(const Matrix& m, const Vector& v) {
  Vector r(v.size());
  for (size_t i = 0; i < v.size(); ++i) {
    for (size_t j = 0; j < v.size(); ++j) r[i] += m[i][j] * v[j];
  }
  return r;
}

inline Matrix times(const Matrix& a, const Matrix& b) {
  Matrix r = zeros(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) {
      for (size_t k = 0; k < a.size(); ++k) r[i][j] += a[i][k] * b[k][j];
    }
  }
  return r;
}

inline Matrix transposed(const Matrix& m) {
  Matrix t = zeros(m.size());
  for (size_t i = 0; i < m.size(); ++i) {
    for (size_t j = 0; j < m.size(); ++j) t[j][i] = m[i][j];
  }
  return t;
}

inline Vector unit(Vector v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  if (sum > 0) {
    for (double& x : v) x /= std::sqrt(sum);
  }
  return v;
}

inline double distance(const Vector& a, const Vector& b) {
  double most = a.size() == b.size() ? 0 : HUGE_VAL;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    most = std::fmax(most, std::abs(a[i] - b[i]));
  }
  return most;
}

struct RandomGraph {
  std::vector<Edge> edges;  // with repeats and links of a node to itself
  Vector weights;           // none, or one for each edge
  size_t nodes = 0;
  std::vector<uint32_t> hosts;  // few, and not the lowest numbers
  Vector relevance;             // 0, 0.25 … 1

  LinkGraph graph() const { return LinkGraph(edges, nodes, weights); }

  Matrix matrix() const {
    Matrix m = zeros(nodes);
    for (size_t i = 0; i < edges.size(); ++i) {
      double& cell = m[edges[i].from][edges[i].to];
      cell = weights.empty() ? 1 : cell + weights[i];
    }
    return m;
  }
};

// Of 1 to 12 nodes; half of them have weights, which are small whole numbers and so exact.
inline RandomGraph any_graph() {
  RandomGraph g;
  g.nodes = *rc::gen::inRange<size_t>(1, 13);
  const auto node = rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(g.nodes));
  const auto count = *rc::gen::inRange<size_t>(0, 4 * g.nodes);
  const bool weighted = *rc::gen::arbitrary<bool>();
  for (size_t i = 0; i < count; ++i) {
    g.edges.push_back({*node, *node});
    if (weighted) g.weights.push_back(*rc::gen::inRange(1, 5));
  }
  for (size_t n = 0; n < g.nodes; ++n) {
    g.hosts.push_back(*rc::gen::inRange<uint32_t>(7, 11) * 1000);
    g.relevance.push_back(*rc::gen::inRange(0, 5) / 4.0);
  }
  return g;
}

}  // namespace dowser
