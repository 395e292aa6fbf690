#pragma once

#include <string_view>

namespace dowser {

// Whether `pattern` matches the whole of `text`: * is any number of characters, also '/', and ? is
// one. Everything else stands for itself. O(pattern · text) at worst, O(text) as a rule.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace dowser
