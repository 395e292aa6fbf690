#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

// What has changed between two crawls of the same sites. The rules are described in the .cc file.

namespace dowser {

struct PageChange {
  std::string url, title;
  std::string detail;           // where it moved to, its status or failure
  std::optional<double> shift;  // of its hits: 1 - cosine, where both crawls have signatures
};

// Signatures of a host's pages together.
struct HostConcepts {
  std::string host;
  // By crawl, in order of time: the entropy of the shares of its hits over the signatures, in bits;
  // nothing if it has no hits.
  std::vector<std::optional<double>> entropy;
  std::vector<size_t> pages;  // with hits
  double shift = 0;           // between the first and the last of these crawls
  bool narrows = false;   // its entropy falls from each crawl to the next, and by a tenth in all
  std::string strongest;  // the signature with most hits in the last crawl
};

struct ClusterShift {
  int64_t cluster = 0;  // of the earlier crawl
  size_t pages = 0;     // that both have
  double shift = 0;     // the mean of theirs
};

struct CrawlDiff {
  std::string before, after;  // folders
  size_t compared = 0;        // pages that the earlier crawl found
  std::vector<PageChange> appeared, gone, failed, forbidden, moved, text_changed, markup_changed;
  size_t unchanged = 0;
  size_t not_asked = 0;  // found before; the later crawl did not come to them
  size_t not_found = 0;  // of those that are there: no longer relevant
  struct Link {
    std::string from, to;
  };
  std::vector<Link> links_came, links_went;
  std::vector<ClusterShift> clusters;
  bool has_signatures = false;
};

struct CrawlSeries {
  std::vector<std::string> crawls;
  std::vector<size_t> found;        // by crawl
  std::vector<CrawlDiff> steps;     // from each to the next
  std::vector<HostConcepts> hosts;  // those whose hits shifted most first
};

// At least two folders, in order of time. An error if a catalogue or a page that has to be compared
// cannot be read.
Result<CrawlSeries> diff_crawls(const std::vector<std::filesystem::path>& folders,
                                const Watch& watch = keep_going);

}  // namespace dowser
