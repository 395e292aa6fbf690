#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graph/communities.h"
#include "graph/link_types.h"
#include "graph/pagerank.h"
#include "graph/reinforcement.h"
#include "mine/linked_pages.h"

// Which pages are important, by the links between them. rank_web.cc describes it.

namespace dowser {

struct RankOptions {
  // Every link counts the same, wherever it is: the algorithms as published.
  bool plain = false;
  double damping = 0.85;
  // HITS over all pages, also for a topic; otherwise from a root set.
  bool hits_over_all = false;
  size_t root = 200;          // pages of the root set: those that fit the topic best
  size_t most_in_links = 50;  // of a root page, that bring their pages into the base set
  bool find_communities = true;
};

// The values of all pages for one topic, or for none.
struct Ranking {
  std::string topic;  // "": none
  PageRank pagerank;
  HubsAndAuthorities hits;   // 0 for pages outside the base set
  size_t root = 0;           // pages of the root set; 0: HITS went over all pages
  size_t base = 0;           // pages that HITS looked at
  bool kept_within = false;  // HITS counted links within a site, since there were no others
};

struct RankedWeb {
  std::vector<Ranking> rankings;  // the first one is that without a topic
  LinkTypes links;
  Communities communities;
  std::vector<uint32_t> external_in_links;  // of each page, boilerplate left out
};

// Nothing if `watch` asked to stop.
std::optional<RankedWeb> rank_web(const LinkedPages& web, const RankOptions& options,
                                  const WatchWork& watch);

// The links that say something about the page they lead to.
LinkGraph links_without_boilerplate(const LinkedPages& web);

// Pages like a given one: those that the same pages link to, and those that link to the same pages.
struct AlikePage {
  uint32_t page;
  size_t co_citations, couplings;  // pages that link to both; pages that both link to
  double co_citation, coupling;    // the Jaccard coefficients
  bool linked;                     // one links to the other
  double similarity() const { return (co_citation + coupling) / 2; }
};
// The most similar first. Boilerplate does not count unless `plain`.
std::vector<AlikePage> pages_like(const LinkedPages& web, uint32_t page, size_t count, bool plain);

}  // namespace dowser
