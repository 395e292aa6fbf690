#include "learn/hmm_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "learn/saved_parts.h"

// From a graph of visited pages, some of them marked as wanted (targets), to a model that guesses
// how far a page is from a target, given the pages on the way to it:
//
//   1. space      every page becomes a point of a space of few dimensions (lsi.h)
//   2. clusters   the points of the pages that are not targets are grouped by X-means (x_means.h);
//                 the targets are cluster 0
//   3. states     state T_i holds the pages from which the nearest target is i links away; the last
//                 one those that are farther, or have no way to a target at all
//   4. chain      a_ij = share of the links out of T_i that lead into T_j; b_jk = share of
//                 cluster k among the pages of T_j (hidden_markov.h)
//
// A crawled page gets its cluster by the vote of the training pages nearest to it
// (dense_neighbours.h): that is the observation of the chain.
//
// A second observation, which the paper names as future work: the words of a link and of its
// address are folded into the space like a very short page and get a cluster by the same vote. How
// often the links into the pages of T_j have words of cluster k is a second table of emissions. So
// a link can be told from its neighbours before its page was seen.
//
// The hops are counted backwards from the targets: a page is 1 hop away if it links to a target.
// The paper says "in a breadth-first search out of the set of target pages", and its figure has the
// links the other way round; following links out of a target would find what targets link to.
//
// Example: home -> list -> page 7 (marked), list -> page 8, page 8 -> home. States: page 7 T0, list
// T1, home T2, page 8 T3 (three links: home, list, page 7). Links: T2->T1, T1->T0, T1->T3, T3->T2.
//
// n = 4 states, 3 to 8 clusters and a uniform start are those of the paper. It gives no number of
// dimensions and no least size of a cluster. With 100 dimensions, which are usual for large
// collections, hardly two of the 100 to 300 pages of some sessions are alike, and X-means finds one
// cluster of nearly all pages and a few of a single one, so that the chain observes nothing. 20
// dimensions and clusters of at least 3 pages were chosen on draws that are not reported; figures
// are in docs/hmm.md.
//
// Cost: that of the decomposition and of X-means: seconds for thousands of pages.

