#include "frontier/waiting_links.h"

#include <algorithm>

namespace dowser {
namespace {

// Of a place in the heap. What costs is to look at a link, anywhere in memory: four children make
// half the levels to rise through, and no more comparisons to sink.
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

void WaitingLinks::set_place(Queue& queue, size_t place, Place link) {
  queue[place] = link;
  at(link.slot).place = static_cast<uint32_t>(place);
}

void WaitingLinks::rise(Queue& queue, size_t place) {
  const Place link = queue[place];
  while (place > 0) {
    const size_t parent = (place - 1) / kChildren;
    if (!is_before(link, queue[parent])) break;
    set_place(queue, place, queue[parent]);
    place = parent;
  }
  set_place(queue, place, link);
}

void WaitingLinks::sink(Queue& queue, size_t place) {
  const Place link = queue[place];
  while (kChildren * place + 1 < queue.size()) {
    size_t child = kChildren * place + 1;
    const size_t end = std::min(child + kChildren, queue.size());
    for (size_t other = child + 1; other < end; ++other) {
      if (is_before(queue[other], queue[child])) child = other;
    }
    if (!is_before(queue[child], link)) break;
    set_place(queue, place, queue[child]);
    place = child;
  }
  set_place(queue, place, link);
}

WaitingLinks::Slot WaitingLinks::add(Queue& queue, HostId host, uint64_t fingerprint,
                                     const Rank& rank) {
  Slot slot = first_free_;
  if (slot != kNone) {
    first_free_ = at(slot).place;
  } else {
    slot = slots_++;
    if (slot >> kChunkBits == chunks_.size()) chunks_.push_back(std::make_unique<Link[]>(kChunk));
  }
  at(slot) = {.fingerprint = fingerprint, .sequence = rank.sequence, .host = host};
  write_score(slot, rank.score);
  queue.push_back({static_cast<float>(at(slot).first), slot});
  rise(queue, queue.size() - 1);
  if (knows_worst_) by_rank_.insert(slot);
  ++size_;
  return slot;
}

void WaitingLinks::remove(Queue& queue, Slot slot) {
  if (knows_worst_) by_rank_.erase(slot);
  const size_t place = at(slot).place;
  const Place last = queue.back();
  queue.pop_back();
  if (last.slot != slot) {
    set_place(queue, place, last);
    rise(queue, place);
    sink(queue, at(last.slot).place);
  }
  if (queue.empty()) Queue().swap(queue);  // most hosts are done before the crawl is
  if (at(slot).has_more) more_.erase(slot);
  at(slot) = {.place = first_free_};
  first_free_ = slot;
  --size_;
}

void WaitingLinks::set_score(Queue& queue, Slot slot, const Score& score) {
  if (knows_worst_) by_rank_.erase(slot);
  write_score(slot, score);
  queue[at(slot).place].rounded = static_cast<float>(at(slot).first);
  rise(queue, at(slot).place);
  sink(queue, at(slot).place);
  if (knows_worst_) by_rank_.insert(slot);
}

size_t WaitingLinks::memory_bytes() const {
  // What a tree takes cannot be asked; its nodes are at least half full.
  return chunks_.size() * kChunk * sizeof(Link) + chunks_.capacity() * sizeof(chunks_[0]) +
         more_.capacity() * (sizeof(decltype(more_)::value_type) + 1) +
         by_rank_.size() * 2 * sizeof(Slot);
}

}  // namespace dowser
