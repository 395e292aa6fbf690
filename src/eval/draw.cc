#include "eval/draw.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

// Removes `count` of them from `nodes` and returns them in random order.
std::vector<Node> take_random(std::vector<Node>& nodes, size_t count, Random& random) {
  std::vector<Node> taken;
  while (taken.size() < count && !nodes.empty()) {
    std::swap(nodes[random.below(nodes.size())], nodes.back());
    taken.push_back(nodes.back());
    nodes.pop_back();
  }
  return taken;
}

// Pages at this distance from the nearest target; if there are too few, at the next smaller one.
std::vector<Node> start_pages(const std::vector<uint32_t>& distances, const Draw& draw,
                              uint32_t& distance, size_t count) {
  while (true) {
    std::vector<Node> nodes;
    for (Node node = 0; node < distances.size(); ++node) {
      if (distances[node] != distance) continue;
      if (std::count(draw.examples.begin(), draw.examples.end(), node) == 0) nodes.push_back(node);
    }
    if (nodes.size() >= count || distance == 0) return nodes;
    --distance;
  }
}

// Of the pages of the topic those that sessions sought, which are taken out of `targets`.
std::vector<Node> take_goals(std::vector<Node>& targets, const DrawOptions& options,
                             Random& random) {
  std::vector<Node> goals;
  for (const Node node : targets) {
    if (options.sessions->is_goal(node)) goals.push_back(node);
  }
  std::vector<Node> taken = take_random(goals, options.examples, random);
  for (const Node node : taken) std::erase(targets, node);
  return taken;
}

// Some of the sessions that sought each example.
void add_sessions(const DrawOptions& options, Random& random, Draw& draw) {
  for (const Node example : draw.examples) {
    const std::span<const uint32_t> all = options.sessions->of(example);
    std::vector<Node> numbers(all.begin(), all.end());
    for (const uint32_t number : take_random(numbers, options.sessions_per_goal, random)) {
      const GoalSessions::Walk& walk = options.sessions->walk(number);
      draw.session_pages.insert(draw.session_pages.end(), walk.pages.begin(), walk.pages.end());
      draw.session_links.insert(draw.session_links.end(), walk.links.begin(), walk.links.end());
      ++draw.sessions;
    }
  }
  std::sort(draw.session_pages.begin(), draw.session_pages.end());
  draw.session_pages.erase(std::unique(draw.session_pages.begin(), draw.session_pages.end()),
                           draw.session_pages.end());
}

}  // namespace

Result<Draw> make_draw(const HeldWeb& web, const std::string& topic, std::span<const Node> pages,
                       uint32_t number, const DrawOptions& options) {
  const bool given = !options.given_examples.empty();
  Random random(hash64(fmt::format("{} {}", topic, number), options.random_seed));
  Draw draw;
  std::vector<Node> targets(pages.begin(), pages.end());
  if (given) {
    draw.examples = options.given_examples;
  } else if (options.sessions) {
    draw.examples = take_goals(targets, options, random);
    if (draw.examples.empty()) {
      return Error{fmt::format("no page of topic {} is the goal of a session", topic)};
    }
    add_sessions(options, random, draw);
  } else {
    draw.examples = take_random(targets, options.examples, random);
  }
  for (const Node example : draw.examples) std::erase(targets, example);
  std::erase_if(targets, [&](Node node) {
    return std::binary_search(draw.session_pages.begin(), draw.session_pages.end(), node);
  });
  if (targets.size() < 2) {
    return Error{fmt::format("topic {} has only {} pages, too few to give {} of them as examples",
                             topic, pages.size(), given ? draw.examples.size() : options.examples)};
  }
  std::sort(targets.begin(), targets.end());
  if (options.seeds.empty()) {
    draw.distance = options.seed_distance;
    const std::vector<uint32_t> distances = distances_to(web.links(), targets);
    std::vector<Node> starts = start_pages(distances, draw, draw.distance, 2 * options.seed_count);
    draw.seeds = take_random(starts, options.seed_count, random);
    draw.other_seeds = take_random(starts, options.seed_count, random);
  } else {
    draw.seeds = options.seeds;
  }
  draw.is_on_topic.resize(web.nodes());
  for (const Node page : pages) draw.is_on_topic[page] = true;
  draw.is_target.resize(web.nodes());
  for (const Node target : targets) draw.is_target[target] = true;
  for (const Node seed : draw.seeds) draw.is_target[seed] = false;
  const std::vector<char> reachable = reachable_from(web.links(), draw.seeds);
  for (Node node = 0; node < web.nodes(); ++node) {
    draw.reachable += draw.is_target[node] && reachable[node];
  }
  if (draw.reachable == 0) {
    return Error{fmt::format("no page of topic {} can be reached from the start pages", topic)};
  }
  if (const auto words = options.words.find(topic); words != options.words.end()) {
    draw.topic.words = words->second;
  } else {
    for (const Node example : draw.examples) draw.topic.examples.push_back(web.page(example));
  }
  return draw;
}

}  // namespace dowser