namespace dowser {
namespace {

constexpr std::string_view kKind = "browsing";
constexpr size_t kPagesForEachOfTheSmallest = 20;

Status check(const HmmTraining& training, const HmmOptions& options) {
  if (options.states < 2 || options.states > kMostPriorityStates) {
    return Error{fmt::format("the number of states must be from 2 to {}, not {}",
                             kMostPriorityStates, options.states)};
  }
  if (options.dimensions == 0) return Error{"the space needs at least one dimension"};
  if (options.smallest_cluster == 0) return Error{"a cluster has at least one page"};
  if (options.neighbours == 0) return Error{"at least one neighbour must vote"};
  if (!(options.sharpness > 0)) return Error{"the sharpness of votes must be above 0"};
  if (std::none_of(training.is_target.begin(), training.is_target.end(),
                   [](char target) { return target; })) {
    return Error{"no page is marked as useful, so there is nothing to lead to: mark at least one"};
  }
  return {};
}

// Cluster 0 for targets; 1, 2, … for the others.
Result<std::vector<uint32_t>> cluster_pages(const DenseVectors& directions,
                                            const HmmTraining& training,
                                            const HmmOptions& options) {
  DenseVectors others(directions.dimensions());
  for (size_t i = 0; i < directions.size(); ++i) {
    if (!training.is_target[i]) others.add(directions[i]);
  }
  std::vector<uint32_t> clusters(directions.size());
  if (others.empty()) return clusters;
  const auto share = static_cast<uint32_t>(others.size() / kPagesForEachOfTheSmallest);
  const Result<Clustering> found =
      x_means(others, {.least = options.least_clusters,
                       .most = options.most_clusters,
                       .seed = options.seed,
                       .smallest = std::clamp(share, 1u, options.smallest_cluster)});
  if (!found) return found.error();
  size_t next = 0;
  for (size_t i = 0; i < directions.size(); ++i) {
    if (!training.is_target[i]) clusters[i] = found->cluster_of[next++] + 1;
  }
  return clusters;
}

// The cluster of the words of a link; the number of clusters where the space knows none of them.
uint32_t symbol_of_words(const LsiSpace& space, const DenseNeighbours& pages,
                         LsiSpace::Document words) {
  const std::vector<double> direction = space.direction(words);
  return norm(direction) > 0 ? pages.best(direction) : pages.parts().classes;
}

// Row: the state that a link leads to. Column: the cluster of its words, or none. Most links into a
// page have the same words, so each wording is looked up once.
CountMatrix link_word_counts(const HmmTraining& training, std::span<const uint32_t> states,
                             uint32_t state_count, const LsiSpace& space,
                             const DenseNeighbours& pages) {
  CountMatrix counts(state_count, pages.parts().classes + 1);
  std::map<std::vector<std::pair<TermId, uint32_t>>, uint32_t> symbols;
  for (size_t i = 0; i < training.links.size(); ++i) {
    std::vector<std::pair<TermId, uint32_t>> wording;
    for (const TermCount& t : training.link_words[i]) wording.emplace_back(t.term, t.count);
    const auto [it, is_new] = symbols.try_emplace(std::move(wording));
    if (is_new) it->second = symbol_of_words(space, pages, training.link_words[i]);
    ++counts.at(states[training.links[i].second], it->second);
  }
  return counts;
}

}  // namespace

std::vector<std::optional<uint32_t>> hops_to_targets(const HmmTraining& training) {
  std::vector<std::vector<uint32_t>> sources(training.pages.size());
  for (const auto& [from, to] : training.links) sources[to].push_back(from);
  std::vector<std::optional<uint32_t>> hops(training.pages.size());
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < hops.size(); ++i) {
    if (!training.is_target[i]) continue;
    hops[i] = 0;
    queue.push_back(i);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    for (const uint32_t from : sources[queue[next]]) {
      if (hops[from]) continue;
      hops[from] = *hops[queue[next]] + 1;
      queue.push_back(from);
    }
  }
  return hops;
}

Result<HmmModel> HmmModel::train(const HmmTraining& training, const HmmOptions& options,
                                 const Progress& progress) {
  if (Status s = check(training, options); !s) return s.error();
  const auto tell = [&](std::string_view step) {
    if (progress) progress(step);
  };
  tell("reducing the space of words");
  Result<LsiSpace> space = LsiSpace::train(training.pages, {.dimensions = options.dimensions});
  if (!space) return space.error();
  DenseVectors directions(space->dimensions());
  for (const auto& page : training.pages) directions.add(space->direction(page));
  tell("grouping the pages");
  Result<std::vector<uint32_t>> clusters = cluster_pages(directions, training, options);
  if (!clusters) return clusters.error();

  tell("counting links and clusters");
  const uint32_t symbols = *std::max_element(clusters->begin(), clusters->end()) + 1;
  const uint32_t last = options.states - 1;
  const auto hops = hops_to_targets(training);
  std::vector<uint32_t> states;
  for (const auto& h : hops) states.push_back(std::min(h.value_or(last), last));
  CountMatrix link_counts(options.states, options.states);
  for (const auto& [from, to] : training.links) ++link_counts.at(states[from], states[to]);
  CountMatrix cluster_counts(options.states, symbols);
  for (size_t i = 0; i < states.size(); ++i) ++cluster_counts.at(states[i], (*clusters)[i]);
  Result<HiddenMarkov> chain = HiddenMarkov::train(link_counts, cluster_counts, options.smoothing);
  if (!chain) return chain.error();
  Result<DenseNeighbours> pages =
      DenseNeighbours::from_parts({options.neighbours, options.sharpness, symbols,
                                   std::move(directions), std::move(*clusters)});
  if (!pages) return pages.error();
  CountMatrix link_emissions;
  if (!training.link_words.empty()) {
    tell("looking up the words of links");
    link_emissions = row_shares(link_word_counts(training, states, options.states, *space, *pages),
                                options.smoothing);
  }

  HmmModel model(std::move(*space), std::move(*pages), std::move(*chain));
  model.link_emissions_ = std::move(link_emissions);
  model.states_ = std::move(states);
  model.unreachable_ = static_cast<uint32_t>(std::count(hops.begin(), hops.end(), std::nullopt));
  model.link_counts_ = std::move(link_counts);
  model.cluster_counts_ = std::move(cluster_counts);
  return model;
}

