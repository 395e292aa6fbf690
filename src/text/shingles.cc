#include "text/shingles.h"

#include <algorithm>

#include "base/hash.h"
#include "text/tokens.h"

namespace dowser {
namespace {

// Odd, so that its powers are never 0 modulo 2^64.
constexpr uint64_t kFactor = 0x9e3779b97f4a7c15ULL;

// The rolling sum is linear in the words; this makes it non-linear (the finaliser of splitmix64).
uint64_t scramble(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

// Rabin's rolling hash over the hashes of words: sum = w1·f^(n-1) + … + wn. A step removes the
// oldest word and adds the next.
uint64_t for_each_shingle(std::string_view utf8, size_t n,
                          absl::FunctionRef<void(uint64_t)> callback) {
  n = std::max<size_t>(n, 1);
  uint64_t factor_n = 1;
  for (size_t i = 0; i < n; ++i) factor_n *= kFactor;
  std::vector<uint64_t> window(n);  // 0 stands for words before the first
  uint64_t sum = 0, digest = 0;
  size_t count = 0, at = 0;
  TokenOptions options;
  options.digits = true;
  for_each_token(utf8, options, [&](std::string_view token) {
    const uint64_t word = hash64(token);
    sum = sum * kFactor + word - window[at] * factor_n;
    window[at] = word;
    if (++at == n) at = 0;
    digest = scramble(digest + word);
    if (++count >= n) callback(scramble(sum));
  });
  if (count > 0 && count < n) callback(scramble(sum));
  return digest;
}

std::vector<uint64_t> shingle_set(std::string_view utf8, size_t n) {
  std::vector<uint64_t> set;
  for_each_shingle(utf8, n, [&set](uint64_t shingle) { set.push_back(shingle); });
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

double jaccard(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  size_t both = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    both += a[i] == b[j];
    const bool step_a = a[i] <= b[j], step_b = b[j] <= a[i];
    i += step_a;
    j += step_b;
  }
  const size_t either = a.size() + b.size() - both;
  return either > 0 ? static_cast<double>(both) / static_cast<double>(either) : 0;
}

}  // namespace dowser
