#include "eval/session_model.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "graph/back_link_layers.h"
#include "mine/learn_sessions.h"
#include "parse/parse_page.h"

namespace dowser {

using Node = HeldWeb::Node;

Result<HmmFile> session_model(const HeldWeb& web, const Draw& draw,
                              const SessionModelOptions& options) {
  std::map<Node, uint32_t> numbers;
  PagesToModel pages;
  const auto add = [&](Node node, bool is_target) {
    const auto [it, is_new] = numbers.try_emplace(node, static_cast<uint32_t>(numbers.size()));
    if (!is_new) return;
    pages.pages.push_back(&web.page(node));
    pages.is_target.push_back(is_target);
  };
  for (const Node node : draw.examples) add(node, true);
  for (const Node node : draw.session_pages) add(node, false);
  const auto layers =
      back_link_layers(web.links(), draw.session_tops, options.back_layers, options.most,
                       [&](Node node) { return hash64(web.answer(node).url.href()); });
  for (const auto& layer : layers) {
    for (const Node node : layer) add(node, false);
  }
  if (options.all_links) {
    for (const auto& [from, number] : numbers) {
      for (const Node to : web.links().out().of(from)) {
        const auto it = numbers.find(to);
        if (it != numbers.end()) pages.links.emplace_back(number, it->second);
      }
    }
  } else {
    for (const auto& [from, to] : draw.session_links) {
      pages.links.emplace_back(numbers[from], numbers[to]);
    }
  }
  std::sort(pages.links.begin(), pages.links.end());
  pages.links.erase(std::unique(pages.links.begin(), pages.links.end()), pages.links.end());
  return learn_pages(pages, options.hmm, false);
}

TargetSimilarity target_similarity(const HeldWeb& web, const HmmModel& model, double threshold) {
  TargetSimilarity out;
  std::vector<uint32_t> targets;
  const DenseNeighbours::Parts& pages = model.pages().parts();
  for (uint32_t i = 0; i < pages.labels.size(); ++i) {
    if (pages.labels[i] == 0) targets.push_back(i);
  }
  out.to_target.assign(targets.size(), std::vector<float>(web.nodes()));
  for (Node node = 0; node < web.nodes(); ++node) {
    const std::vector<double> direction = model.space().direction(web.page(node).terms);
    double nearest = 0;
    for (size_t t = 0; t < targets.size(); ++t) {
      const double cosine = dot(direction, pages.vectors[targets[t]]);
      out.to_target[t][node] = static_cast<float>(cosine);
      nearest = std::max(nearest, cosine);
    }
    out.nearest.push_back(nearest);
    out.is_near.push_back(nearest >= threshold);
  }
  return out;
}

HmmFile any_model() {
  const Page useful = parse_html("<p>dowsing finds water with a rod", {});
  const Page other = parse_html("<p>a list of wells and rivers", {});
  const PagesToModel pages{{&useful, &other}, {{1, 0}}, {true, false}};
  return *learn_pages(pages, {}, false);
}

}  // namespace dowser
