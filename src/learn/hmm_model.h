#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "learn/dense_neighbours.h"
#include "learn/hidden_markov.h"
#include "learn/lsi.h"
#include "learn/x_means.h"

// A model learned from browsing (Liu, Janssen and Milios 2005): which kinds of page lead to the
// wanted ones. The steps are described in the .cc file.

namespace dowser {

struct HmmOptions {
  uint32_t states = 4;       // distances that are distinguished: 0, 1, 2, and 3 or more
  uint32_t dimensions = 20;  // of the reduced space, at most
  uint32_t least_clusters = 3, most_clusters = 8;
  // Pages in a cluster, at least; fewer where there are fewer than 20 pages for each of them.
  uint32_t smallest_cluster = 3;
  double smoothing = HiddenMarkov::kDefaultSmoothing;
  uint32_t neighbours = 5;  // that vote for the cluster of a page
  double sharpness = 4;     // of their votes
  uint64_t seed = 1;        // of the clustering
};

// A graph of pages as numbers.
struct HmmTraining {
  std::vector<std::span<const TermCount>> pages;     // terms in ascending order of id
  std::vector<std::pair<uint32_t, uint32_t>> links;  // from page, to page; each once
  std::vector<char> is_target;                       // by page
  // By link the terms of its words and of its address, in ascending order of id; empty: nobody
  // looked.
  std::vector<std::vector<TermCount>> link_words;
};

class HmmModel {
 public:
  struct Parts {
    LsiSpace::Parts space;
    DenseNeighbours::Parts pages;  // the training pages; label 0 are the targets
    HiddenMarkov::Parts chain;
    std::vector<uint32_t> states;  // of the training pages
    uint32_t unreachable = 0;      // pages from which no target can be reached
    CountMatrix link_counts;       // links from state to state, before smoothing
    CountMatrix cluster_counts;    // pages of a state in each cluster
    // By the state that a link leads to: the shares of the clusters that its words belong to; the
    // last column is that of links without a known word. No rows where nobody looked.
    CountMatrix link_emissions;

    friend bool operator==(const Parts&, const Parts&) = default;
  };

  // Reports the current step, for a person who waits.
  using Progress = std::function<void(std::string_view step)>;

  static Result<HmmModel> train(const HmmTraining& training, const HmmOptions& options = {},
                                const Progress& progress = {});
  static Result<HmmModel> from_parts(Parts parts);
  Parts parts() const;

  const LsiSpace& space() const { return space_; }
  const HiddenMarkov& chain() const { return chain_; }
  const DenseNeighbours& pages() const { return pages_; }
  std::span<const uint32_t> states() const { return states_; }
  uint32_t unreachable() const { return unreachable_; }
  // Whether no page but the targets themselves leads to a target. Then no page is at a known
  // distance, and all links have nearly the same prediction.
  bool knows_no_way() const;
  const CountMatrix& link_counts() const { return link_counts_; }
  const CountMatrix& cluster_counts() const { return cluster_counts_; }
  uint32_t clusters() const { return chain_.symbols(); }  // with cluster 0, the targets

  // The greatest cosine to a target, 0 … 1, and which training page that is.
  struct Nearest {
    uint32_t page = 0;
    double cosine = 0;
  };
  Nearest nearest_target(std::span<const double> direction) const;
  // The cluster of a page, by its neighbours. `direction` is that of space().
  uint32_t cluster(std::span<const double> direction) const { return pages_.best(direction); }

  // The words of a link as a symbol: their cluster, or clusters() where none of them is known. And
  // P(symbol | state of the page that the link leads to), for each state.
  bool knows_link_words() const { return link_emissions_.rows > 0; }
  uint32_t link_symbol(LsiSpace::Document words) const;
  std::vector<double> link_likelihood(uint32_t symbol) const;

 private:
  HmmModel(LsiSpace space, DenseNeighbours pages, HiddenMarkov chain)
      : space_(std::move(space)), pages_(std::move(pages)), chain_(std::move(chain)) {}

  LsiSpace space_;
  DenseNeighbours pages_;
  HiddenMarkov chain_;
  std::vector<uint32_t> states_;
  uint32_t unreachable_ = 0;
  CountMatrix link_counts_, cluster_counts_, link_emissions_;
};

// The number of links from each page to the nearest target, along links; nothing if there is no
// way.
std::vector<std::optional<uint32_t>> hops_to_targets(const HmmTraining& training);

}  // namespace dowser
