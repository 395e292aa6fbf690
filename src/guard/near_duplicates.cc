// Two pages are near duplicates when the Jaccard coefficient of their sets of shingles (runs of
// four words) is at least 0.9: |A ∩ B| / |A ∪ B|, Küçük 2009, eq. 2-1. On a page of 1,000 words
// that is some 13 words changed. The sets are too large to keep and too many to compare, so:
//
// A sketch stands for the set. Every shingle is a random number; its upper half picks one of 320
// bins, and each bin keeps the smallest lower half that fell into it (MinHash by one permutation,
// Li, Owen and Zhang 2012). For two sets, the share of equal bins among those that are not empty in
// both is the Jaccard coefficient, give or take 0.017 at 0.9. Of the smallest number four bits are
// kept (Li and König 2010): 1 … 15, since 0 is an empty bin. One in 15 of the bins that differ then
// looks equal, which similarity() takes off again. Empty bins are not filled up with their
// neighbours' numbers, as is often done: the sketch of a text with fewer shingles than bins is then
// nearly the set itself, and the estimate exact.
//
// Bands find the sketches worth comparing (locality-sensitive hashing, Indyk and Motwani 1998).
// Five neighbouring bins are one row (their smallest number, all its bits), eight rows hash to one
// band, and pages that share one of eight bands are compared. Pages of similarity s share one with
// probability 1 - (1 - s^8)^8:
//
//      s     0.5    0.7    0.8    0.9    0.95
//            0.03   0.38   0.77   0.99   0.9998
//
// Short texts, with many empty bins, share bands a little more often; a band with no number at all
// is not a band.
//
// Measured against the sets themselves, on all pairs of pages (true: at least 0.9 by eq. 2-1):
//
//                                true pairs   found          reported wrongly
//   webkb, 8,080 pages                1,259   100 %          0
//     SimHash, distance 3                      99 %          1
//   mini web, 44,147 pages           35,615    97 %          1,324, all but 17 of them over 0.87
//     SimHash, distance 3                      74 %          11,006
//     SimHash, distance 6                      91 %          309,463
//
// What is missed or wrong lies in the error of the estimate: the bands alone lose 15 pairs of the
// mini web. SimHash (64 bits; distance 3 is the usual choice) loses and invents far more there.
// With five words to a shingle there are 32,204 true pairs, so that choice matters little. A text
// of 10 kB takes 85 to 130 microseconds, nearly all for its words; finding and keeping a sketch
// takes 4 to 11. A page that repeats none takes 208 bytes and 51 to 77 more in the table of bands.
//
// The test is the slow reference: every page against every first page by eq. 2-1.

#include "guard/near_duplicates.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "text/shingles.h"

namespace dowser {
namespace {

constexpr size_t kBins = TextSketch::kBins;
constexpr size_t kBands = TextSketch::kBands;
constexpr size_t kRows = 8;  // of a band
constexpr size_t kBinsOfGroup = kBins / (kBands * kRows);
static_assert(kBinsOfGroup * kBands * kRows == kBins);

constexpr uint32_t kNoMinimum = UINT32_MAX;
constexpr uint64_t kLowBits = 0x1111111111111111ULL;  // the lowest bit of every nibble
constexpr size_t kMaxProbes = 48;

// One bit for each nibble that is 0.
uint64_t zero_nibbles(uint64_t x) {
  x |= x >> 1;
  x |= x >> 2;
  return ~x & kLowBits;
}

uint32_t band_key(const std::array<uint32_t, kBins>& minima, size_t band) {
  std::array<uint32_t, kRows> rows;
  rows.fill(kNoMinimum);
  bool any = false;
  for (size_t row = 0; row < kRows; ++row) {
    const size_t first = (band * kRows + row) * kBinsOfGroup;
    for (size_t i = first; i < first + kBinsOfGroup; ++i)
      rows[row] = std::min(rows[row], minima[i]);
    any |= rows[row] != kNoMinimum;
  }
  if (!any) return 0;
  // Fixed byte order, as sketches are stored.
  std::array<char, 4 * kRows> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(rows[i / 4] >> (8 * (i % 4)));
  }
  const uint64_t hash = hash64({bytes.data(), bytes.size()}, band + 1);
  return static_cast<uint32_t>(hash) | 1;
}

uint32_t digest_key(uint64_t digest) { return static_cast<uint32_t>(digest >> 32); }

}  // namespace

