#include "learn/k_means.h"

#include <algorithm>
#include <limits>

#include "base/random.h"

// k-means (Lloyd 1957, published 1982): find k centroids such that the sum of the squared distances
// from each vector to its nearest centroid, the distortion, is small. Two steps are repeated until
// nothing changes:
//
//   assign   every vector belongs to the nearest centroid
//   update   every centroid becomes the mean of its vectors
//
// Neither step can raise the distortion, so it ends; but in a local minimum, which depends on where
// the centroids were at first. They are chosen as in k-means++ (Arthur and Vassilvitskii 2007): the
// first is any vector, each further one is drawn with a probability proportional to the squared
// distance from the nearest centroid chosen so far. `restarts` runs are made and the one with the
// least distortion is kept.
//
// Example, on a line: 0, 1, 10, 11 with two clusters ends with the centroids 0.5 and 10.5.
//
// A cluster that loses its last vector gets the vector that is farthest from its own centroid.
// Where all vectors lie on centroids already, there are fewer different vectors than clusters, and
// the empty cluster is removed.
//
// On vectors of length 1 the squared distance is 2 - 2 cos, so both kinds of centroid group by
// angle. A plain mean is shorter the wider its cluster is, which favours wide clusters less than
// the cosine would; `unit_centroids` compares angles alone.
//
// Every draw comes from `seed`, ties go to the lower number, and all sums are made in the order of
// the vectors: the same input gives the same clusters, bit by bit.
//
// Cost: a round is vectors × clusters × dimensions multiplications.

namespace dowser {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

DenseVectors first_centroids(const DenseVectors& vectors, uint32_t clusters, Random& random) {
  DenseVectors centroids(vectors.dimensions());
  centroids.add(vectors[random.below(vectors.size())]);
  std::vector<double> distances(vectors.size(), std::numeric_limits<double>::infinity());
  while (centroids.size() < clusters) {
    double total = 0;
    for (size_t i = 0; i < vectors.size(); ++i) {
      const double d = squared_distance(vectors[i], centroids[centroids.size() - 1]);
      distances[i] = std::min(distances[i], d);
      total += distances[i];
    }
    if (total <= 0) break;  // every vector is a centroid already
    double left = random.uniform() * total;
    size_t chosen = kNone;
    for (size_t i = 0; i < vectors.size(); ++i) {
      if (distances[i] <= 0) continue;
      chosen = i;  // the last one, should rounding leave something over
      if ((left -= distances[i]) < 0) break;
    }
    centroids.add(vectors[chosen]);
  }
  return centroids;
}

class Lloyd {
 public:
  Lloyd(const DenseVectors& vectors, DenseVectors centroids, const KMeansOptions& options)
      : vectors_(vectors), options_(options), distances_(vectors.size()) {
    result_.centroids = std::move(centroids);
    result_.cluster_of.assign(vectors.size(), kNone);
  }

  Clustering run() {
    for (uint32_t round = 0; round < options_.rounds; ++round) {
      const bool changed = assign();
      fill_empty();
      if (!changed && round > 0) break;
      update();
    }
    assign();
    remove_empty();
    result_.distortion = 0;
    for (size_t i = 0; i < vectors_.size(); ++i) {
      result_.distortion += squared_distance(vectors_[i], result_.centroids[result_.cluster_of[i]]);
    }
    return std::move(result_);
  }

 private:
  bool assign() {
    bool changed = false;
    for (size_t i = 0; i < vectors_.size(); ++i) {
      const uint32_t c = nearest_centroid(result_.centroids, vectors_[i]);
      distances_[i] = squared_distance(vectors_[i], result_.centroids[c]);
      changed |= c != result_.cluster_of[i];
      result_.cluster_of[i] = c;
    }
    return changed;
  }

  void fill_empty() {
    std::vector<uint32_t> sizes = result_.sizes();
    for (uint32_t c = 0; c < sizes.size(); ++c) {
      if (sizes[c] > 0) continue;
      const auto farthest = std::max_element(distances_.begin(), distances_.end());
      if (*farthest <= 0) continue;
      const auto i = static_cast<size_t>(farthest - distances_.begin());
      --sizes[result_.cluster_of[i]];
      ++sizes[c];
      result_.cluster_of[i] = c;
      *farthest = 0;
    }
  }

  void update() {
    const std::vector<uint32_t> sizes = result_.sizes();
    DenseVectors means(vectors_.dimensions(), sizes.size());
    for (size_t i = 0; i < vectors_.size(); ++i) {
      const std::span<double> mean = means[result_.cluster_of[i]];
      const std::span<const double> v = vectors_[i];
      for (size_t d = 0; d < v.size(); ++d) mean[d] += v[d];
    }
    for (size_t c = 0; c < sizes.size(); ++c) {
      const std::span<double> mean = means[c];
      if (sizes[c] == 0) {
        std::copy(result_.centroids[c].begin(), result_.centroids[c].end(), mean.begin());
        continue;
      }
      for (double& x : mean) x /= sizes[c];
      if (options_.unit_centroids) normalise(mean);
    }
    result_.centroids = std::move(means);
  }

  void remove_empty() {
    const std::vector<uint32_t> sizes = result_.sizes();
    std::vector<uint32_t> numbers(sizes.size());
    DenseVectors kept(vectors_.dimensions());
    for (size_t c = 0; c < sizes.size(); ++c) {
      numbers[c] = static_cast<uint32_t>(kept.size());
      if (sizes[c] > 0) kept.add(std::as_const(result_.centroids)[c]);
    }
    result_.centroids = std::move(kept);
    for (uint32_t& c : result_.cluster_of) c = numbers[c];
  }

  const DenseVectors& vectors_;
  const KMeansOptions& options_;
  Clustering result_;
  std::vector<double> distances_;  // of each vector to its own centroid
};

}  // namespace

std::vector<uint32_t> Clustering::sizes() const {
  std::vector<uint32_t> sizes(clusters());
  for (const uint32_t c : cluster_of) ++sizes[c];
  return sizes;
}

uint32_t nearest_centroid(const DenseVectors& centroids, std::span<const double> v) {
  uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t c = 0; c < centroids.size(); ++c) {
    const double d = squared_distance(v, centroids[c]);
    if (d < least) {
      least = d;
      best = c;
    }
  }
  return best;
}

Clustering k_means_from(const DenseVectors& vectors, DenseVectors centroids,
                        const KMeansOptions& options) {
  return Lloyd(vectors, std::move(centroids), options).run();
}

Result<Clustering> k_means(const DenseVectors& vectors, const KMeansOptions& options) {
  if (vectors.empty()) return Error{"k-means has no vectors to group"};
  if (options.clusters == 0) return Error{"k-means cannot make 0 clusters"};
  Random random(options.seed);
  Clustering best;
  for (uint32_t i = 0; i < std::max(options.restarts, 1u); ++i) {
    Clustering one =
        k_means_from(vectors, first_centroids(vectors, options.clusters, random), options);
    if (i == 0 || one.distortion < best.distortion) best = std::move(one);
  }
  return best;
}

}  // namespace dowser
