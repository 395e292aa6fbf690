#include "text/shell_word.h"

#include <algorithm>

namespace dowser {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "_./:=@%+,-";
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || kPlain.find(c) != kPlain.npos;
  });
  if (is_plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace dowser
