#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/link_graph.h"
#include "mine/string_table.h"

// The pages of a crawl or of archives as nodes of a graph, with the links between them. Addresses
// that the crawler treats as one page (model/url_canonical.h) are one node, and a link to an
// address that redirects counts as a link to the final page. A page's links to itself are left out,
// and so are links to pages that are missing.

namespace dowser {

struct LinkedPages {
  struct Page {
    std::string_view url, title;
    int64_t id = 0;  // in the catalogue; in archives the number of the page
    uint32_t host = 0, site = 0;
  };
  // How well each page fits a topic: a cosine, or the relevance that the crawl's judge gave.
  struct OnTopic {
    std::string topic;
    std::vector<double> relevance;  // 0 … 1, one for each page
    bool of_crawl = false;
  };

  std::vector<Page> pages;
  LinkGraph graph;
  std::vector<OnTopic> topics;
  size_t hosts = 0, sites = 0;
  size_t links_read = 0;  // with repeats and with those that lead out
  bool of_crawl = false;

  std::vector<uint32_t> host_numbers() const;
  std::vector<uint32_t> site_numbers() const;
  // The page of that address, by the rules of the crawler.
  std::optional<uint32_t> find(std::string_view address) const;

 private:
  friend class LinkedPagesReader;
  StringBlocks texts_;
  absl::flat_hash_map<uint64_t, uint32_t> nodes_;  // by fingerprint of the address
};

struct LinkedPagesOptions {
  // Words; the pages of a crawl are then read from its archive. Without any, the topic of a crawl
  // is its own, with the relevance in its catalogue.
  std::vector<std::string> topics;
  bool with_nofollow = false;  // links that their page does not vouch for
};

// Called with the current phase and the share of it that is done, 0 … 1; returning false stops the
// work.
using WatchWork = std::function<bool(std::string_view phase, double share)>;

// `places` is the folder of one crawl, or WARC files. Nothing if `watch` asked to stop.
Result<std::optional<LinkedPages>> read_linked_pages(const std::vector<std::string>& places,
                                                     const LinkedPagesOptions& options,
                                                     const WatchWork& watch);

}  // namespace dowser
