#include "frontier/frontier.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {

Frontier::HostId Frontier::host_of(const Url& url) {
  const auto [it, added] =
      host_ids_.try_emplace(hash64(url.host()), static_cast<HostId>(hosts_.size()));
  if (added) hosts_.emplace_back().delay = options_.delay;
  return it->second;
}

const Frontier::Host* Frontier::find_host(const Url& url) const {
  const auto it = host_ids_.find(hash64(url.host()));
  return it == host_ids_.end() ? nullptr : &hosts_[it->second];
}

// A host that wants time between two requests gets them one after the other: two under way at once
// could arrive there closer to each other than they were sent.
bool Frontier::is_full(const Host& host) const {
  if (options_.max_connections == 0) return false;
  return host.errands >= (host.delay > Duration(0) ? 1 : options_.max_connections);
}

Frontier::Key Frontier::key_of(Slot slot) const {
  return {entries_[slot].candidate.score, entries_[slot].sequence, slot};
}

void Frontier::insert(Slot slot) {
  const HostId host = entries_[slot].host;
  hosts_[host].waiting.insert(key_of(slot));
  if (options_.max_waiting > 0) all_.insert(key_of(slot));
  ++waiting_;
  place(host);
}

Frontier::Entry Frontier::remove(Slot slot) {
  const HostId host = entries_[slot].host;
  hosts_[host].waiting.erase(key_of(slot));
  if (options_.max_waiting > 0) all_.erase(key_of(slot));
  --waiting_;
  place(host);
  free_.push_back(slot);
  return std::move(entries_[slot]);
}

void Frontier::place(HostId id) {
  Host& host = hosts_[id];
  const bool waits = !host.waiting.empty() && !is_full(host);
  std::optional<Key> ready;
  std::optional<Time> delayed;
  if (waits && host.ready_at <= now_) ready = *host.waiting.begin();
  if (waits && host.ready_at > now_) delayed = host.ready_at;

  const bool same_head = ready && host.in_ready && ready->sequence == host.in_ready->sequence &&
                         ready->score == host.in_ready->score;
  if (!same_head) {
    if (host.in_ready) ready_.erase({*host.in_ready, id});
    if (ready) ready_.insert({*ready, id});
    host.in_ready = ready;
  }
  if (delayed != host.in_delayed) {
    if (host.in_delayed) delayed_.erase({*host.in_delayed, id});
    if (delayed) delayed_.insert({*delayed, id});
    host.in_delayed = delayed;
  }
}

