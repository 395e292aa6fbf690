#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"

namespace dowser {

// Compresses the terms of a page to about five bytes each: differences of the sorted term numbers,
// and counts, as varints of seven bits per byte.
std::string packed_terms(std::span<const TermCount> terms);

// Replaces `terms`. Bytes that are not packed terms give arbitrary terms, but no error.
void unpack_terms(std::string_view packed, std::vector<TermCount>& terms);

}  // namespace dowser
