#pragma once

#include <string_view>

namespace dowser {

// Whether `pattern` matches the whole of `text`: * matches any number of characters, including '/',
// and ? matches one. All other characters match themselves. O(pattern · text) in the worst case,
// usually O(text).
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace dowser
