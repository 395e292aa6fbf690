#include <fmt/format.h>
#include <zlib.h>

#include "base/compress.h"
#include "tests/hostile/exhibits.h"

// Hosts whose Content-Encoding is a weapon or a lie.

namespace dowser {
namespace {

using namespace std::string_view_literals;

constexpr size_t kPiece = size_t{1} << 20;
constexpr size_t kPieces = 1024;  // 1 GB

// One MB of spaces as deflate blocks that refer to nothing before them and end on a byte: they can
// stand any number of times one after another.
std::string packed_piece() {
  const std::string spaces(kPiece, ' ');
  std::string out(kPiece, '\0');
  z_stream z{};
  deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(spaces.data()));
  z.avail_in = static_cast<uInt>(spaces.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FULL_FLUSH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

void append_little_endian(std::string& out, uint32_t value) {
  for (int i = 0; i < 4; ++i, value >>= 8) out += static_cast<char>(value & 0xFF);
}

// A valid gzip file of 1 MB that unpacks to 1 GB; handed to `give` in parts.
void make_bomb(const std::function<bool(std::string_view)>& give) {
  const std::string piece = packed_piece(), spaces(kPiece, ' ');
  const uLong piece_sum = crc32(0, reinterpret_cast<const Bytef*>(spaces.data()), kPiece);
  uLong sum = crc32(0, nullptr, 0);
  if (!give("\x1f\x8b\x08\0\0\0\0\0\0\xff"sv)) return;
  for (size_t i = 0; i < kPieces; ++i) {
    if (!give(piece)) return;
    sum = crc32_combine(sum, piece_sum, kPiece);
  }
  std::string end("\x03\0"sv);  // an empty last block
  append_little_endian(end, static_cast<uint32_t>(sum));
  append_little_endian(end, static_cast<uint32_t>(kPieces * kPiece));
  give(end);
}

constexpr std::string_view kPage =
    "<!DOCTYPE html><title>Packed</title><p>A page that was packed by somebody.</p>";

Handler encoded(std::string encoding, std::string body) {
  return [=](Exchange& e) {
    e.answer(200, {{"Content-Type", Exchange::kHtml}, {"Content-Encoding", encoding}}, body);
  };
}

std::string half(std::string bytes) {
  bytes.resize(bytes.size() / 2);
  return bytes;
}

void send_bomb(Exchange& e) {
  e.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n");
  make_bomb([&](std::string_view part) { return e.send(part); });
}

void send_bomb_in_a_bomb(Exchange& e) {
  std::string bomb;
  make_bomb([&](std::string_view part) {
    bomb += part;
    return true;
  });
  encoded("gzip, gzip", gzip(bomb, 9))(e);
}

}  // namespace

std::vector<Exhibit> encoding_exhibits() {
  const std::string long_page = html_page("Cut", 1, {});
  return {
      {"gzip-bomb.test", "1 MB of gzip that unpacks to 1 GB",
       "a page cut short by the limit of unpacked size", send_bomb},
      {"gzip-bomb-twice.test", "some kB that unpack twice, to 1 GB",
       "a page cut short by the limit of unpacked size, or failure", send_bomb_in_a_bomb},
      {"gzip-cut.test", "gzip that ends in the middle", "a page cut short",
       encoded("gzip", half(gzip(long_page)))},
      {"gzip-broken.test", "gzip with wrong bytes inside", "a page cut short, or failure",
       encoded("gzip", gzip(long_page).replace(30, 20, 20, '\xff'))},
      {"gzip-lie.test", "says gzip, is plain text", "the page, or failure",
       encoded("gzip", std::string(kPage))},
      {"encoding-unknown.test", "Content-Encoding: rot13", "failure, or kept as it came",
       encoded("rot13", std::string(kPage))},
  };
}

}  // namespace dowser
