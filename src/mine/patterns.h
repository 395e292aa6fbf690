#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "learn/association_rules.h"
#include "learn/frequent_sets.h"
#include "learn/sequential_patterns.h"
#include "mine/usage_options.h"

// What sessions have in common: pages that are seen together, one after the other, and groups of
// sessions and of pages.

namespace dowser {

// Sessions that look at the same pages, or pages that the same sessions look at.
struct UsageCluster {
  size_t size = 0;                // sessions or pages
  std::vector<uint32_t> pages;    // its most characteristic pages, the strongest first
  std::vector<double> strengths;  // of these: share of its sessions, or similarity to its centre
};

struct UsagePatterns {
  size_t sessions = 0;  // that were searched
  size_t support = 0;
  std::vector<FrequentSet> sets;  // of two pages or more, most support first
  std::vector<AssociationRule> rules;
  std::vector<SequentialPattern> sequences;  // of two pages or more; others may come between
  std::vector<SequentialPattern> paths;      // of three or more, directly one after the other
  std::vector<UsageCluster> session_clusters, page_clusters;
  bool complete = true;  // false: stopped before all were found
};

// `paths` are sessions as sequences of pages.
UsagePatterns find_usage_patterns(const std::vector<std::vector<uint32_t>>& paths, size_t pages,
                                  const PatternOptions& options, const std::function<bool()>& stop);

}  // namespace dowser
