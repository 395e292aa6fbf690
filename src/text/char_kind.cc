#include "text/char_kind.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <iterator>

namespace dowser {
namespace {

struct Range {
  char32_t first, last;
};

// Thai and Lao; Burmese; Khmer; ideographs, kana and related characters.
constexpr Range kUnspacedRanges[] = {
    {0x0E00, 0x0EFF}, {0x1000, 0x109F}, {0x1780, 0x17D3},   {0x2E80, 0x2FDF},   {0x3005, 0x3007},
    {0x3041, 0x30FF}, {0x31F0, 0x31FF}, {0x3400, 0x9FFF},   {0xA9E0, 0xA9FF},   {0xAA60, 0xAA7F},
    {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x1AFF0, 0x1B16F}, {0x20000, 0x323AF},
};

bool is_unspaced(char32_t c) {
  if (c < kUnspacedRanges[0].first) return false;
  return std::any_of(std::begin(kUnspacedRanges), std::end(kUnspacedRanges),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

}  // namespace

CharKind char_kind(char32_t c) {
  if (c < 0x80) {
    if ((c | 0x20) - 'a' < 26u) return CharKind::kLetter;
    if (c - '0' < 10u) return CharKind::kDigit;
    if (c == '\'') return CharKind::kApostrophe;
    return c == '-' ? CharKind::kHyphen : CharKind::kSeparator;
  }
  switch (c) {
    case 0x00AD:  // soft hyphen
    case 0x2060:  // word joiner
    case 0xFEFF:  // zero width no-break space
      return CharKind::kNothing;
    case 0x02BC:
    case 0x2019:
      return CharKind::kApostrophe;
    case 0x2010:
    case 0x2011:
      return CharKind::kHyphen;
    case 0x200C:  // the joiners of Persian and Indian scripts
    case 0x200D:
      return CharKind::kMark;
    default:
      break;
  }
  const uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
  if (category & U_GC_ND_MASK) return CharKind::kDigit;
  if (!(category & (U_GC_L_MASK | U_GC_M_MASK)) && c != 0x3007) return CharKind::kSeparator;
  if (is_unspaced(c)) return CharKind::kUnspaced;
  return category & U_GC_M_MASK ? CharKind::kMark : CharKind::kLetter;
}

}  // namespace dowser
