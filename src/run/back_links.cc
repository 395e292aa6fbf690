#include "run/back_links.h"

#include <algorithm>

#include "engine/dispatcher.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"

namespace dowser {

Result<BackLinks> BackLinks::read(std::span<const std::filesystem::path> archives) {
  Result<ArchiveSet> opened = ArchiveSet::open(archives);
  if (!opened) return opened.error();
  BackLinks known(std::move(*opened));
  std::vector<Edge> edges;
  for (uint32_t i = 0; i < known.archives_.urls().size(); ++i) known.read_links(i, edges);
  for (Edge& edge : edges) edge.to = known.end_of(edge.to);
  known.links_ = LinkGraph(edges, known.addresses_.size());
  return known;
}

BackLinks::Node BackLinks::node_of(const Url& url) {
  const uint64_t key = seen_fingerprint(url);
  const auto [it, is_new] = nodes_.try_emplace(key, static_cast<Node>(addresses_.size()));
  if (is_new) addresses_.push_back({.key = key});
  return it->second;
}

BackLinks::Node BackLinks::end_of(Node node) const {
  for (int hop = 0; hop < Dispatcher::kMaxRedirects; ++hop) {
    const Address& address = addresses_[node];
    if (address.record != kNone || address.leads_to == kNone) break;
    node = address.leads_to;
  }
  return node;
}

Result<Response> BackLinks::load(uint32_t record) const {
  const std::string& address = archives_.urls()[record];
  Result<Url> url = Url::parse(address);
  if (!url) return url.error();
  Result<Response> response = archives_.load(*archives_.find(address));
  if (response) response->url = canonical(*url);
  return response;
}

void BackLinks::read_links(uint32_t record, std::vector<Edge>& edges) {
  const Result<Response> response = load(record);
  if (!response || !response->url.is_http()) return;
  const Node node = node_of(response->url);
  if (response->is_redirect()) {
    const Url target = response->redirect_target();
    const Node to = target.empty() ? node : node_of(target);
    if (to != node) addresses_[node].leads_to = to;
  }
  if (!response->ok() || addresses_[node].record != kNone) return;
  addresses_[node].record = record;
  const ParseOptions only_links{.detect_language = false, .count_terms = false};
  for (const Link& link : parse_page(*response, only_links).links) {
    if (!link.nofollow && link.url.is_http()) edges.push_back({node, node_of(link.url)});
  }
}

const Page* BackLinks::page(Node node) {
  auto& held = pages_[node];
  if (!held) {
    const Result<Response> response = load(addresses_[node].record);
    held = std::make_unique<Page>(response ? parse_page(*response) : Page());
  }
  return held.get();
}

PageLayers BackLinks::layers_around(std::span<const Page> pages, size_t layers, size_t most) {
  std::vector<char> reached(addresses_.size());
  std::vector<Node> layer;
  for (const Page& page : pages) {
    const auto it = nodes_.find(seen_fingerprint(page.url));
    if (it == nodes_.end()) continue;
    const Node node = end_of(it->second);
    if (!reached[node]) layer.push_back(node);
    reached[node] = true;
  }
  PageLayers found(layers);
  for (std::vector<const Page*>& found_here : found) {
    std::vector<Node> next;
    for (const Node node : layer) {
      for (const Node from : links_.in().of(node)) {
        if (!reached[from]) next.push_back(from);
        reached[from] = true;
      }
    }
    layer = std::move(next);
    std::vector<Node> chosen = layer;
    std::sort(chosen.begin(), chosen.end(),
              [&](Node a, Node b) { return addresses_[a].key < addresses_[b].key; });
    if (chosen.size() > most) chosen.resize(most);
    for (const Node node : chosen) found_here.push_back(page(node));
  }
  return found;
}

}  // namespace dowser
