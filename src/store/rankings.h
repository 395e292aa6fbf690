#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

// What `dowser rank` found, in tables of the catalogue that are its own: docs/formats.md.

namespace dowser {

// One value for each page in each list.
struct KeptRanking {
  std::string topic;  // "": none
  std::span<const double> pagerank, hubs, authorities;
  bool pagerank_converged = true, hits_converged = true;
};

struct KeptRankings {
  std::string made_at, settings;
  std::span<const int64_t> pages;  // their ids in the catalogue
  std::span<const uint32_t> in_links, out_links, external_in_links, communities;
  std::vector<KeptRanking> rankings;
};

// Replaces those of an earlier run: all or nothing.
Status keep_rankings(const std::filesystem::path& catalogue, const KeptRankings& rankings);

}  // namespace dowser
