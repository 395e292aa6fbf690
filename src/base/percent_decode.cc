#include "base/percent_decode.h"

namespace dowser {

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const int byte = escaped_byte(text, i);
    out.push_back(byte < 0 ? text[i] : static_cast<char>(byte));
    if (byte >= 0) i += 2;
  }
  return out;
}

}  // namespace dowser
