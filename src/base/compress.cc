#include "base/compress.h"

#include <brotli/decode.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

// Two ways to unpack. libdeflate is three times as fast as zlib but knows only "all of it" or
// "nothing": it is tried first where the input should be whole. The streaming decoders take over
// where it gives up, since they yield what came before the damage.

namespace dowser {
namespace {

constexpr size_t kPiece = 64 * 1024;
constexpr size_t kScratch = 1024 * 1024;
// Below this, codes made for the bytes cost more than they save: igzip's own are used.
constexpr size_t kWorthOwnCodes = 1024;
// The head of a member as libdeflate writes it at level 1 (RFC 1952): the fastest algorithm,
// unknown system. `dowser check` knows records by it.
constexpr std::string_view kFastHead("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10);
constexpr size_t kMostAtOnce = 1 << 30;  // for igzip, which counts bytes in 32 bits
constexpr size_t kMaxCodings = 4;        // of one body; more is a trick, not a page

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* p) const {
    Free(p);
  }
};

libdeflate_compressor* compressor(int level) {
  // Making one costs more than compressing a small page with it.
  using Owned = std::unique_ptr<libdeflate_compressor, Freed<libdeflate_free_compressor>>;
  thread_local std::array<Owned, 13> made;
  Owned& one = made[level];
  if (!one) one.reset(libdeflate_alloc_compressor(level));
  if (!one) throw std::bad_alloc();
  return one.get();
}

libdeflate_decompressor* decompressor() {
  using Owned = std::unique_ptr<libdeflate_decompressor, Freed<libdeflate_free_decompressor>>;
  thread_local Owned one(libdeflate_alloc_decompressor());
  if (!one) throw std::bad_alloc();
  return one.get();
}

Error too_big(size_t limit) {
  return {fmt::format("a gzip member decompresses to more than {} bytes", limit)};
}

// Collects the output of a streaming decoder, piece by piece, and stops at the limit. `step`
// unpacks into the space it is given and says whether to continue.
enum class Step { kMore, kEnd, kBroken };
struct Output {
  size_t written = 0;
  Step step = Step::kMore;
};

template <class StepFunction>
Decoded collect(size_t limit, StepFunction&& step) {
  Decoded decoded;
  std::vector<char> piece(kPiece);
  while (true) {
    const Output out = step(piece.data(), piece.size());
    const size_t room = limit - decoded.bytes.size();
    decoded.bytes.append(piece.data(), std::min(out.written, room));
    if (out.written > room || out.step == Step::kBroken) {
      decoded.truncated = true;
      return decoded;
    }
    if (out.step == Step::kEnd) return decoded;
  }
}

class Inflate {
 public:
  // `window_bits` as of inflateInit2: 31 gzip, 15 zlib, -15 raw.
  Inflate(std::string_view input, int window_bits) : rest_(input) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflate() { inflateEnd(&stream_); }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  Output step(char* to, size_t size) {
    if (stream_.avail_in == 0 && !rest_.empty()) {
      const size_t n = std::min(rest_.size(), size_t{1} << 30);  // avail_in has 32 bits
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
      stream_.avail_in = static_cast<uInt>(n);
      rest_.remove_prefix(n);
    }
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    const size_t written = size - stream_.avail_out;
    if (result == Z_STREAM_END) return {written, Step::kEnd};
    if (result != Z_OK && result != Z_BUF_ERROR) return {written, Step::kBroken};
    const bool starved = written == 0 && stream_.avail_in == 0 && rest_.empty();
    return {written, starved ? Step::kBroken : Step::kMore};
  }

  // What stands after the end of the stream.
  std::string_view behind() const {
    return {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in + rest_.size()};
  }

