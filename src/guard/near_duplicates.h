#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "model/score.h"

// Pages with the same words as another page, or nearly so (Jaccard coefficient of their shingles,
// eq. 2-1 of Küçük 2009). The essay is in near_duplicates.cc.

namespace dowser {

// A text in 200 bytes. Any thread may make one.
struct TextSketch {
  static constexpr size_t kBins = 320;  // four bits each
  static constexpr size_t kBands = 8;

  uint64_t digest = 0;                      // of all words in order; 0 = there are none
  std::array<uint64_t, kBins / 16> bins{};  // 0 = empty, else 1 … 15
  std::array<uint32_t, kBands> bands{};     // 0 = empty

  bool empty() const { return digest == 0; }
  friend bool operator==(const TextSketch&, const TextSketch&) = default;
};

TextSketch sketch_of(std::string_view utf8);

// The Jaccard coefficient of the two texts' shingles as far as their sketches tell: with a standard
// error of 0.017 at 0.9 for long texts, less for short ones.
double similarity(const TextSketch& a, const TextSketch& b);

// One thread at a time. A page that is not a near duplicate takes at most 285 bytes, the others
// none: memory_bytes().
class NearDuplicates {
 public:
  struct Repeat {
    VisitId of;             // the first page with this text
    double similarity = 1;  // of the sketches
    bool exact = false;     // word for word
  };

  // Pages at least this similar count as copies.
  explicit NearDuplicates(double threshold = 0.9) : threshold_(threshold) {}

  // The page that this one is a copy of (the most similar one); if there is none, this page is
  // remembered for later ones. It is compared only with pages that are not copies: a chain of small
  // changes is not one page. A text without words is not a copy. Ids rise from call to call.
  std::optional<Repeat> add(VisitId page, const TextSketch& sketch);
  std::optional<Repeat> add(VisitId page, std::string_view text) {
    return add(page, sketch_of(text));
  }

  // How similar a text is to that of a page that was added and is not a near duplicate; nothing for
  // others.
  std::optional<double> similarity_to(VisitId page, const TextSketch& sketch) const;

  size_t pages() const { return pages_.size(); }  // that repeat none
  size_t memory_bytes() const;

 private:
  struct Entry {
    TextSketch sketch;
    VisitId page;
  };

  size_t home_of(uint32_t key) const;
  template <class Visitor>
  void probe(uint32_t key, Visitor visit) const;
  void insert(uint32_t key, uint32_t index);
  void insert_keys(uint32_t index);
  void grow();

  double threshold_;
  std::deque<Entry> pages_;
  // Open addressing; a slot is an index into pages_ plus 1, or 0. A page stands there once for each
  // of its bands and once for its digest. Keys are not kept: the sketches have them.
  std::vector<uint32_t> slots_;
  size_t used_ = 0;
};

}  // namespace dowser
