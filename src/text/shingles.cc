#include "text/shingles.h"

#include <algorithm>

namespace dowser {

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
