#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "learn/signature/cluster_hits.h"
#include "learn/signature/hits_array.h"
#include "learn/signature/signature.h"
#include "store/signature_tables.h"

// What the signatures of a crawl's judge see in the pages that it fetched.

namespace dowser {

struct KeptHits {
  HitsArray found;        // of the pages that were found
  HitsClusters clusters;  // of its rows; none if there are no rows
};

// Reads every archived page that has a relevance, counts its hits, groups those that were found in
// `clusters` clusters, and writes the tables signatures, hits and clusters of the catalogue. What a
// server said is unchanged since an earlier crawl is read from the archives of `previous`.
Result<KeptHits> keep_signature_hits(const std::filesystem::path& crawl_folder,
                                     const std::vector<Signature>& library,
                                     const std::vector<std::string>& previous,
                                     uint32_t clusters = 4);

// The tables as a hits array, whose documents are the addresses of the pages; only found pages.
struct CrawlHits {
  HitsArray array;
  std::vector<int64_t> pages;        // ids, by row
  std::vector<uint32_t> cluster_of;  // by row
};
Result<CrawlHits> read_crawl_hits(const std::filesystem::path& crawl_folder);

}  // namespace dowser
