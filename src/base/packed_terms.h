#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"

namespace dowser {

// The terms of a page in few bytes, about five each: differences of the sorted term numbers, and
// counts, seven bits to a byte.
std::string packed_terms(std::span<const TermCount> terms);

// Replaces `terms`. Bytes that are no packed terms give some terms or other, and no error.
void unpack_terms(std::string_view packed, std::vector<TermCount>& terms);

}  // namespace dowser
