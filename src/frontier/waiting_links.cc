#include "frontier/waiting_links.h"

#include <algorithm>

namespace dowser {
namespace {

// Of a position in the heap. Looking at a link, which may be anywhere in memory, costs most: four
// children make half as many levels to move up through, and no more comparisons to move down.
constexpr size_t kChildren = 4;

}  // namespace

bool WaitingLinks::is_before(Slot a, Slot b) const {
  const Link& x = at(a);
  const Link& y = at(b);
  if (x.first != y.first) return x.first > y.first;
  if (x.has_more || y.has_more) return rank(a) < rank(b);
  return x.sequence < y.sequence;
}

Score WaitingLinks::score(Slot slot) const {
  const Link& link = at(slot);
  if (!link.has_more) return Score(link.first);
  const MoreParts& more = more_.find(slot)->second;
  return Score(link.first, more[0], more[1], more[2]);
}

void WaitingLinks::write_score(Slot slot, const Score& score) {
  Link& link = at(slot);
  const auto& parts = score.parts();
  const MoreParts more = {parts[1], parts[2], parts[3]};
  link.first = parts[0];
  if (link.has_more) more_.erase(slot);
  link.has_more = more != MoreParts{};
  if (link.has_more) more_.emplace(slot, more);
}

void WaitingLinks::set_entry(Queue& queue, size_t position, Entry entry) {
  queue[position] = entry;
  at(entry.slot).position = static_cast<uint32_t>(position);
}

void WaitingLinks::sift_up(Queue& queue, size_t position) {
  const Entry entry = queue[position];
  while (position > 0) {
    const size_t parent = (position - 1) / kChildren;
    if (!is_before(entry, queue[parent])) break;
    set_entry(queue, position, queue[parent]);
    position = parent;
  }
  set_entry(queue, position, entry);
}

void WaitingLinks::sift_down(Queue& queue, size_t position) {
  const Entry entry = queue[position];
  while (kChildren * position + 1 < queue.size()) {
    size_t child = kChildren * position + 1;
    const size_t end = std::min(child + kChildren, queue.size());
    for (size_t other = child + 1; other < end; ++other) {
      if (is_before(queue[other], queue[child])) child = other;
    }
    if (!is_before(queue[child], entry)) break;
    set_entry(queue, position, queue[child]);
    position = child;
  }
  set_entry(queue, position, entry);
}

WaitingLinks::Slot WaitingLinks::add(Queue& queue, HostId host, uint64_t fingerprint,
                                     const Rank& rank) {
  Slot slot = first_free_;
  if (slot != kNone) {
    first_free_ = at(slot).position;
  } else {
    slot = slots_++;
    if (slot >> kChunkBits == chunks_.size()) chunks_.push_back(std::make_unique<Link[]>(kChunk));
  }
  at(slot) = {.fingerprint = fingerprint, .sequence = rank.sequence, .host = host};
  write_score(slot, rank.score);
  queue.push_back({static_cast<float>(at(slot).first), slot});
  sift_up(queue, queue.size() - 1);
  if (knows_worst_) by_rank_.insert(slot);
  ++size_;
  return slot;
}

void WaitingLinks::remove(Queue& queue, Slot slot) {
  if (knows_worst_) by_rank_.erase(slot);
  const size_t position = at(slot).position;
  const Entry last = queue.back();
  queue.pop_back();
  if (last.slot != slot) {
    set_entry(queue, position, last);
    sift_up(queue, position);
    sift_down(queue, at(last.slot).position);
  }
  if (queue.empty()) Queue().swap(queue);  // most hosts are finished before the crawl is
  if (at(slot).has_more) more_.erase(slot);
  at(slot) = {.position = first_free_};
  first_free_ = slot;
  --size_;
}

void WaitingLinks::set_score(Queue& queue, Slot slot, const Score& score) {
  if (knows_worst_) by_rank_.erase(slot);
  write_score(slot, score);
  queue[at(slot).position].rounded = static_cast<float>(at(slot).first);
  sift_up(queue, at(slot).position);
  sift_down(queue, at(slot).position);
  if (knows_worst_) by_rank_.insert(slot);
}

size_t WaitingLinks::memory_bytes() const {
  // An estimate for the tree, whose nodes are at least half full.
  return chunks_.size() * kChunk * sizeof(Link) + chunks_.capacity() * sizeof(chunks_[0]) +
         more_.capacity() * (sizeof(decltype(more_)::value_type) + 1) +
         by_rank_.size() * 2 * sizeof(Slot);
}

}  // namespace dowser
