#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"

// Shingles: runs of n consecutive words, each as a hash (Küçük 2009, section 2.1.5). Two texts that
// share most of their shingles say almost the same in the same order. Words are tokens in lower
// case including digits, so case, punctuation and white space make no difference.
//
//   "John went to school" with n = 3 -> {john went to} {went to school}

namespace dowser {

inline constexpr size_t kShingleWords = 4;

// Calls back with the shingles in order, repetitions included. A text of fewer than n words is one
// shingle; a text without words has none. The hashes are the same on every machine. Returns a
// digest of all words in order, equal for texts that differ only in what is ignored here; 0 without
// words.
uint64_t for_each_shingle(std::string_view utf8, size_t n,
                          absl::FunctionRef<void(uint64_t)> callback);

// S_n(d): each shingle once, sorted.
std::vector<uint64_t> shingle_set(std::string_view utf8, size_t n = kShingleWords);

// |a ∩ b| / |a ∪ b| of two sorted sets (equation 2-1); 0 if both are empty.
double jaccard(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace dowser
