#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dowser {

// The first of the bytes kStops in [p, end), or end. Scans sixteen bytes at a time if the processor
// can. It is like memchr for several bytes, but inlined, since most runs are shorter than the cost
// of a call.
template <char... kStops>
inline const char* find_any(const char* p, const char* end) {
#ifdef __SSE2__
  while (end - p >= 16) {
    const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i hit = _mm_setzero_si128();
    ((hit = _mm_or_si128(hit, _mm_cmpeq_epi8(chunk, _mm_set1_epi8(kStops)))), ...);
    if (const int mask = _mm_movemask_epi8(hit))
      return p + __builtin_ctz(static_cast<unsigned>(mask));
    p += 16;
  }
#endif
  while (p != end && ((*p != kStops) && ...)) ++p;
  return p;
}

}  // namespace dowser
