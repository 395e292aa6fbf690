#include "base/hash.h"

#include <openssl/sha.h>

#include <bit>
#include <cstring>

namespace dowser {
namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t load8(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return std::endian::native == std::endian::little ? v : __builtin_bswap64(v);
}

uint64_t load4(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return std::endian::native == std::endian::little ? v : __builtin_bswap32(v);
}

// `n` < 8 bytes, little end first: two or three reads that overlap, instead of one for each byte.
uint64_t load(const char* p, size_t n) {
  if (n >= 4) return load4(p) | load4(p + n - 4) << (8 * (n - 4));
  if (n == 0) return 0;
  const auto byte = [p](size_t i) { return uint64_t{static_cast<uint8_t>(p[i])} << (8 * i); };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

}  // namespace

uint64_t hash64(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t kA = 0xa0761d6478bd642fULL, kB = 0xe7037ed1a0b428dbULL;
  // Mixed, or a seed would only be an edit of the first eight bytes.
  uint64_t h = mix(seed ^ kA, kB);
  const char* p = bytes.data();
  size_t n = bytes.size();
  for (; n >= 8; p += 8, n -= 8) h = mix(h ^ load8(p), kB);
  h = mix(h ^ load(p, n), kA ^ bytes.size());
  return mix(h, kB);
}

Sha1 sha1(std::string_view bytes) {
  Sha1 digest;
  SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

std::string base32(std::string_view bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string out;
  uint32_t buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = (buffer << 8) | static_cast<uint8_t>(c);
    for (bits += 8; bits >= 5; bits -= 5) out += kAlphabet[(buffer >> (bits - 5)) & 31];
  }
  if (bits > 0) out += kAlphabet[(buffer << (5 - bits)) & 31];
  while (out.size() % 8 != 0) out += '=';
  return out;
}

std::string sha1_digest(std::string_view payload) {
  const Sha1 digest = sha1(payload);
  return "sha1:" + base32({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace dowser
