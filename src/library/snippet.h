#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "library/query.h"

// The part of a text that shows why it matches, with the words of the query marked.

namespace dowser {

struct MarkedText {
  std::string text;
  std::vector<std::pair<size_t, size_t>> marks;  // begin and end in bytes, in order, disjoint
};

// One or two pieces of `text`, separated by "…", of about `characters` in all: those with the most
// different phrases of the query; its beginning if none stands there. A piece lies within one line.
MarkedText snippet(std::string_view text, const std::vector<const Query*>& phrases,
                   size_t characters = 240);

// A whole text, such as a title, with its words marked. `field` says which it is.
MarkedText marked(std::string_view text, const std::vector<const Query*>& phrases,
                  QueryField field);

}  // namespace dowser
