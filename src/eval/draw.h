#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/goal_sessions.h"
#include "eval/held_web.h"
#include "model/topic.h"

// The task that strategies are compared on: some pages of a topic are given as examples, the others
// are the targets, and the crawl starts a few links away from them. A draw chooses examples and
// start pages at random.

namespace dowser {

struct DrawOptions {
  size_t examples = 10;
  size_t seed_count = 3;
  uint32_t seed_distance = 2;
  uint64_t random_seed = 1;
  std::vector<HeldWeb::Node> seeds;           // if not empty, used instead of drawn ones
  std::vector<HeldWeb::Node> given_examples;  // likewise
  // Words of topics, given to the strategies instead of the examples, which are still not targets.
  std::map<std::string, std::string> words;
  // With sessions the examples are drawn from their goals.
  const GoalSessions* sessions = nullptr;
  size_t sessions_per_goal = 20;  // some goals have hundreds
  // The person marked not only the goals but every page of the topic that was visited on the way:
  // all of them are examples.
  bool mark_topic = false;
};

struct Draw {
  std::vector<HeldWeb::Node> examples;     // their text is given, so they do not count as found
  std::vector<HeldWeb::Node> seeds;        // these do not count as found either
  std::vector<HeldWeb::Node> other_seeds;  // as far from the targets, and different from the seeds
  uint32_t distance = 0;          // of the seeds; smaller than wanted if the topic has none as far
  std::vector<char> is_target;    // by node
  std::vector<char> is_on_topic;  // by node: targets, examples, and seeds that have the label
  size_t reachable = 0;           // number of targets that can be reached from the seeds
  Topic topic;                    // what a strategy is given
  // Of the sessions that sought the examples: pages and links between them. These pages are not
  // targets for any contestant.
  std::vector<HeldWeb::Node> session_pages;
  std::vector<HeldWeb::Node> session_tops;  // where the sessions began
  std::vector<std::pair<HeldWeb::Node, HeldWeb::Node>> session_links;
  size_t sessions = 0;
};

// The draw with this zero-based index, of a topic whose pages are `pages`. An error if there are
// too few.
Result<Draw> make_draw(const HeldWeb& web, const std::string& topic,
                       std::span<const HeldWeb::Node> pages, uint32_t number,
                       const DrawOptions& options);

}  // namespace dowser
