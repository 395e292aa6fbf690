#pragma once

#include <cstddef>
#include <string_view>

// Where text that is not markup ends.

namespace dowser {

// The start of the end tag "</name" that closes an element whose text holds no tags, or
// text.size(). `name` is in lower case; an empty one matches nothing.
size_t find_end_tag(std::string_view text, std::string_view name);

// The same for a script. In it, "<script" inside of "<!--" hides one "</script>", since old pages
// commented their scripts out.
size_t find_script_end(std::string_view text, std::string_view name);

struct CommentEnd {
  size_t size;      // of the comment's data
  size_t consumed;  // with what closes it
  bool closed;      // not by the end of the input
};
// `text` starts after "<!--".
CommentEnd find_comment_end(std::string_view text);

}  // namespace dowser
