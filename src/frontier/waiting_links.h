#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "frontier/rank.h"

// The waiting links of a crawl in order, in little memory: 32 bytes for a link, and 8 to 16 in the
// queue of its host. A queue is a heap of slots with the best link at its front; each link knows
// its position in the heap, so that any link can be moved or removed in O(log n). An entry of the
// heap also holds the rounded score: if two of these differ, the links themselves, which may be
// anywhere in memory, need not be looked at. Most scores have one part; further parts are in a
// separate table. Slots never move; the slot of a link that is gone is used again.

namespace dowser {

class WaitingLinks {
 public:
  using Slot = uint32_t;
  struct Entry {
    float rounded;  // first part of the score
    Slot slot;
  };
  using Queue = std::vector<Entry>;  // the links of one host; only this class changes it

  // worst() may be called only with `knows_worst`, which costs 4 to 8 bytes a link.
  explicit WaitingLinks(bool knows_worst) : knows_worst_(knows_worst), by_rank_(Before{this}) {}
  WaitingLinks(const WaitingLinks&) = delete;
  WaitingLinks& operator=(const WaitingLinks&) = delete;

  Slot add(Queue& queue, HostId host, uint64_t fingerprint, const Rank& rank);
  void remove(Queue& queue, Slot slot);
  void set_score(Queue& queue, Slot slot, const Score& score);

  Score score(Slot slot) const;
  Rank rank(Slot slot) const { return {score(slot), sequence(slot)}; }
  uint64_t sequence(Slot slot) const { return at(slot).sequence; }
  uint64_t fingerprint(Slot slot) const { return at(slot).fingerprint; }
  HostId host(Slot slot) const { return at(slot).host; }
  void prefetch(Slot slot) const { __builtin_prefetch(&at(slot)); }
  Slot worst() const { return *by_rank_.rbegin(); }  // of all; at least one link must wait

  size_t size() const { return size_; }
  size_t memory_bytes() const;  // without the queues

 private:
  static constexpr Slot kNone = UINT32_MAX;
  static constexpr size_t kChunkBits = 13;
  static constexpr Slot kChunk = 1 << kChunkBits;

  struct Link {
    double first = 0;  // part of the score
    uint64_t fingerprint = 0;
    uint64_t sequence : 63 = 0;
    uint64_t has_more : 1 = false;  // parts of the score that are not 0
    HostId host = 0;
    uint32_t position = 0;  // in the queue; of a free slot, the next free one
  };
  static_assert(sizeof(Link) == 32);
  using MoreParts = std::array<double, Score::kParts - 1>;

  struct Before {
    const WaitingLinks* links;
    bool operator()(Slot a, Slot b) const { return links->is_before(a, b); }
  };

  Link& at(Slot slot) { return chunks_[slot >> kChunkBits][slot & (kChunk - 1)]; }
  const Link& at(Slot slot) const { return chunks_[slot >> kChunkBits][slot & (kChunk - 1)]; }
  bool is_before(Slot a, Slot b) const;
  void write_score(Slot slot, const Score& score);
  bool is_before(const Entry& a, const Entry& b) const {
    return a.rounded != b.rounded ? a.rounded > b.rounded : is_before(a.slot, b.slot);
  }
  void set_entry(Queue& queue, size_t position, Entry entry);
  void sift_up(Queue& queue, size_t position);
  void sift_down(Queue& queue, size_t position);

  const bool knows_worst_;
  size_t size_ = 0;
  Slot first_free_ = kNone;
  Slot slots_ = 0;                               // ever used
  std::vector<std::unique_ptr<Link[]>> chunks_;  // a vector would double, and copy, a gigabyte
  absl::flat_hash_map<Slot, MoreParts> more_;
  absl::btree_set<Slot, Before> by_rank_;
};

}  // namespace dowser
