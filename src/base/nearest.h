#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dowser {

// The known name most similar to `name` (by edit distance), or "" if none is similar enough.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

// " (did you mean 'x'?)", or "".
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace dowser
