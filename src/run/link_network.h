#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

// The link network of what crawls visited, for network analysis: pages are nodes, links between
// relevant pages edges (Pinnamaneni 2013, chapter 6: "web pages are nodes and links are retained,
// or assigned a weight attribute, based on the content of the linked document").

namespace dowser {

struct NetworkNode {
  std::string url, title, host;
  double relevance = 0;
  bool relevant = false;
  int64_t cluster = 0;      // of its newest crawl; 0: none
  std::string first, last;  // days on which it was fetched, "2026-11-17"
};

struct NetworkEdge {
  size_t from, to;                   // nodes
  int64_t count = 0;                 // links from one page to the other, in the newest crawl
  double weight = 0;                 // the relevance of the linked page
  std::optional<double> similarity;  // cosine of the hits of both, where there are signatures
  std::string first, last;
};

struct LinkNetwork {
  std::vector<NetworkNode> nodes;
  std::vector<NetworkEdge> edges;
};

// Of one crawl, or of several of the same sites in order of time. `all`: also pages and links that
// are not relevant.
Result<LinkNetwork> read_link_network(const std::vector<std::filesystem::path>& folders, bool all);

}  // namespace dowser
