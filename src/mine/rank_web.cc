// The structure of a web (Küçük 2009, section 2.2): which pages are important, which belong
// together.
//
// PageRank (graph/pagerank.cc) of all pages, and once more for each topic, with a surfer who jumps
// to the pages that fit it best (Haveliwala 2002): "a set of PageRank vectors, each biased with a
// different topic". HITS (graph/hits.cc) over all pages, and for each topic from a root set and its
// neighbours (Kleinberg 1999): the 200 pages that fit best, all pages that they link to, and up to
// 50 pages that link to each.
//
// Küçük names three cases in which HITS "did not work well". The remedies, on by default:
//
// 1. Hosts that reinforce each other: the links of one site to a page count as one.
// 2. Generated links: menus count as one link per host, and links within a site do not count for
//    HITS.
// 3. Pages off the topic: the topic's relevance damps both ends of a link.
//
// PageRank has the first two as strengths of links (graph/link_types.cc), and the surfer who picks
// a weak link mostly jumps instead, so a farm of a thousand pages on one site has one vote. A farm
// on a thousand sites has a thousand; only a topic helps then, since its surfer does not jump
// there. Links with rel=nofollow do not count. `plain` switches all of it off.
//
// If a base set has no link between sites, as in a web of one site, HITS counts links within the
// site.
//
// HITS may converge slowly: it stops after kMostWork visits of links (at least 100 steps), and says
// whether it has converged.
//
// Cost: O(links) for each step; 1 million pages and 20 million links take about 1.5 GB.

#include "mine/rank_web.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>

#include "graph/co_citation.h"
#include "graph/hits.h"
#include "graph/ranking.h"

namespace dowser {
namespace {

constexpr double kTolerance = 1e-12;  // of both algorithms
constexpr double kMostWork = 4e9;     // visits of links by HITS

// A part of the web with its own numbers for nodes.
struct Part {
  LinkGraph graph;
  std::vector<uint32_t> nodes;  // in the whole web
  std::vector<uint32_t> sites;
  std::vector<double> relevance;  // empty: 1
};

class Ranker {
 public:
  Ranker(const LinkedPages& web, const RankOptions& options, const WatchWork& watch)
      : web_(web), options_(options), watch_(watch) {}

