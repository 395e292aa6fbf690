#include "parse/text_buffer.h"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dowser {
namespace {

constexpr size_t kStep = 16;  // bytes read and written at once

// Copies up to `count` bytes (at most kStep) from `p` as long as they need no change, and returns
// how many; 0 if the first one does. `after_space` says whether a space precedes them, and is
// updated. Always reads and writes kStep bytes.
#ifdef __SSE2__
size_t copy_plain(const char* p, size_t count, char* to, bool& after_space) {
  const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i space = _mm_set1_epi8(' ');
  const __m128i is_space = _mm_cmpeq_epi8(chunk, space);
  const __m128i is_low = _mm_cmpeq_epi8(_mm_min_epu8(chunk, space), chunk);
  const __m128i is_c2 = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(static_cast<char>(0xC2)));
  const unsigned spaces = static_cast<unsigned>(_mm_movemask_epi8(is_space));
  const unsigned odd = static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_andnot_si128(is_space, is_low), is_c2)));
  const unsigned doubled = spaces & (spaces << 1 | (after_space ? 1u : 0u));
  const unsigned stops = odd | doubled | 1u << count;
  const auto plain = static_cast<unsigned>(__builtin_ctz(stops));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), chunk);
  if (plain > 0) after_space = (spaces >> (plain - 1) & 1) != 0;
  return plain;
}
#else
size_t copy_plain(const char*, size_t, char*, bool&) { return 0; }
#endif

// Copies one character, or one unit of white space. Returns the position after it.
const char* copy_one(const char* p, const char* end, char*& to, bool& after_space) {
  const auto c = static_cast<uint8_t>(*p);
  const bool no_break = c == 0xC2 && p + 1 != end && static_cast<uint8_t>(p[1]) == 0xA0;
  if (c == 0) return p + 1;
  if (c > ' ' && !no_break) {
    *to++ = *p;
    after_space = false;
    return p + 1;
  }
  if (!after_space) *to++ = ' ';
  after_space = true;
  return p + (no_break ? 2 : 1);
}

}  // namespace

TextBuffer::TextBuffer(size_t expected, size_t limit)
    : data_(std::make_unique_for_overwrite<char[]>(expected + kStep)),
      capacity_(expected + kStep),
      limit_(limit) {}

void TextBuffer::make_room(size_t bytes) {
  if (capacity_ - size_ >= bytes + kStep) return;
  capacity_ = std::max(capacity_ * 2, size_ + bytes + kStep);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
  std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
}

void TextBuffer::append(std::string_view text) {
  if (text.size() > limit_ - std::min(size_, limit_)) {
    size_t cut = limit_ - std::min(size_, limit_);
    while (cut > 0 && (text[cut] & 0xC0) == 0x80) --cut;
    text = text.substr(0, cut);
    limit_ = 0;  // nothing is appended after a cut
  }
  make_room(text.size());
  bool after_space = at_line_start() || data_[size_ - 1] == ' ';
  const char* p = text.data();
  const char* const end = p + text.size();
  char* to = data_.get() + size_;
  while (static_cast<size_t>(end - p) >= kStep) {
    const size_t plain = copy_plain(p, kStep, to, after_space);
    p += plain;
    to += plain;
    if (plain < kStep) p = copy_one(p, end, to, after_space);
  }
  if (p != end) {  // most texts of a page are shorter than a step
    char rest[kStep] = {};
    std::memcpy(rest, p, end - p);
    const size_t plain = copy_plain(rest, end - p, to, after_space);
    p += plain;
    to += plain;
  }
  while (p != end) p = copy_one(p, end, to, after_space);
  size_ = to - data_.get();
}

bool TextBuffer::is_blank(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (c <= ' ') continue;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<uint8_t>(text[i + 1]) == 0xA0) {
      ++i;
      continue;
    }
    return false;
  }
  return true;
}

std::string folded(std::string_view text) {
  TextBuffer buffer(text.size(), text.size());
  buffer.append(text);
  buffer.trim();
  return std::string(buffer.view());
}

}  // namespace dowser
