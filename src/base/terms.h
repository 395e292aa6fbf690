#pragma once

#include <cstdint>

namespace dowser {

// A term (a stem) by its hash: pages are compared by their terms, and only those of the topic are
// ever shown, so the others need no text. Two of a page's few hundred terms share a hash once in
// 100,000 pages.
using TermId = uint32_t;

// How often a term stands in a text.
struct TermCount {
  TermId term;
  uint32_t count;
  friend bool operator==(const TermCount&, const TermCount&) = default;
};

// A term of a text with its place: the byte at which the piece of text begins that it stands in.
struct PlacedTerm {
  TermId id;
  uint32_t place;
  friend bool operator==(const PlacedTerm&, const PlacedTerm&) = default;
};

}  // namespace dowser
