#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "model/crawl_statistics.h"

// The tables sites, directories and stop_directories of a catalogue: what a crawl learned about
// sites and directories, for people and for the next crawl. They are written when a crawl ends;
// docs/formats.md describes the columns.

namespace dowser {

Status write_statistics(const std::filesystem::path& catalogue, const CrawlStatistics& statistics);

struct StatisticsRows {
  std::vector<SiteRow> sites;
  std::vector<DirectoryRow> directories;
  std::vector<StopDirectoryRow> stop_directories;
};

// Empty if the crawl has not ended yet, or is older than these tables.
Result<StatisticsRows> read_statistics(const std::filesystem::path& catalogue);
Result<EarlierLists> read_earlier_lists(const std::filesystem::path& catalogue);

// The same from the pages, documents and links of a catalogue, whether the crawl has ended or not.
Status add_catalogue(const std::filesystem::path& catalogue, CrawlStatistics& statistics);

}  // namespace dowser