 private:
  z_stream stream_{};
  std::string_view rest_;
};

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<Decoded> decode_gzip(std::string_view body, size_t limit) {
  // Archives often hold a body that was unpacked under the header of the packed one.
  if (!is_gzip(body)) {
    return Decoded{std::string(body.substr(0, limit)), body.size() > limit};
  }
  uint32_t size = 0;
  std::memcpy(&size, body.data() + body.size() - std::min<size_t>(4, body.size()),
              std::min<size_t>(4, body.size()));
  if (auto whole = gunzip_member(body, limit, size); whole && whole->consumed == body.size()) {
    return Decoded{std::move(whole->bytes), false};
  }
  // A body may be several members one after the other; what is after them and no member is
  // ignored.
  Decoded all;
  while (is_gzip(body) && !all.truncated) {
    Inflate inflate(body, 15 + 16);
    Decoded member =
        collect(limit - all.bytes.size(), [&](char* to, size_t n) { return inflate.step(to, n); });
    all.bytes += member.bytes;
    all.truncated = member.truncated;
    body = inflate.behind();
  }
  return all;
}

Result<Decoded> decode_deflate(std::string_view body, size_t limit) {
  // "deflate" means zlib, but many servers sent the raw form. The first two bytes of zlib are a
  // check.
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(body[i]); };
  const bool zlib = body.size() >= 2 && (byte(0) & 15) == 8 && (byte(0) * 256 + byte(1)) % 31 == 0;
  for (const int window_bits : {15, -15}) {
    if (window_bits == 15 && !zlib) continue;
    Inflate inflate(body, window_bits);
    Decoded decoded = collect(limit, [&](char* to, size_t n) { return inflate.step(to, n); });
    if (!decoded.bytes.empty() || !decoded.truncated) return decoded;
  }
  return Error{"the body is not deflate as its Content-Encoding says"};
}

Result<Decoded> decode_brotli(std::string_view body, size_t limit) {
  std::unique_ptr<BrotliDecoderState, Freed<BrotliDecoderDestroyInstance>> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  if (!state) throw std::bad_alloc();
  auto* in = reinterpret_cast<const uint8_t*>(body.data());
  size_t in_size = body.size();
  Decoded decoded = collect(limit, [&](char* to, size_t size) -> Output {
    auto* out = reinterpret_cast<uint8_t*>(to);
    size_t room = size;
    const auto result =
        BrotliDecoderDecompressStream(state.get(), &in_size, &in, &room, &out, nullptr);
    const size_t written = size - room;
    if (result == BROTLI_DECODER_RESULT_SUCCESS) return {written, Step::kEnd};
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return {written, Step::kMore};
    return {written, Step::kBroken};
  });
  if (decoded.bytes.empty() && decoded.truncated && limit > 0) {
    return Error{"the body is not brotli as its Content-Encoding says"};
  }
  return decoded;
}

Result<Decoded> decode_zstd(std::string_view body, size_t limit) {
  std::unique_ptr<ZSTD_DCtx, Freed<ZSTD_freeDCtx>> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  // RFC 9659: the web uses windows of at most 8 MB.
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 23);
  ZSTD_inBuffer in{body.data(), body.size(), 0};
  Decoded decoded = collect(limit, [&](char* to, size_t size) -> Output {
    ZSTD_outBuffer out{to, size, 0};
    const size_t before = in.pos;
    const size_t hint = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(hint)) return {out.pos, Step::kBroken};
    if (hint == 0 && in.pos == in.size) return {out.pos, Step::kEnd};
    const bool starved = out.pos == 0 && in.pos == before;
    return {out.pos, starved ? Step::kBroken : Step::kMore};
  });
  if (decoded.bytes.empty() && decoded.truncated && limit > 0) {
    return Error{"the body is not zstd as its Content-Encoding says"};
  }
  return decoded;
}

Result<Decoded> decode_one(std::string_view coding, std::string_view body, size_t limit) {
  if (coding == "gzip" || coding == "x-gzip") return decode_gzip(body, limit);
  if (coding == "deflate") return decode_deflate(body, limit);
  if (coding == "br") return decode_brotli(body, limit);
  if (coding == "zstd") return decode_zstd(body, limit);
  return Error{fmt::format("the Content-Encoding '{}' is unknown", coding)};
}