Frontier::Offer Frontier::offer(const Url& url, const Score& score, const Trail& trail) {
  const uint64_t fingerprint = hash64(seen_key(url, options_.rules));
  const auto [known, is_new] = known_.try_emplace(fingerprint, kDroppedSlot);
  if (known->second == kVisitedSlot) return Offer::kVisited;

  if (known->second != kDroppedSlot) {  // it waits
    const Slot slot = known->second;
    if (!(score > entries_[slot].candidate.score)) return Offer::kKnown;
    Entry entry = remove(slot);
    free_.pop_back();
    entry.candidate.score = score;
    entry.candidate.trail = trail;
    entries_[slot] = std::move(entry);
    insert(slot);
    return Offer::kRaised;
  }

  const HostId host = host_of(url);
  if (options_.max_per_host > 0 && hosts_[host].taken >= options_.max_per_host) {
    return Offer::kRefused;
  }
  if (options_.max_waiting > 0 && waiting_ >= options_.max_waiting) {
    const Key worst = *all_.rbegin();
    if (!(score > worst.score)) return Offer::kRefused;
    known_[remove(worst.slot).fingerprint] = kDroppedSlot;
  }
  Slot slot;
  if (free_.empty()) {
    slot = static_cast<Slot>(entries_.size());
    entries_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  entries_[slot] = {{url, score, trail}, fingerprint, sequence_++, host};
  known_[fingerprint] = slot;
  insert(slot);
  return Offer::kNew;
}

Candidate Frontier::visit(Slot slot) {
  Entry entry = remove(slot);
  known_[entry.fingerprint] = kVisitedSlot;
  Host& host = hosts_[entry.host];
  ++host.taken;
  if (options_.max_per_host > 0 && host.taken >= options_.max_per_host) close_host(entry.host);
  return std::move(entry.candidate);
}

void Frontier::close_host(HostId id) {
  while (!hosts_[id].waiting.empty()) {
    known_[remove(hosts_[id].waiting.begin()->slot).fingerprint] = kDroppedSlot;
  }
}

std::optional<Candidate> Frontier::take() {
  if (ready_.empty()) return std::nullopt;
  return visit(ready_.begin()->first.slot);
}

std::vector<Candidate> Frontier::take_best(size_t n) {
  std::vector<Candidate> best;
  while (best.size() < n && waiting_ > 0) {
    // The best link is at the head of some host, ready or not. Delayed hosts are not ordered by
    // their heads; a batch is rare enough to look at each of them.
    std::optional<Key> head;
    if (!ready_.empty()) head = ready_.begin()->first;
    for (const auto& [time, id] : delayed_) {
      const Key& key = *hosts_[id].waiting.begin();
      if (!head || key < *head) head = key;
    }
    best.push_back(visit(head->slot));
  }
  return best;
}

bool Frontier::mark_visited(const Url& url) {
  const uint64_t fingerprint = hash64(seen_key(url, options_.rules));
  const auto [known, is_new] = known_.try_emplace(fingerprint, kVisitedSlot);
  if (is_new) return true;
  if (known->second == kVisitedSlot) return false;
  if (known->second != kDroppedSlot) remove(known->second);
  known->second = kVisitedSlot;
  return true;
}

bool Frontier::raise(const Url& url, const Score& score) {
  const auto known = known_.find(hash64(seen_key(url, options_.rules)));
  if (known == known_.end() || known->second >= kDroppedSlot) return false;
  return offer(url, score, entries_[known->second].candidate.trail) == Offer::kRaised;
}

bool Frontier::drop(const Url& url) {
  const auto known = known_.find(hash64(seen_key(url, options_.rules)));
  if (known == known_.end() || known->second >= kDroppedSlot) return false;
  remove(known->second);
  known->second = kDroppedSlot;
  return true;
}

void Frontier::rescore(const std::function<std::optional<Score>(const Candidate&)>& score) {
  std::vector<Slot> slots;
  slots.reserve(waiting_);
  for (const Host& host : hosts_) {
    for (const Key& key : host.waiting) slots.push_back(key.slot);
  }
  // In the order of offers, so that a strategy with state sees them in an order that repeats.
  std::sort(slots.begin(), slots.end(),
            [&](Slot a, Slot b) { return entries_[a].sequence < entries_[b].sequence; });
  for (const Slot slot : slots) {
    const std::optional<Score> next = score(entries_[slot].candidate);
    if (next && *next == entries_[slot].candidate.score) continue;
    Entry entry = remove(slot);
    if (!next) {
      known_[entry.fingerprint] = kDroppedSlot;
      continue;
    }
    free_.pop_back();
    entry.candidate.score = *next;
    entries_[slot] = std::move(entry);
    insert(slot);
  }
}

void Frontier::set_time(Time now) {
  now_ = std::max(now_, now);
  while (!delayed_.empty() && delayed_.begin()->first <= now_) place(delayed_.begin()->second);
}

std::optional<Time> Frontier::next_ready() const {
  if (!ready_.empty()) return now_;
  if (!delayed_.empty()) return delayed_.begin()->first;
  return std::nullopt;
}

void Frontier::put_back(const Candidate& candidate) {
  const uint64_t fingerprint = hash64(seen_key(candidate.url, options_.rules));
  known_[fingerprint] = kDroppedSlot;
  --hosts_[host_of(candidate.url)].taken;
  offer(candidate.url, candidate.score, candidate.trail);
}

void Frontier::enter(const Url& url) {
  const HostId id = host_of(url);
  ++hosts_[id].errands;
  place(id);
}

void Frontier::leave(const Url& url) {
  const HostId id = host_of(url);
  --hosts_[id].errands;
  place(id);
}

bool Frontier::has_place(const Url& url) const {
  const Host* host = find_host(url);
  return !host || !is_full(*host);
}

void Frontier::note_request(const Url& url, Time now) {
  const HostId id = host_of(url);
  hosts_[id].ready_at = std::max(hosts_[id].ready_at, now + hosts_[id].delay);
  place(id);
}

Time Frontier::ready_at(const Url& url) const {
  const Host* host = find_host(url);
  return host ? std::max(now_, host->ready_at) : now_;
}

void Frontier::set_delay(const Url& url, Duration delay) {
  Host& host = hosts_[host_of(url)];
  host.delay = std::max(options_.delay, delay);
}

void Frontier::hold(const Url& url, Time until) {
  const HostId id = host_of(url);
  hosts_[id].ready_at = std::max(hosts_[id].ready_at, until);
  place(id);
}

}  // namespace dowser
