#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

// Compression and decompression. Decompression always has a limit, since untrusted data may expand
// to any size.

namespace dowser {

std::string gzip(std::string_view bytes, int level = 6);

// Also makes a gzip member, faster than at level 1 and a few percent larger (docs/performance.md
// has the figures). The same bytes always give the same member on processors of the same kind;
// igzip has several implementations and does not promise that all of them give the same bytes.
std::string gzip_fast(std::string_view bytes);

struct GzipMember {
  std::string bytes;
  size_t consumed = 0;  // how many bytes of the input the member took
};
// The first gzip member of `input`, which may be followed by others. `expected` is a guess at the
// decompressed size, which avoids a second try.
Result<GzipMember> gunzip_member(std::string_view input, size_t limit, size_t expected = 0);

// Decodes a body by its HTTP Content-Encoding: "gzip", "x-gzip", "deflate" (zlib or raw), "br",
// "zstd", "identity", or several separated by commas. `truncated` is set if the limit or the end of
// the input cut the result short: the bytes so far are returned, since half a page is better than
// none. A body that is not gzip although its header says so is returned unchanged: archives often
// keep the header of a body that they have decompressed.
struct Decoded {
  std::string bytes;
  bool truncated = false;
};
Result<Decoded> decode_content(std::string_view encoding, std::string_view body, size_t limit);

}  // namespace dowser
