#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "learn/signature/hits_array.h"
#include "learn/signature/signature.h"
#include "store/signature_tables.h"

// What the signatures of a crawl's judge see in the pages that it fetched.

namespace dowser {

// Reads every archived page that has a relevance, counts its hits, groups those that were found in
// `clusters` clusters, and writes the tables signatures, hits and clusters of the catalogue.
Status keep_signature_hits(const std::filesystem::path& crawl_folder,
                           const std::vector<Signature>& library, uint32_t clusters = 4);

// The tables as a hits array, whose documents are the addresses of the pages; only found pages.
struct CrawlHits {
  HitsArray array;
  std::vector<int64_t> pages;        // ids, by row
  std::vector<uint32_t> cluster_of;  // by row
};
Result<CrawlHits> read_crawl_hits(const std::filesystem::path& crawl_folder);

}  // namespace dowser
