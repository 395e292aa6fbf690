#include "background/background.h"

#include <array>
#include <vector>

namespace dowser {
namespace {

#include "background/background.inc"  // kTerms and kLevels, written by make_background

// Terms are hashes, so their first 16 bits divide them into 65,536 buckets of one or two. A link
// has twenty words and a crawl a million links, for which a binary search would be too slow.
constexpr int kHeapShift = 16;

struct Index {
  std::vector<uint32_t> begins;      // of each bucket, and the end of the last
  std::array<double, 256> shares{};  // of each level

  Index() : begins((size_t{1} << kHeapShift) + 1) {
    for (const TermId term : background_table().terms) ++begins[(term >> kHeapShift) + 1];
    for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    for (size_t i = 0; i < shares.size(); ++i) shares[i] = share_of_level(static_cast<uint8_t>(i));
  }
};

}  // namespace

BackgroundTable background_table() {
  return {std::span(kTerms).first(kTermCount), std::span(kLevels).first(kTermCount)};
}

double background_share(TermId term) {
  static const Index index;
  const uint32_t heap = term >> kHeapShift;
  for (uint32_t i = index.begins[heap]; i < index.begins[heap + 1]; ++i) {
    if (kTerms[i] == term) return index.shares[kLevels[i]];
  }
  return 0;
}

}  // namespace dowser
