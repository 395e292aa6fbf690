#include "strategy/hub_finder.h"

#include <algorithm>

#include "graph/distiller.h"

namespace dowser {
namespace {

// The order of the best hubs is stable long before their values converge to nine digits.
const ReinforcementLimits kLimits{.tolerance = 1e-4, .max_steps = 100};

}  // namespace

void HubFinder::add(const Visit& visit) {
  // Its links are followed last, and two copies of a page are one authority, not two.
  if (visit.near_duplicate_of || visit.soft_404) return;
  Known page;
  page.asked = seen_fingerprint(visit.candidate.url);
  page.answered = visit.response.url.empty() ? page.asked : seen_fingerprint(visit.response.url);
  page.relevance = visit.judgement.relevance.value;
  page.is_found = visit.found();
  page.links.reserve(visit.page.links.size());
  for (const Link& link : visit.page.links) {
    if (link.nofollow) continue;
    const uint64_t to = seen_fingerprint(link);
    if (to != page.asked && to != page.answered) page.links.push_back(to);
  }
  std::sort(page.links.begin(), page.links.end());
  page.links.erase(std::unique(page.links.begin(), page.links.end()), page.links.end());
  page.links.shrink_to_fit();
  pages_.push_back(std::move(page));
  if (pages_.size() > most_pages_) pages_.pop_front();
}

HubFinder::Worths HubFinder::worths(size_t hubs) const {
  std::vector<double> authority;  // by node, which is the index in pages_
  absl::flat_hash_map<uint64_t, uint32_t> nodes;
  for (const Known& page : pages_) {
    const auto node = static_cast<uint32_t>(authority.size());
    authority.push_back(page.is_found ? page.relevance : 0);
    nodes.emplace(page.asked, node);
    nodes.emplace(page.answered, node);
  }
  // An edge to a page without relevance has no weight in either sum of the distiller, so only edges
  // to authorities are in the graph: a few in a hundred.
  std::vector<Edge> edges;
  for (uint32_t node = 0; node < pages_.size(); ++node) {
    for (const uint64_t link : pages_[node].links) {
      const auto to = nodes.find(link);
      if (to != nodes.end() && authority[to->second] > 0) edges.push_back({node, to->second});
    }
  }
  const Distilled distilled =
      distil(LinkGraph(edges, pages_.size()), authority, {.limits = kLimits, .best_hubs = hubs});
  Worths worths;
  for (const RankedNode& hub : distilled.best_hubs) {
    double sum = 0, visited = 0;
    for (const uint64_t link : pages_[hub.node].links) {
      const auto to = nodes.find(link);
      if (to == nodes.end()) continue;
      sum += pages_[to->second].relevance;
      ++visited;
    }
    for (const uint64_t link : pages_[hub.node].links) {
      double& worth = worths[link];
      worth = std::max(worth, sum / visited);  // a hub has at least one visited link
    }
  }
  return worths;
}

void HubFinder::save(ByteWriter& out) const {
  out.number(static_cast<uint64_t>(pages_.size()));
  for (const Known& page : pages_) {
    out.number(page.asked);
    out.number(page.answered);
    out.number(page.relevance);
    out.number(static_cast<uint8_t>(page.is_found));
    out.number(static_cast<uint64_t>(page.links.size()));
    for (const uint64_t link : page.links) out.number(link);
  }
}

void HubFinder::load(ByteReader& in) {
  for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
    Known& page = pages_.emplace_back();
    page.asked = in.number<uint64_t>();
    page.answered = in.number<uint64_t>();
    page.relevance = in.number<double>();
    page.is_found = in.number<uint8_t>() != 0;
    for (uint64_t links = in.number<uint64_t>(); links > 0 && in.ok(); --links) {
      page.links.push_back(in.number<uint64_t>());
    }
  }
}

}  // namespace dowser