TextSketch sketch_of(std::string_view utf8) {
  std::array<uint32_t, kBins> minima;
  minima.fill(kNoMinimum);
  TextSketch sketch;
  sketch.digest = for_each_shingle(utf8, kShingleWords, [&minima](uint64_t shingle) {
    uint32_t& minimum = minima[(shingle >> 32) * kBins >> 32];
    minimum = std::min(minimum, static_cast<uint32_t>(shingle));
  });
  for (size_t i = 0; i < kBins; ++i) {
    if (minima[i] == kNoMinimum) continue;
    const uint64_t nibble = 1 + ((minima[i] & 0xffff) * 15 >> 16);
    sketch.bins[i / 16] |= nibble << (4 * (i % 16));
  }
  for (size_t band = 0; band < kBands; ++band) sketch.bands[band] = band_key(minima, band);
  return sketch;
}

double similarity(const TextSketch& a, const TextSketch& b) {
  int some = 0, both = 0, equal = 0;  // bins filled in either, in both, and with the same
  for (size_t i = 0; i < a.bins.size(); ++i) {
    const uint64_t empty_a = zero_nibbles(a.bins[i]), empty_b = zero_nibbles(b.bins[i]);
    some += 16 - std::popcount(empty_a & empty_b);
    both += 16 - std::popcount(empty_a | empty_b);
    equal += std::popcount(zero_nibbles(a.bins[i] ^ b.bins[i]) & ~empty_a);
  }
  if (some == 0) return 0;
  // Of the bins that differ in truth, one in 15 looks equal by chance.
  const double truly_equal = (15.0 * equal - both) / 14;
  return std::clamp(truly_equal / some, 0.0, 1.0);
}

size_t NearDuplicates::home_of(uint32_t key) const {
  return uint64_t{key * 0x9e3779b1u} * slots_.size() >> 32;
}

// Calls visit(index) for pages that may have the key, the few others in the way included, until it
// returns false. A key that many pages share (a template's words) says nothing: after kMaxProbes it
// is given up, so the cost is bounded.
template <class Visitor>
void NearDuplicates::probe(uint32_t key, Visitor visit) const {
  size_t at = home_of(key);
  for (size_t i = 0; i < kMaxProbes; ++i, at = at + 1 < slots_.size() ? at + 1 : 0) {
    if (slots_[at] == 0 || !visit(slots_[at] - 1)) return;
  }
}

void NearDuplicates::insert(uint32_t key, uint32_t index) {
  size_t at = home_of(key);
  for (size_t i = 0; i < kMaxProbes; ++i, at = at + 1 < slots_.size() ? at + 1 : 0) {
    if (slots_[at] != 0) continue;
    slots_[at] = index + 1;
    ++used_;
    return;
  }
}

void NearDuplicates::insert_keys(uint32_t index) {
  const TextSketch& sketch = pages_[index].sketch;
  insert(digest_key(sketch.digest), index);
  for (const uint32_t key : sketch.bands) {
    if (key != 0) insert(key, index);
  }
}

void NearDuplicates::grow() {
  const size_t size = std::max<size_t>(1024, slots_.size() + slots_.size() / 2);
  slots_ = std::vector<uint32_t>(size);  // and not assign(), which may keep more than it needs
  used_ = 0;
  for (uint32_t i = 0; i < pages_.size(); ++i) insert_keys(i);
}

std::optional<NearDuplicates::Repeat> NearDuplicates::add(VisitId page, const TextSketch& sketch) {
  if (sketch.empty()) return std::nullopt;
  if (10 * (used_ + kBands + 1) > 7 * slots_.size()) grow();
  std::optional<Repeat> best;
  probe(digest_key(sketch.digest), [&](uint32_t index) {
    if (pages_[index].sketch.digest != sketch.digest) return true;
    best = Repeat{pages_[index].page, 1, true};
    return false;
  });
  if (best) return best;
  for (size_t band = 0; band < kBands; ++band) {
    if (sketch.bands[band] == 0) continue;
    probe(sketch.bands[band], [&](uint32_t index) {
      const Entry& other = pages_[index];
      if (other.sketch.bands[band] != sketch.bands[band]) return true;  // only in the way
      const double s = similarity(sketch, other.sketch);
      const bool better =
          !best || s > best->similarity || (s == best->similarity && other.page < best->of);
      if (s >= threshold_ && better) best = Repeat{other.page, s, false};
      return true;
    });
  }
  if (best) return best;
  pages_.push_back({sketch, page});
  insert_keys(static_cast<uint32_t>(pages_.size() - 1));
  return std::nullopt;
}

std::optional<double> NearDuplicates::similarity_to(VisitId page, const TextSketch& sketch) const {
  const auto entry = std::partition_point(pages_.begin(), pages_.end(),
                                          [&](const Entry& e) { return e.page < page; });
  if (entry == pages_.end() || entry->page != page) return std::nullopt;
  return similarity(entry->sketch, sketch);
}

size_t NearDuplicates::memory_bytes() const {
  return pages_.size() * sizeof(Entry) + slots_.capacity() * sizeof(uint32_t);
}

}  // namespace dowser
