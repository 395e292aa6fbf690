#include "base/packed_terms.h"

namespace dowser {

std::string packed_terms(std::span<const TermCount> terms) {
  std::string bytes;
  bytes.reserve(terms.size() * 5);
  const auto add = [&](uint32_t number) {
    for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
    bytes += static_cast<char>(number);
  };
  TermId last = 0;
  for (const TermCount& t : terms) {
    add(t.term - last);
    add(t.count);
    last = t.term;
  }
  return bytes;
}

void unpack_terms(std::string_view packed, std::vector<TermCount>& terms) {
  terms.clear();
  size_t at = 0;
  const auto next = [&] {
    uint32_t number = 0;
    for (int shift = 0; at < packed.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(packed[at++]);
      if (shift < 32) number |= uint32_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    return number;
  };
  TermId last = 0;
  while (at < packed.size()) {
    last += next();
    terms.push_back({last, next()});
  }
}

}  // namespace dowser