  std::optional<RankedWeb> run() {
    const std::vector<uint32_t> hosts = web_.host_numbers();
    sites_ = web_.site_numbers();
    if (!go_on("classifying links", 0)) return std::nullopt;
    result_.links = link_types(web_.graph, hosts, sites_);
    count_external();
    rank("", nullptr);
    for (const LinkedPages::OnTopic& topic : web_.topics) {
      if (!stopped_) rank(topic.topic, &topic.relevance);
    }
    if (options_.find_communities && !stopped_) find_communities();
    if (stopped_) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool go_on(std::string_view phase, double share) {
    stopped_ = stopped_ || !watch_(phase, share);
    return !stopped_;
  }

  void count_external() {
    result_.external_in_links.assign(web_.graph.nodes(), 0);
    for (uint32_t n = 0; n < web_.graph.nodes(); ++n) {
      for (size_t e = web_.graph.out().begin(n); e < web_.graph.out().end(n); ++e) {
        if (result_.links.types[e] == LinkType::kExternal) {
          ++result_.external_in_links[web_.graph.out().neighbour(e)];
        }
      }
    }
  }

  void rank(const std::string& topic, const std::vector<double>* relevance) {
    Ranking ranking;
    ranking.topic = topic;
    std::vector<RankedNode> root;
    if (relevance) root = best_nodes(*relevance, options_.root);
    rank_pages(root, ranking);
    if (stopped_) return;
    const bool over_all = !relevance || options_.hits_over_all;
    Part part = over_all ? whole(relevance) : base_set(root, *relevance);
    ranking.root = over_all ? 0 : root.size();
    ranking.base = part.nodes.size();
    find_hubs(std::move(part), ranking);
    result_.rankings.push_back(std::move(ranking));
  }

  void rank_pages(const std::vector<RankedNode>& root, Ranking& ranking) {
    PageRankOptions options;
    options.damping = options_.damping;
    options.tolerance = kTolerance;
    options.weak_links_jump = !options_.plain;
    const double expected = std::log(kTolerance) / std::log(std::max(options_.damping, 0.01));
    options.on_step = [&](int step, double) {
      return go_on("PageRank", std::min(1.0, step / expected));
    };
    std::vector<double> teleport;
    if (!root.empty()) {
      teleport.resize(web_.graph.nodes());
      for (const RankedNode& node : root) teleport[node.node] = node.value;
    }
    ranking.pagerank = options_.plain ? pagerank(web_.graph, options, teleport)
                                      : pagerank(web_.graph.with_weights(result_.links.strengths),
                                                 options, teleport);
  }

  Part whole(const std::vector<double>* relevance) {
    Part part;
    part.graph = options_.plain ? web_.graph : web_.graph.with_weights(result_.links.discounts());
    part.nodes.resize(web_.graph.nodes());
    for (uint32_t n = 0; n < part.nodes.size(); ++n) part.nodes[n] = n;
    part.sites = sites_;
    if (relevance && !options_.plain) part.relevance = *relevance;
    return part;
  }

  bool brings_neighbours(size_t edge) const {
    return options_.plain || result_.links.types[edge] != LinkType::kBoilerplate;
  }

  // The number of the edge in out().
  size_t edge_of(uint32_t from, uint32_t to) const {
    const auto row = web_.graph.out().of(from);
    const auto place = std::lower_bound(row.begin(), row.end(), to) - row.begin();
    return web_.graph.out().begin(from) + static_cast<size_t>(place);
  }

  std::vector<uint32_t> nodes_around(const std::vector<RankedNode>& root) const {
    std::vector<uint32_t> nodes;
    for (const RankedNode& r : root) {
      nodes.push_back(r.node);
      for (size_t e = web_.graph.out().begin(r.node); e < web_.graph.out().end(r.node); ++e) {
        if (brings_neighbours(e)) nodes.push_back(web_.graph.out().neighbour(e));
      }
      size_t in_links = 0;
      for (const uint32_t from : web_.graph.in().of(r.node)) {
        if (in_links == options_.most_in_links) break;
        if (!brings_neighbours(edge_of(from, r.node))) continue;
        nodes.push_back(from);
        ++in_links;
      }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  Part base_set(const std::vector<RankedNode>& root, const std::vector<double>& relevance) const {
    Part part;
    part.nodes = nodes_around(root);
    absl::flat_hash_map<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < part.nodes.size(); ++i) numbers[part.nodes[i]] = i;
    LinkGraphBuilder builder;
    builder.need_nodes(part.nodes.size());
    for (const uint32_t from : part.nodes) {
      part.sites.push_back(sites_[from]);
      if (!options_.plain) part.relevance.push_back(relevance[from]);
      for (size_t e = web_.graph.out().begin(from); e < web_.graph.out().end(from); ++e) {
        const auto to = numbers.find(web_.graph.out().neighbour(e));
        if (to == numbers.end()) continue;
        const double weight = options_.plain ? 1 : result_.links.discount(e);
        builder.add(numbers[from], to->second, weight);
      }
    }
    part.graph = builder.freeze();
    return part;
  }

  static bool has_links_between(const Part& part) {
    for (uint32_t n = 0; n < part.graph.nodes(); ++n) {
      for (const uint32_t to : part.graph.out().of(n)) {
        if (part.sites[n] != part.sites[to]) return true;
      }
    }
    return false;
  }

  void find_hubs(Part part, Ranking& ranking) {
    HitsOptions options;
    options.limits.tolerance = kTolerance;
    const auto edges = static_cast<double>(std::max<size_t>(part.graph.edges(), 1));
    options.limits.max_steps = static_cast<int>(std::clamp(kMostWork / edges, 100.0, 1000.0));
    options.limits.on_step = [&](int step, double) {
      return go_on("HITS", static_cast<double>(step) / options.limits.max_steps);
    };
    if (!options_.plain) {
      ranking.kept_within = !has_links_between(part);
      options.share_by_host = options.drop_within_host = !ranking.kept_within;
    }
    HubsAndAuthorities found = hits(part.graph, options, part.sites, part.relevance);
    ranking.hits.steps = found.steps;
    ranking.hits.converged = found.converged;
    ranking.hits.moved = found.moved;
    ranking.hits.hubs.assign(web_.graph.nodes(), 0);
    ranking.hits.authorities.assign(web_.graph.nodes(), 0);
    for (size_t i = 0; i < part.nodes.size(); ++i) {
      ranking.hits.hubs[part.nodes[i]] = found.hubs[i];
      ranking.hits.authorities[part.nodes[i]] = found.authorities[i];
    }
  }

  void find_communities() {
    CommunityOptions options;
    options.on_pass = [&](int, int) { return go_on("communities", 0); };
    result_.communities =
        options_.plain ? communities(web_.graph, options)
                       : communities(web_.graph.with_weights(result_.links.strengths), options);
  }

  const LinkedPages& web_;
  const RankOptions& options_;
  const WatchWork& watch_;
  bool stopped_ = false;
  std::vector<uint32_t> sites_;
  RankedWeb result_;
};

bool has_edge(const LinkGraph& graph, uint32_t from, uint32_t to) {
  const auto row = graph.out().of(from);
  return std::binary_search(row.begin(), row.end(), to);
}

}  // namespace

std::optional<RankedWeb> rank_web(const LinkedPages& web, const RankOptions& options,
                                  const WatchWork& watch) {
  return Ranker(web, options, watch).run();
}

LinkGraph links_without_boilerplate(const LinkedPages& web) {
  const LinkTypes links = link_types(web.graph, web.host_numbers(), web.site_numbers());
  LinkGraphBuilder builder;
  builder.need_nodes(web.graph.nodes());
  for (uint32_t n = 0; n < web.graph.nodes(); ++n) {
    for (size_t e = web.graph.out().begin(n); e < web.graph.out().end(n); ++e) {
      if (links.types[e] != LinkType::kBoilerplate) builder.add(n, web.graph.out().neighbour(e));
    }
  }
  return builder.freeze();
}

std::vector<AlikePage> pages_like(const LinkedPages& web, uint32_t page, size_t count, bool plain) {
  const LinkGraph graph = plain ? web.graph : links_without_boilerplate(web);
  absl::flat_hash_map<uint32_t, AlikePage> found;
  for (const CoCited& other : most_co_cited(graph, page, graph.nodes())) {
    found[other.node] = {other.node, other.count, 0, other.similarity, 0, false};
  }
  for (const CoCited& other : most_coupled(graph, page, graph.nodes())) {
    AlikePage& alike = found[other.node];
    alike.page = other.node;
    alike.couplings = other.count;
    alike.coupling = other.similarity;
  }
  std::vector<AlikePage> all;
  all.reserve(found.size());
  for (auto& [node, alike] : found) {
    alike.linked = has_edge(graph, page, node) || has_edge(graph, node, page);
    all.push_back(alike);
  }
  std::sort(all.begin(), all.end(), [](const AlikePage& a, const AlikePage& b) {
    return a.similarity() != b.similarity() ? a.similarity() > b.similarity() : a.page < b.page;
  });
  if (all.size() > count) all.resize(count);
  return all;
}

}  // namespace dowser
