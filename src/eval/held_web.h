#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/result.h"
#include "graph/link_graph.h"
#include "model/page.h"
#include "model/response.h"

namespace dowser {

// An archived web, every page parsed once and held in memory: hundreds of crawls go over it, on
// several threads. It knows everything, so only evaluation may have it; a crawl asks it page by
// page, through HeldWorkers.
class HeldWeb {
 public:
  // A page, whatever the spelling of its address: addresses of one seen key are one node.
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  // What the web answers at an address.
  struct Answer {
    Url url;        // canonical
    Response head;  // the answer without its body
    Page page;      // empty where it is a redirect or no page
    Node node = kNone;
  };

  static Result<HeldWeb> load(std::span<const std::filesystem::path> files, size_t threads);
  // Of answers that somebody made; url, head and page are looked at.
  explicit HeldWeb(std::vector<Answer> answers);

  // Nothing where the web does not hold it.
  const Answer* find(const Url& url) const;
  bool holds(const Url& url) const { return find(url) != nullptr; }
  std::span<const Answer> answers() const { return answers_; }

  size_t nodes() const { return pages_.size(); }
  // Of the page that an address leads to, redirects followed; kNone where there is none.
  Node node_of(const Url& url) const;
  const Answer& answer(Node node) const { return answers_[pages_[node]]; }
  const Page& page(Node node) const { return answer(node).page; }
  // Between nodes: links that a crawl would follow, redirects followed.
  const LinkGraph& links() const { return links_; }

 private:
  Node resolve(const Answer* answer) const;
  void number_nodes();
  void link_nodes();

  std::vector<Answer> answers_;
  absl::flat_hash_map<uint64_t, uint32_t> by_address_;  // hash of the canonical one
  std::vector<uint32_t> pages_;  // of each node, the answer that stands for it
  LinkGraph links_;
};

// The number of links from each node to the nearest of `targets`; kNone where none can be reached.
std::vector<uint32_t> distances_to(const LinkGraph& links, std::span<const HeldWeb::Node> targets);

// Whether each node can be reached from one of `starts`.
std::vector<char> reachable_from(const LinkGraph& links, std::span<const HeldWeb::Node> starts);

}  // namespace dowser
