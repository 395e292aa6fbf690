#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/link_graph.h"

// What kind of link each edge is, and how much it says about the page it leads to. link_types.cc
// describes the rules.

namespace dowser {

enum class LinkType : uint8_t {
  kExternal,     // to a page of another site
  kWithin,       // to a page of the same site
  kBoilerplate,  // on at least half of the pages of its host: a menu, a footer
};

// One of each for each edge, in the order of graph.out().
struct LinkTypes {
  std::vector<LinkType> types;
  // 0 … 1: 1 for the only link of a site to a page, less for each of many.
  std::vector<double> strengths;

  // 1, and less for boilerplate only: for an algorithm that distinguishes sites itself.
  double discount(size_t edge) const {
    return types[edge] == LinkType::kBoilerplate ? strengths[edge] : 1;
  }
  std::vector<double> discounts() const;
};

// `hosts` and `sites` have a number for each node. A site consists of the hosts, one or several,
// that one person or organisation is responsible for.
LinkTypes link_types(const LinkGraph& graph, std::span<const uint32_t> hosts,
                     std::span<const uint32_t> sites);

}  // namespace dowser
