#pragma once

#include <span>
#include <string_view>

namespace dowser {

struct StopWordData {
  std::string_view language;  // ISO 639-1
  std::string_view words;     // in lower case, between white space
};

std::span<const StopWordData> stop_word_data();

}  // namespace dowser
