#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mine/topics/topics.h"

// Sub-topics of sub-topics: what is found for a keyword is looked up in turn.

namespace dowser {

struct TopicMapOptions {
  TopicOptions topics;
  size_t depth = 0;      // 0: the keyword alone
  size_t keywords = 20;  // this many are looked up at most: the budget
  size_t branches = 8;   // sub-topics of a keyword that are looked up, the best by S1
};

struct TopicMap {
  struct Node {
    std::string phrase;
    size_t depth = 0;             // of its first finding
    std::optional<size_t> found;  // index into `found`; nothing if it was not looked up
  };
  struct Edge {
    size_t from, to;  // indices into `nodes`
    double s1 = 0;
  };

  std::vector<Node> nodes;  // the keyword first, then in the order of finding
  std::vector<Edge> edges;  // also back to phrases that are known: these are not looked up again
  std::vector<TopicsFound> found;
  bool budget_is_spent = false;
};

// Phrases that differ in case, hyphens and plural are one. Nothing: `progress` ended it.
Result<std::optional<TopicMap>> map_topics(std::string_view keyword, const TopicSources& sources,
                                           const TopicMapOptions& options,
                                           const TopicProgress& progress);

}  // namespace dowser
