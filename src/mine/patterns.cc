#include "mine/patterns.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/k_means.h"

// Patterns (Küçük 2009, 2.4.3): sessions are transactions for the search of frequent sets and
// rules, and sequences for that of sequential patterns. The general searches are in learn/.
//
// Clusters by k-means. A session is a vector of the pages it holds, each weighted by how few
// sessions hold it, scaled to length 1; pages that more than half of the sessions hold tell nothing
// and are left out, and so are sessions of one page. Only the 200 pages that most sessions hold are
// components, so that a vector is short. For clusters of pages the table is turned: a page is a
// vector of how often it is seen together with each of those pages.

namespace dowser {
namespace {

constexpr size_t kMostPatterns = 20'000;  // of each kind
constexpr size_t kComponents = 200;
constexpr size_t kMostClustered = 20'000;  // sessions
constexpr size_t kRepresentatives = 8;

using Paths = std::vector<std::vector<uint32_t>>;

template <class Pattern>
void order_by_support(std::vector<Pattern>& patterns) {
  std::sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
    if (a.support != b.support) return a.support > b.support;
    if (a.items.size() != b.items.size()) return a.items.size() > b.items.size();
    return a.items < b.items;
  });
}

class Clusters {
 public:
  Clusters(const Paths& paths, size_t pages, size_t count) : count_(count) {
    std::vector<uint32_t> holding(pages);
    for (const auto& path : paths) {
      if (sets_.size() == kMostClustered) break;
      std::vector<uint32_t> set = path;
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      if (set.size() < 2) continue;
      for (const uint32_t page : set) ++holding[page];
      sets_.push_back(std::move(set));
    }
    std::vector<uint32_t> order(pages);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return holding[a] > holding[b]; });
    component_.assign(pages, -1);
    for (const uint32_t page : order) {
      if (pages_.size() == kComponents || holding[page] < 2) break;
      if (2 * holding[page] > sets_.size()) continue;
      component_[page] = static_cast<int>(pages_.size());
      pages_.push_back(page);
      weights_.push_back(
          std::log(static_cast<double>(sets_.size()) / static_cast<double>(holding[page])));
    }
  }

  std::vector<UsageCluster> of_sessions() const {
    DenseVectors vectors(pages_.size());
    std::vector<size_t> session_of;
    for (size_t s = 0; s < sets_.size(); ++s) {
      std::vector<double> v(pages_.size());
      bool any = false;
      for (const uint32_t page : sets_[s]) {
        if (component_[page] < 0) continue;
        v[static_cast<size_t>(component_[page])] = weights_[static_cast<size_t>(component_[page])];
        any = true;
      }
      if (!any) continue;
      normalise(v);
      vectors.add(v);
      session_of.push_back(s);
    }
    return clusters(vectors, [&](const Clustering& found, uint32_t c) {
      std::vector<double> strengths(pages_.size());
      size_t size = 0;
      for (size_t i = 0; i < session_of.size(); ++i) {
        if (found.cluster_of[i] != c) continue;
        ++size;
        for (const uint32_t page : sets_[session_of[i]]) {
          if (component_[page] >= 0) ++strengths[static_cast<size_t>(component_[page])];
        }
      }
      for (double& s : strengths) s /= static_cast<double>(std::max<size_t>(1, size));
      return strengths;
    });
  }

  std::vector<UsageCluster> of_pages() const {
    DenseVectors vectors(pages_.size(), pages_.size());
    for (const auto& set : sets_) {
      for (const uint32_t a : set) {
        for (const uint32_t b : set) {
          if (component_[a] < 0 || component_[b] < 0) continue;
          vectors[static_cast<size_t>(component_[a])][static_cast<size_t>(component_[b])] += 1;
        }
      }
    }
    for (size_t i = 0; i < vectors.size(); ++i) {
      // Logarithms, so that one popular neighbour does not decide alone.
      for (double& x : vectors[i]) x = std::log1p(x);
      normalise(vectors[i]);
    }
    return clusters(vectors, [&](const Clustering& found, uint32_t c) {
      std::vector<double> strengths(pages_.size());
      for (size_t i = 0; i < pages_.size(); ++i) {
        if (found.cluster_of[i] == c) strengths[i] = dot(vectors[i], found.centroids[c]);
      }
      return strengths;
    });
  }

 private:
  template <class StrengthsOf>
  std::vector<UsageCluster> clusters(const DenseVectors& vectors, const StrengthsOf& of) const {
    if (vectors.size() < 2 * count_ || count_ == 0) return {};
    KMeansOptions options;
    options.clusters = static_cast<uint32_t>(count_);
    options.unit_centroids = true;
    options.rounds = 30;
    const Result<Clustering> found = k_means(vectors, options);
    if (!found) return {};
    const std::vector<uint32_t> sizes = found->sizes();
    std::vector<UsageCluster> all;
    for (uint32_t c = 0; c < found->clusters(); ++c) {
      UsageCluster cluster{sizes[c], {}, {}};
      const std::vector<double> strengths = of(*found, c);
      std::vector<uint32_t> order(strengths.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](uint32_t a, uint32_t b) { return strengths[a] > strengths[b]; });
      for (const uint32_t i : order) {
        if (cluster.pages.size() == kRepresentatives || strengths[i] < 0.05) break;
        cluster.pages.push_back(pages_[i]);
        cluster.strengths.push_back(strengths[i]);
      }
      if (cluster.size > 0) all.push_back(std::move(cluster));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.size > b.size; });
    return all;
  }

  const size_t count_;
  Paths sets_;                   // the different pages of sessions
  std::vector<uint32_t> pages_;  // by component
  std::vector<double> weights_;
  std::vector<int> component_;  // by page; -1: none
};

}  // namespace

UsagePatterns find_usage_patterns(const Paths& paths, size_t pages, const PatternOptions& options,
                                  const std::function<bool()>& stop) {
  UsagePatterns found;
  found.sessions = paths.size();
  found.support =
      options.support > 0 ? options.support : std::max<size_t>(2, (paths.size() + 99) / 100);

  FrequentSetOptions sets;
  sets.support = found.support;
  sets.largest = options.largest_set;
  sets.most = kMostPatterns;
  sets.stop = stop;
  FrequentSets all = frequent_sets(paths, sets);
  found.complete &= all.complete;
  found.rules = association_rules(all.sets, paths.size(), {options.confidence, 1});
  std::erase_if(all.sets, [](const FrequentSet& set) { return set.items.size() < 2; });
  found.sets = std::move(all.sets);
  order_by_support(found.sets);

  for (const bool adjacent : {false, true}) {
    SequentialPatternOptions sequences;
    sequences.support = found.support;
    sequences.longest = options.longest_sequence;
    sequences.adjacent = adjacent;
    sequences.most = kMostPatterns;
    sequences.stop = stop;
    SequentialPatterns patterns = sequential_patterns(paths, sequences);
    found.complete &= patterns.complete;
    const size_t least = adjacent ? 3 : 2;
    std::erase_if(patterns.patterns, [&](const auto& p) { return p.items.size() < least; });
    order_by_support(patterns.patterns);
    (adjacent ? found.paths : found.sequences) = std::move(patterns.patterns);
  }
  if (stop && stop()) {
    found.complete = false;
    return found;
  }
  if (options.clusters > 0) {
    const Clusters clusters(paths, pages, options.clusters);
    found.session_clusters = clusters.of_sessions();
    found.page_clusters = clusters.of_pages();
  }
  return found;
}

}  // namespace dowser
