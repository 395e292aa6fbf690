#include "mine/topics/topic_map.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <deque>

#include "text/stems.h"
#include "text/tokens.h"

namespace dowser {
namespace {

// What a phrase is known by: the stems of its words in order.
std::string key_of(std::string_view phrase, Stemmer& stemmer) {
  std::string key;
  for (const std::string& word : tokens(phrase, {.digits = true})) {
    key += stemmer.stem(word);
    key += ' ';
  }
  return key;
}

}  // namespace

Result<std::optional<TopicMap>> map_topics(std::string_view keyword, const TopicSources& sources,
                                           const TopicMapOptions& options,
                                           const TopicProgress& progress) {
  TopicMap map;
  Stemmer stemmer("porter");
  absl::flat_hash_map<std::string, size_t> known;  // nodes by key
  std::deque<size_t> waiting = {0};
  map.nodes.push_back({std::string(keyword), 0, {}});
  known[key_of(keyword, stemmer)] = 0;
  while (!waiting.empty()) {
    const size_t at = waiting.front();
    waiting.pop_front();
    if (map.found.size() == options.keywords) {
      map.budget_is_spent = true;
      break;
    }
    const std::string phrase = map.nodes[at].phrase;
    const size_t depth = map.nodes[at].depth;
    const TopicProgress tell = [&](std::string_view step, size_t done, size_t of) {
      return progress(options.depth == 0 ? std::string(step) : fmt::format("{}: {}", phrase, step),
                      done, of);
    };
    auto found = find_topics(phrase, sources, options.topics, tell);
    if (!found) return found.error();
    if (!*found) return std::optional<TopicMap>();
    map.nodes[at].found = map.found.size();
    size_t branches = 0;
    for (const ScoredTopic& topic : (*found)->topics) {
      if (topic.type != TopicType::kOne || branches == options.branches) break;
      ++branches;
      const auto [it, is_new] =
          known.try_emplace(key_of(topic.candidate.phrase, stemmer), map.nodes.size());
      if (is_new) {
        map.nodes.push_back({topic.candidate.phrase, depth + 1, {}});
        if (depth < options.depth) waiting.push_back(it->second);
      }
      if (it->second != at) map.edges.push_back({at, it->second, topic.scores.s1});
    }
    map.found.push_back(std::move(**found));
  }
  return std::optional<TopicMap>(std::move(map));
}

}  // namespace dowser
