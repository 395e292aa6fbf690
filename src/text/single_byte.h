#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dowser {

// What the bytes 0x80 … 0xFF of a single-byte character set stand for.
using SingleByteTable = std::array<char16_t, 128>;

// The table of a character set by its WHATWG name, or null where it is not a single-byte one.
const SingleByteTable* single_byte_table(std::string_view charset);

}  // namespace dowser
