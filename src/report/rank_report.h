#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mine/rank_web.h"

// What `dowser rank` shows: tables for a terminal, JSON for programs, CSV and GraphML for others.

namespace dowser {

struct PhaseSeconds {
  std::string phase;
  double seconds;
};

// `top`: rows of each list.
std::string rank_text(const LinkedPages& web, const RankedWeb& ranked, size_t top);
std::string rank_json(const LinkedPages& web, const RankedWeb& ranked, size_t top,
                      const std::vector<PhaseSeconds>& seconds);

// One line a page, the highest PageRank first; for each topic three columns more.
Status write_rank_csv(const std::filesystem::path& path, const LinkedPages& web,
                      const RankedWeb& ranked);
// Pages and links with all that is known about them: type and strength of each link, too.
Status write_rank_graph(const std::filesystem::path& path, const LinkedPages& web,
                        const RankedWeb& ranked);

std::string alike_text(const LinkedPages& web, uint32_t page, const std::vector<AlikePage>& alike);
std::string alike_json(const LinkedPages& web, uint32_t page, const std::vector<AlikePage>& alike);

}  // namespace dowser
