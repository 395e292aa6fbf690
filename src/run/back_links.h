#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "archive/archive_index.h"
#include "base/result.h"
#include "graph/link_graph.h"
#include "strategy/strategy.h"

namespace dowser {

// Which pages link to a page: the links of an archived web, reversed. The papers use a search
// engine for this; here they come from archives of the same web or of a similar one.
//
// Addresses are the same by their seen key, redirects are followed, links with nofollow are not.
// Each page is parsed once, for its links alone, and only the graph is kept: 4 bytes per link and
// 30 per address. The pages of a layer are read again when they are needed.
class BackLinks {
 public:
  static Result<BackLinks> read(std::span<const std::filesystem::path> archives);

  // Pages from which one of these is reached, by their distance to the nearest of them, as
  // StrategyContext wants them. They live as long as this object. A layer that has more than `most`
  // pages gives those whose addresses have the least hashes: archives are often in order of
  // address, and the first would all begin with the same letter.
  // `ascends`: a page with few back-links is joined by the directories above it.
  PageLayers layers_around(std::span<const Page> pages, size_t layers, size_t most,
                           bool ascends = false);
  // Pages from which none of these can be reached by this many links.
  std::vector<const Page*> pages_far_from(std::span<const Page> pages, size_t links, size_t most);

 private:
  using Node = uint32_t;  // an address
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Address {
    uint64_t key = 0;         // hash of the seen key
    uint32_t record = kNone;  // of the page that stands there: index into archives_.urls()
    Node leads_to = kNone;    // where it is a redirect
  };

  explicit BackLinks(ArchiveSet archives) : archives_(std::move(archives)) {}
  Node node_of(const Url& url);
  Node end_of(Node node) const;  // redirects followed
  std::optional<Node> find(const Url& url) const;
  std::vector<Node> targets_of(std::span<const Page> pages, bool ascends) const;
  void read_links(uint32_t record, std::vector<Edge>& edges);
  Result<Response> load(uint32_t record) const;
  const Page* page(Node node);

  ArchiveSet archives_;
  std::vector<Address> addresses_;             // by node
  absl::flat_hash_map<uint64_t, Node> nodes_;  // by key
  LinkGraph links_;
  std::map<Node, std::unique_ptr<const Page>> pages_;  // that were wanted
};

}  // namespace dowser
