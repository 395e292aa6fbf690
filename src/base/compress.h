#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

// Compression, always with a bound: what a stranger compressed may unpack to anything.

namespace dowser {

std::string gzip(std::string_view bytes, int level = 6);

// A gzip member too, made faster than at level 1 and some percent larger (docs/performance.md has
// the figures). The same bytes always give the same member on processors of the same kind; igzip
// has several implementations, and does not promise the same of all.
std::string gzip_fast(std::string_view bytes);

struct GzipMember {
  std::string bytes;
  size_t consumed = 0;  // how many bytes of the input the member took
};
// The first gzip member of `input`, which may be followed by others. `expected` is a guess at the
// unpacked size that spares a second try.
Result<GzipMember> gunzip_member(std::string_view input, size_t limit, size_t expected = 0);

// What an HTTP Content-Encoding names: "gzip", "x-gzip", "deflate" (zlib or raw), "br", "zstd",
// "identity", or several with commas. `truncated` is set where the limit or the end of the input
// cut it short: the bytes so far are returned, since half a page is better than none.
// A body that only claims to be gzip is returned as it is: archives often keep the header of a body
// that they unpacked.
struct Decoded {
  std::string bytes;
  bool truncated = false;
};
Result<Decoded> decode_content(std::string_view encoding, std::string_view body, size_t limit);

}  // namespace dowser
