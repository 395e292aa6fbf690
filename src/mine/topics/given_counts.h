#pragma once

#include <string_view>

#include "base/result.h"
#include "mine/topics/topics.h"

namespace dowser {

// Reads counts that a person has collected, separated by tabs:
//
//   artificial intelligence  76,700,000
//   machine learning *       16,300,000  6,670,000
//   home                     ?           ?
//
// The first line names the keyword and its number of pages; each other line a candidate, its number
// and the number of pages with both. "?" or nothing is an unknown number, commas in numbers do not
// matter, a " *" after a candidate is its star. Empty lines and those that begin with # are passed
// over. `file` is for messages.
Result<TopicsFound> read_counts(std::string_view text, std::string_view file);

}  // namespace dowser
