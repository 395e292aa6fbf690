#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mine/topics/list_items.h"
#include "mine/topics/topic_candidates.h"

// Which candidates are no topics, whatever their counts say. The rules are in topic_rules.cc.

namespace dowser {

class TopicRules {
 public:
  // `items` must outlive it. `support`: on so many pages a single word must be a whole item.
  TopicRules(const ListItems& items, size_t support);

  // Every item that equals the candidate is a row of a form that the host repeats on its pages.
  bool is_row(const TopicCandidate& candidate) const;
  // It is a single word, and too few pages have it as a whole item.
  bool is_only_part(const TopicCandidate& candidate) const;

 private:
  const ListItems& items_;
  const size_t support_;
  absl::flat_hash_set<std::string> forms_;  // host and heading of those that are repeated
};

}  // namespace dowser
