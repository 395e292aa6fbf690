#include "run/back_links.h"

#include <algorithm>

#include "graph/back_link_layers.h"
#include "model/redirects.h"
#include "model/url_canonical.h"
#include "model/url_rules.h"
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
  return end_of_redirects(node,
                          [&](Node at) -> std::optional<Node> {
                            const Address& address = addresses_[at];
                            if (address.record != kNone || address.leads_to == kNone)
                              return std::nullopt;
                            return address.leads_to;
                          })
      .value_or(node);
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

std::optional<BackLinks::Node> BackLinks::find(const Url& url) const {
  const auto it = nodes_.find(seen_fingerprint(url));
  if (it == nodes_.end()) return std::nullopt;
  return end_of(it->second);
}

std::vector<BackLinks::Node> BackLinks::targets_of(std::span<const Page> pages,
                                                   bool ascends) const {
  std::vector<Node> targets;
  for (const Page& page : pages) {
    size_t known = 0;
    if (const std::optional<Node> node = find(page.url)) {
      targets.push_back(*node);
      known = links_.in().of(*node).size();
    }
    if (!ascends) continue;
    for (const Url& directory : directories_above(page.url)) {
      if (known >= kFewBackLinks) break;
      if (const std::optional<Node> node = find(directory)) {
        targets.push_back(*node);
        known += links_.in().of(*node).size();
      }
    }
  }
  return targets;
}

std::vector<const Page*> BackLinks::pages_far_from(std::span<const Page> pages, size_t links,
                                                   size_t most) {
  const std::vector<Node> targets = targets_of(pages, true);
  std::vector<char> is_near(addresses_.size());
  for (const Node node : targets) is_near[node] = true;
  const auto key_of = [&](Node node) { return addresses_[node].key; };
  for (const auto& layer : back_link_layers(links_, targets, links, addresses_.size(), key_of)) {
    for (const Node node : layer) is_near[node] = true;
  }
  std::vector<Node> far;
  for (Node node = 0; node < addresses_.size(); ++node) {
    if (!is_near[node] && addresses_[node].record != kNone) far.push_back(node);
  }
  std::sort(far.begin(), far.end(), [&](Node a, Node b) { return key_of(a) < key_of(b); });
  if (far.size() > most) far.resize(most);
  std::vector<const Page*> found;
  for (const Node node : far) found.push_back(page(node));
  return found;
}

PageLayers BackLinks::layers_around(std::span<const Page> pages, size_t layers, size_t most,
                                    bool ascends) {
  const std::vector<Node> targets = targets_of(pages, ascends);
  PageLayers found(layers);
  const auto nodes = back_link_layers(links_, targets, layers, most,
                                      [&](Node node) { return addresses_[node].key; });
  for (size_t i = 0; i < layers; ++i) {
    for (const Node node : nodes[i]) found[i].push_back(page(node));
  }
  return found;
}

}  // namespace dowser
