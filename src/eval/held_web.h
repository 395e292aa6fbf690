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

// An archived web with every page parsed and held in memory, so that hundreds of crawls can run
// over it on several threads. It contains everything, so only evaluation may use it; a crawl gets
// it page by page through HeldWorkers.
class HeldWeb {
 public:
  // A page, whatever the spelling of its address: addresses with the same seen key are one node.
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  // The answer of the web at an address.
  struct Answer {
    Url url;        // canonical
    Response head;  // the answer without its body
    Page page;      // empty if it is a redirect or not a page
    Node node = kNone;
  };

  static Result<HeldWeb> load(std::span<const std::filesystem::path> files, size_t threads);
  // From given answers, of which url, head and page are used.
  explicit HeldWeb(std::vector<Answer> answers);

  // Nothing if the web does not have the address.
  const Answer* find(const Url& url) const;
  bool holds(const Url& url) const { return find(url) != nullptr; }
  std::span<const Answer> answers() const { return answers_; }

  size_t nodes() const { return pages_.size(); }
  // The node that an address leads to after redirects; kNone if there is none.
  Node node_of(const Url& url) const;
  const Answer& answer(Node node) const { return answers_[pages_[node]]; }
  const Page& page(Node node) const { return answer(node).page; }
  // Between nodes: links that a crawl would follow, after redirects.
  const LinkGraph& links() const { return links_; }

 private:
  Node resolve(const Answer* answer) const;
  void number_nodes();
  void link_nodes();

  std::vector<Answer> answers_;
  absl::flat_hash_map<uint64_t, uint32_t> by_address_;  // by hash of the canonical address
  std::vector<uint32_t> pages_;                         // the answer that represents each node
  LinkGraph links_;
};

// The number of links from each node to the nearest of `targets`; kNone if none can be reached.
std::vector<uint32_t> distances_to(const LinkGraph& links, std::span<const HeldWeb::Node> targets);

// Whether each node can be reached from one of `starts`.
std::vector<char> reachable_from(const LinkGraph& links, std::span<const HeldWeb::Node> starts);

}  // namespace dowser
