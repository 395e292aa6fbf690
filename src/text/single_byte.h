#pragma once

#include <array>
#include <string_view>

namespace dowser {

// The characters of the bytes 0x80 … 0xFF of a single-byte character set.
using SingleByteTable = std::array<char16_t, 128>;

// The table of a character set by its WHATWG name, or null if it is not a single-byte set.
const SingleByteTable* single_byte_table(std::string_view charset);

}  // namespace dowser
