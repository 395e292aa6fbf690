#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "strategy/learned/link_memory.h"
#include "strategy/strategy.h"

// The evidence that the strategy `learned` uses, and its weights; described in learned.cc.

namespace dowser {

enum Evidence : size_t {
  kMaxAnchor,
  kMeanAnchor,
  kMaxContext,
  kMeanContext,
  kUrl,
  kMaxPage,
  kMeanPage,
  kSumPage,
  kMaxHub,
  kMeanHub,
  kMaxNear,
  kMeanNear,
  kGroup,
  kTag,
  kDirectory,
  kMaxModel,
  kMeanModel,
  kTopicAnchor,
  kTopicUrl,
  kEvidence
};

struct EvidenceKind {
  std::string_view group;  // shown by `dowser explain`; the parameter `without` leaves out a group
  double weight;
};
inline constexpr std::array<EvidenceKind, kEvidence> kEvidenceKinds = {{
    {"anchor", 8},  {"anchor", 6},  {"context", 3}, {"context", 4}, {"url", 2},
    {"page", 1},    {"page", 1},    {"page", 0.3},  {"hub", 1},     {"hub", 1},
    {"near", 2.5},  {"near", 1.2},  {"tag", 1},     {"tag", 1},     {"directory", 1},
    {"model", 0.5}, {"model", 0.3}, {"topic", 20},  {"topic", 20},
}};
using EvidenceValues = std::array<double, kEvidence>;

// At most this many links to an address are used, the newest; and of those, this many by the link
// model.
inline constexpr size_t kMostParents = 12, kModelParents = 4;

EvidenceValues evidence_of(const LinkMemory& memory, uint32_t address);

// The tag paths and directories with the highest yields, at most `most` of each.
std::vector<Lesson> lessons_of(const LinkMemory& memory, size_t most);

}  // namespace dowser
