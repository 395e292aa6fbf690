#pragma once

#include <cstdint>

namespace dowser {

// A term (a stem), represented by its hash. Pages are compared by their terms, and only terms of
// the topic are ever shown, so the others need no text. Two of a page's few hundred terms share a
// hash in about one of 100,000 pages.
using TermId = uint32_t;

// How often a term occurs in a text.
struct TermCount {
  TermId term;
  uint32_t count;
  friend bool operator==(const TermCount&, const TermCount&) = default;
};

// A term of a text with its place: the byte at which the piece of text that contains it begins.
struct PlacedTerm {
  TermId id;
  uint32_t place;
  friend bool operator==(const PlacedTerm&, const PlacedTerm&) = default;
};

}  // namespace dowser
