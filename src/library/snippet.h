#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
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

// The snippets of `count` texts, made on one thread per core. `text(i)` is called on any thread; a
// text that is an error gets an empty snippet.
std::vector<MarkedText> snippets(size_t count,
                                 const std::function<Result<std::string>(size_t)>& text,
                                 const std::vector<const Query*>& phrases);

// A whole text, such as a title, with its words marked. `field` says which it is.
MarkedText marked(std::string_view text, const std::vector<const Query*>& phrases,
                  QueryField field);

}  // namespace dowser
