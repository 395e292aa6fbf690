#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/tokens.h"

// Shingles: runs of n consecutive words, each as a hash (Küçük 2009, section 2.1.5). Two texts that
// share most of their shingles say almost the same in the same order. Words are tokens in lower
// case including digits, so case, punctuation and white space make no difference.
//
//   "John went to school" with n = 3 -> {john went to} {went to school}

namespace dowser {

inline constexpr size_t kShingleWords = 4;

// Makes shingles of words that come one by one, by Rabin's rolling hash over the hashes of words:
// sum = w1·f^(n-1) + … + wn. A step removes the oldest word and adds the next.
class ShingleRoller {
 public:
  explicit ShingleRoller(size_t n) : window_(std::max<size_t>(n, 1)) {
    for (size_t i = 0; i < window_.size(); ++i) factor_n_ *= kFactor;
  }

  // Whether a shingle ends with this word: then shingle() is it.
  bool add(uint64_t word) {
    sum_ = sum_ * kFactor + word - window_[at_] * factor_n_;
    window_[at_] = word;
    if (++at_ == window_.size()) at_ = 0;
    digest_ = scramble(digest_ + word);
    return ++count_ >= window_.size();
  }
  uint64_t shingle() const { return scramble(sum_); }
  // There were words, but too few for a shingle: then shingle() is of all of them.
  bool is_short() const { return count_ > 0 && count_ < window_.size(); }
  uint64_t digest() const { return digest_; }  // of all words in order

 private:
  // Odd, so that its powers are never 0 modulo 2^64.
  static constexpr uint64_t kFactor = 0x9e3779b97f4a7c15ULL;

  // The rolling sum is linear in the words; this makes it non-linear (the finaliser of splitmix64).
  static uint64_t scramble(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::vector<uint64_t> window_;  // 0 stands for words before the first
  uint64_t factor_n_ = 1, sum_ = 0, digest_ = 0;
  size_t count_ = 0, at_ = 0;
};

// Calls back with the shingles in order, repetitions included. A text of fewer than n words is one
// shingle; a text without words has none. The hashes are the same on every machine. Returns a
// digest of all words in order, equal for texts that differ only in what is ignored here; 0 without
// words.
template <class Callback>
uint64_t for_each_shingle(std::string_view utf8, size_t n, const Callback& callback) {
  ShingleRoller roller(n);
  TokenOptions options;
  options.digits = true;
  for_each_token(utf8, options, [&](std::string_view token) {
    if (roller.add(hash64(token))) callback(roller.shingle());
  });
  if (roller.is_short()) callback(roller.shingle());
  return roller.digest();
}

// S_n(d): each shingle once, sorted.
std::vector<uint64_t> shingle_set(std::string_view utf8, size_t n = kShingleWords);

// |a ∩ b| / |a ∪ b| of two sorted sets (equation 2-1); 0 if both are empty.
double jaccard(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace dowser