Result<HmmModel> HmmModel::from_parts(Parts parts) {
  Result<LsiSpace> space = LsiSpace::from_parts(std::move(parts.space));
  if (!space) return space.error();
  Result<DenseNeighbours> pages = DenseNeighbours::from_parts(std::move(parts.pages));
  if (!pages) return pages.error();
  Result<HiddenMarkov> chain = HiddenMarkov::from_parts(std::move(parts.chain));
  if (!chain) return chain.error();
  if (pages->parts().vectors.dimensions() != space->dimensions()) {
    return contradiction(kKind, "the pages are not of the space");
  }
  if (pages->parts().classes != chain->symbols()) {
    return contradiction(kKind, "the clusters are not those of the chain");
  }
  if (parts.states.size() != pages->parts().labels.size()) {
    return contradiction(kKind, "not one state for each page");
  }
  for (const uint32_t state : parts.states) {
    if (state >= chain->states()) return contradiction(kKind, "a state beyond the last");
  }
  const auto fits = [](const CountMatrix& counts, const CountMatrix& shares) {
    return counts.rows == shares.rows && counts.columns == shares.columns &&
           counts.values.size() == shares.values.size();
  };
  if (!fits(parts.link_counts, chain->parts().transitions) ||
      !fits(parts.cluster_counts, chain->parts().emissions)) {
    return contradiction(kKind, "the counts are not those of the chain");
  }
  if (parts.link_emissions.rows > 0 && (!has_row_shares(parts.link_emissions, chain->states()) ||
                                        parts.link_emissions.columns != chain->symbols() + 1)) {
    return contradiction(kKind, "the words of links are not those of the chain");
  }
  HmmModel model(std::move(*space), std::move(*pages), std::move(*chain));
  model.link_emissions_ = std::move(parts.link_emissions);
  model.states_ = std::move(parts.states);
  model.unreachable_ = parts.unreachable;
  model.link_counts_ = std::move(parts.link_counts);
  model.cluster_counts_ = std::move(parts.cluster_counts);
  return model;
}

HmmModel::Parts HmmModel::parts() const {
  return {space_.parts(), pages_.parts(), chain_.parts(),  states_,
          unreachable_,   link_counts_,   cluster_counts_, link_emissions_};
}

uint32_t HmmModel::link_symbol(LsiSpace::Document words) const {
  return symbol_of_words(space_, pages_, words);
}

std::vector<double> HmmModel::link_likelihood(uint32_t symbol) const {
  std::vector<double> of(chain_.states());
  for (size_t j = 0; j < of.size(); ++j) of[j] = link_emissions_.at(j, symbol);
  return of;
}

bool HmmModel::knows_no_way() const {
  const auto targets = static_cast<size_t>(cluster_counts_.at(0, 0));
  return targets + unreachable_ >= states_.size();
}

HmmModel::Nearest HmmModel::nearest_target(std::span<const double> direction) const {
  Nearest nearest;
  const DenseNeighbours::Parts& all = pages_.parts();
  for (uint32_t i = 0; i < all.labels.size(); ++i) {
    if (all.labels[i] != 0) continue;
    const double cosine = std::min(dot(direction, all.vectors[i]), 1.0);
    if (cosine > nearest.cosine) nearest = {i, cosine};
  }
  return nearest;
}

}  // namespace dowser
