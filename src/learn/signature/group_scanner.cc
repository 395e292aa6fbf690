#include "learn/signature/group_scanner.h"

#include <algorithm>
#include <bit>
#include <cmath>

// One pass over a text finds its keywords (events). For each event that is a head, the events in
// its window are found by two indexes that only move forward, and counted by keyword; a group of
// this head whose other two words are both missing is left at once. For the others the vector is
// computed from the events in the window, of which there are few.
//
// The smallest distance of a before b is found in one pass over the events: when b comes, the last
// a before it is the nearest.

namespace dowser {

GroupScanner::GroupScanner(std::span<const std::array<TermId, 3>> groups, uint32_t window,
                           double decay)
    : window_(window) {
  slots_.resize(std::bit_ceil(groups.size() * 3 * 2 + 2));
  for (const auto& words : groups) {
    Group group;
    for (size_t i = 0; i < 3; ++i) group.words[i] = intern(words[i]);
    groups_.push_back(group);
  }
  groups_of_.resize(keywords_);
  for (uint32_t i = 0; i < groups_.size(); ++i) groups_of_[groups_[i].words[0]].push_back(i);
  for (uint32_t d = 0; d <= 2 * window; ++d) {
    nearness_.push_back(std::exp(-(static_cast<double>(d) - 1) / decay));
  }
}

uint32_t GroupScanner::intern(TermId term) {
  size_t i = (term * 0x9E3779B1u) & (slots_.size() - 1);
  while (slots_[i].keyword != kNone && slots_[i].term != term) i = (i + 1) & (slots_.size() - 1);
  if (slots_[i].keyword == kNone) {
    slots_[i] = {term, keywords_++};
    filter_[(term & kFilterMask) >> 6] |= uint64_t{1} << (term & 63);
  }
  return slots_[i].keyword;
}

uint32_t GroupScanner::keyword_of(TermId word) const {
  if (slots_.empty()) return kNone;
  size_t i = (word * 0x9E3779B1u) & (slots_.size() - 1);
  while (slots_[i].keyword != kNone && slots_[i].term != word) i = (i + 1) & (slots_.size() - 1);
  return slots_[i].keyword;
}

void GroupScanner::scan(std::span<const TermId> words, Found found) const {
  std::vector<Event> events;
  for (uint32_t i = 0; i < words.size(); ++i) add(words[i], i, events);
  scan(events, found);
}

void GroupScanner::scan(std::span<const Event> events, Found found) const {
  if (groups_.empty()) return;
  std::vector<uint32_t> in_window(keywords_);  // occurrences by keyword
  size_t begin = 0, end = 0;
  for (const Event& head : events) {
    while (end < events.size() && events[end].position <= head.position + window_) {
      ++in_window[events[end++].keyword];
    }
    while (events[begin].position + window_ < head.position) --in_window[events[begin++].keyword];
    for (const uint32_t g : groups_of_[head.keyword]) {
      const Group& group = groups_[g];
      if (in_window[group.words[1]] == 0 && in_window[group.words[2]] == 0) continue;
      found(g, head.position, vector_of(events.subspan(begin, end - begin), group));
    }
  }
}

SignatureVector GroupScanner::vector_of(std::span<const Event> around, const Group& group) const {
  constexpr uint32_t kNever = UINT32_MAX;
  uint32_t count[3] = {}, last[3] = {kNever, kNever, kNever};
  uint32_t nearest[3][3];
  for (auto& row : nearest) std::fill(std::begin(row), std::end(row), kNever);
  for (const Event& event : around) {
    for (uint32_t b = 0; b < 3; ++b) {
      if (event.keyword != group.words[b]) continue;
      ++count[b];
      for (uint32_t a = 0; a < 3; ++a) {
        if (a == b || last[a] == kNever) continue;
        nearest[a][b] = std::min(nearest[a][b], event.position - last[a]);
      }
      last[b] = event.position;
    }
  }
  SignatureVector vector = {};
  for (size_t i = 0; i < 3; ++i) {
    if (count[i] > 0) vector[i] = 1 + std::log(static_cast<double>(count[i]));
  }
  constexpr std::pair<int, int> kPairs[] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  for (size_t i = 0; i < 6; ++i) {
    const uint32_t distance = nearest[kPairs[i].first][kPairs[i].second];
    if (distance != kNever) vector[3 + i] = nearness_[distance];
  }
  return vector;
}

}  // namespace dowser
