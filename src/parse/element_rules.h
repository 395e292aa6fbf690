#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/page.h"
#include "parse/html_names.h"

namespace dowser {

// How an element affects text and the elements around it.
enum ElementFlag : uint16_t {
  kVoid = 1 << 0,         // has no content and no end tag
  kRoot = 1 << 1,         // html, head, body, frameset: always there, never opened or closed
  kBlock = 1 << 2,        // text before, in and after it are different blocks
  kClosesP = 1 << 3,      // its start tag ends an open p
  kFormatting = 1 << 4,   // its end tag ends only itself: elements opened inside stay open
  kEmphasis = 1 << 5,     // Page::emphasised
  kList = 1 << 6,         // ul, ol, dl, menu, dir
  kItem = 1 << 7,         // li, dt, dd
  kHeading = 1 << 8,      // h1 … h6
  kScope = 1 << 9,        // end tags inside do not affect elements outside
  kTablePart = 1 << 10,   // is ignored outside a table
  kInvisible = 1 << 11,   // its text is not part of the page
  kEndsOthers = 1 << 12,  // its start tag may end others by implication
};

struct ElementRule {
  uint16_t flags = 0;
  bool has_kind = false;  // text inside is of this kind
  BlockKind kind = BlockKind::kText;
  uint8_t level = 0;

  constexpr bool has(int any_of) const { return (flags & any_of) != 0; }
};

extern const std::array<ElementRule, static_cast<size_t>(TagId::kCount)> kElementRules;

inline const ElementRule& rule_of(TagId id) { return kElementRules[static_cast<size_t>(id)]; }

}  // namespace dowser
