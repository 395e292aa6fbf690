#include "graph/back_link_layers.h"

#include <algorithm>

namespace dowser {

std::vector<std::vector<uint32_t>> back_link_layers(
    const LinkGraph& links, std::span<const uint32_t> targets, size_t layers, size_t most,
    const std::function<uint64_t(uint32_t)>& key_of) {
  std::vector<char> is_reached(links.nodes());
  std::vector<uint32_t> layer;  // the whole layer, of which some are chosen
  const auto reach = [&](uint32_t node, std::vector<uint32_t>& into) {
    if (!is_reached[node]) into.push_back(node);
    is_reached[node] = true;
  };
  for (const uint32_t target : targets) reach(target, layer);
  std::vector<std::vector<uint32_t>> chosen(layers);
  for (std::vector<uint32_t>& chosen_here : chosen) {
    std::vector<uint32_t> next;
    for (const uint32_t node : layer) {
      for (const uint32_t from : links.in().of(node)) reach(from, next);
    }
    layer = std::move(next);
    std::vector<std::pair<uint64_t, uint32_t>> keyed;
    for (const uint32_t node : layer) keyed.emplace_back(key_of(node), node);
    std::sort(keyed.begin(), keyed.end());
    if (keyed.size() > most) keyed.resize(most);
    for (const auto& [key, node] : keyed) chosen_here.push_back(node);
  }
  return chosen;
}

}  // namespace dowser