// The codings in the order they were applied: lower case, without those that change nothing.
std::vector<std::string> codings_of(std::string_view encoding) {
  std::vector<std::string> codings(1);
  for (const char c : encoding) {
    if (c == ',')
      codings.emplace_back();
    else if (c != ' ' && c != '\t')
      codings.back() += c >= 'A' && c <= 'Z' ? c + 32 : c;
  }
  std::erase_if(codings, [](const std::string& c) { return c.empty() || c == "identity"; });
  return codings;
}

}  // namespace

std::string gzip(std::string_view bytes, int level) {
  libdeflate_compressor* c = compressor(std::clamp(level, 0, 12));
  std::string out(libdeflate_gzip_compress_bound(c, bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(c, bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

std::string gzip_fast(std::string_view bytes) {
  const size_t bound = libdeflate_gzip_compress_bound(compressor(1), bytes.size());
  if (bound > kMostAtOnce) return gzip(bytes, 1);
  // A string would be filled with zeros first, and keep what it does not need.
  thread_local const std::unique_ptr<char[]> kept(new char[kScratch]);
  thread_local const std::unique_ptr<uint8_t[]> work(new uint8_t[ISAL_DEF_LVL1_DEFAULT]);
  std::unique_ptr<char[]> larger;
  if (bound > kScratch) larger.reset(new char[bound]);
  char* const out = larger ? larger.get() : kept.get();
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  stream.hist_bits = 0;  // as far back as possible; the call above leaves it undefined
  if (bytes.size() >= kWorthOwnCodes) {
    stream.level = 1;
    stream.level_buf = work.get();
    stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
  }
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out);
  stream.avail_out = static_cast<uint32_t>(bound);
  if (isal_deflate_stateless(&stream) != COMP_OK) return gzip(bytes, 1);  // no room: never seen
  std::memcpy(out, kFastHead.data(), kFastHead.size());
  return std::string(out, stream.total_out);
}

Result<GzipMember> gunzip_member(std::string_view input, size_t limit, size_t expected) {
  // A string would be filled with zeros before it is filled with bytes: most members fit into
  // memory that is kept for them.
  thread_local const std::unique_ptr<char[]> kept(new char[kScratch]);
  std::unique_ptr<char[]> larger;
  for (size_t size = std::min(std::max(kScratch, expected), limit);;
       size = std::min(size * 4, limit)) {
    if (size > kScratch) larger.reset(new char[size]);
    char* const buffer = size > kScratch ? larger.get() : kept.get();
    size_t consumed = 0, written = 0;
    const auto result = libdeflate_gzip_decompress_ex(decompressor(), input.data(), input.size(),
                                                      buffer, size, &consumed, &written);
    if (result == LIBDEFLATE_SUCCESS) return GzipMember{std::string(buffer, written), consumed};
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
      return Error{"a gzip member is broken or cut short"};
    if (size >= limit) return too_big(limit);
  }
}

Result<Decoded> decode_content(std::string_view encoding, std::string_view body, size_t limit) {
  const std::vector<std::string> codings = codings_of(encoding);
  if (codings.size() > kMaxCodings) {
    return Error{
        fmt::format("a body with {} content encodings is not decompressed", codings.size())};
  }
  // An answer to HEAD and a 304 have the header and no body.
  if (codings.empty() || body.empty()) {
    return Decoded{std::string(body.substr(0, limit)), body.size() > limit};
  }
  Decoded decoded;
  bool truncated = false;
  for (size_t i = codings.size(); i-- > 0;) {
    const std::string_view input = i + 1 == codings.size() ? body : decoded.bytes;
    Result<Decoded> step = decode_one(codings[i], input, limit);
    if (!step) return step;
    truncated |= step->truncated;
    decoded = std::move(*step);
  }
  decoded.truncated = truncated;
  return decoded;
}

}  // namespace dowser
