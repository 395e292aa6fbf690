#pragma once

#include <cstddef>
#include <string_view>

// Finds the end of text that is not markup.

namespace dowser {

// The start of the end tag "</name" that closes an element whose text contains no tags, or
// text.size(). `name` is in lower case; an empty one matches nothing.
size_t find_end_tag(std::string_view text, std::string_view name);

// The same for a script, in which "<script" inside "<!--" hides one "</script>", because old pages
// commented their scripts out.
size_t find_script_end(std::string_view text, std::string_view name);

struct CommentEnd {
  size_t size;      // of the comment's text
  size_t consumed;  // including what closes it
  bool closed;      // false if the input ended first
};
// `text` starts after "<!--".
CommentEnd find_comment_end(std::string_view text);

}  // namespace dowser
