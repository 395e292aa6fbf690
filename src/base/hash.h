#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dowser {

// A 64-bit hash of bytes, the same on every machine, since it is written to disk. Not
// cryptographic.
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

using Sha1 = std::array<uint8_t, 20>;
Sha1 sha1(std::string_view bytes);

// Base 32 of RFC 4648, upper case, as WARC digests are written: "sha1:" + base32(sha1(payload)).
std::string base32(std::string_view bytes);
std::string sha1_digest(std::string_view payload);

}  // namespace dowser
