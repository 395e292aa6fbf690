#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// How strongly a candidate belongs to a keyword, from numbers of pages (Uluhan 2006, chapter VI).
// The essay is in topic_scores.cc.

namespace dowser {

// Numbers of pages that contain the keyword, the candidate, and both. Nothing: the provider does
// not know.
struct TopicCounts {
  std::optional<uint64_t> keyword, candidate, both;
};

struct TopicScores {
  double s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0;
};

enum class TopicType : uint8_t {
  kOne,    // Type I: a sub-topic
  kTwo,    // Type II: hardly related
  kThree,  // Type III: more general than the keyword, or its counts are not known
};
std::string_view name_of(TopicType type);  // "I", "II", "III"

// Scores of known counts; all 0 if a count is unknown, or where nothing holds the candidate.
TopicScores topic_scores(const TopicCounts& counts);

// Counts in a collection are compared with chance as well.
struct Chance {
  double expected =
      0;  // n(c) n(k) / N: pages with both if the two had nothing to do with each other
  double by_host = 0;  // the same, given the host and the length of each page
  // Whether the candidate also occurs outside lists and tables, on a page about the keyword.
  bool is_in_prose = true;
  double p_value = 1;  // how probable this many pages with both would be then, or more
};

// `pages` is N. `support` is the number of pages with the keyword on which the candidate had to be
// found to become one. `holds_keyword`: the candidate consists of the keyword and other words.
Chance topic_chance(const TopicCounts& counts, uint64_t pages, double by_host, uint64_t support,
                    bool holds_keyword);

struct TypeRule {
  double least_s1 = 0.005;
  // Without a collection, chance is not asked. With one, a p-value up to this is needed; it is
  // divided by the number of candidates that are compared.
  double most_p = 0.01;
};

TopicType topic_type(const TopicCounts& counts, const TopicScores& scores,
                     const std::optional<Chance>& chance, size_t candidates,
                     const TypeRule& rule = {});

}  // namespace dowser
