#pragma once

#include <string>
#include <string_view>

#include "store/statistics_tables.h"

namespace dowser {

// The statistics of sites and directories as a page: tables, and a tree of the directories of each
// site coloured by the share of relevant pages. Of a very large crawl the first sites and
// directories are shown, and the page says how many were left out.
std::string stats_html(std::string_view crawl, const StatisticsRows& rows);

}  // namespace dowser
