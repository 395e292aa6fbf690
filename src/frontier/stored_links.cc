#include "frontier/stored_links.h"

#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "frontier/link_record.h"
#include "frontier/loaded_batches.h"

namespace dowser {
namespace {

constexpr char kLink = 0, kStanding = 1, kScore = 2;

std::string numbered(char kind, uint64_t number) {
  std::string key(1, kind);
  key += sortable(number);
  return key;
}

std::string link_key(uint64_t sequence, char record) {
  std::string key = numbered('l', sequence);
  key.push_back(record);
  return key;
}

// The state has lost or garbled what was written to it: the crawl cannot continue.
[[noreturn]] void broken() {
  throw std::runtime_error("the state of the crawl is damaged: a link in it cannot be read");
}

void throw_if_failed(const Status& read) {
  if (!read.ok()) throw std::runtime_error(read.error().message);
}

std::optional<std::string> value_of(const State& state, const std::string& key) {
  Result<std::optional<std::string>> value = state.get(key);
  if (!value) throw std::runtime_error(value.error().message);
  return std::move(*value);
}

Url parse(std::string_view href) {
  Result<Url> url = Url::from_href(href);
  if (!url) broken();
  return *std::move(url);
}

}  // namespace

StoredLinks::Generation StoredLinks::seal() { return generation_++; }

void StoredLinks::committed(Generation generation) {
  while (!written_.empty() && written_.front().first <= generation) {
    const auto [written_in, sequence] = written_.front();
    written_.pop_front();
    forget(new_links_, sequence, written_in);
    forget(new_standings_, sequence, written_in);
  }
}

void StoredLinks::remember(Pending& pending, uint64_t sequence, std::string bytes) {
  forget(pending, sequence);
  pending_bytes_ += bytes.capacity();
  pending[sequence] = {std::move(bytes), generation_};
  written_.emplace_back(generation_, sequence);
}

void StoredLinks::forget(Pending& pending, uint64_t sequence) {
  const auto it = pending.find(sequence);
  if (it == pending.end()) return;
  pending_bytes_ -= it->second.bytes.capacity();
  pending.erase(it);
}

// Only if it was not written again since.
void StoredLinks::forget(Pending& pending, uint64_t sequence, Generation generation) {
  const auto it = pending.find(sequence);
  if (it != pending.end() && it->second.generation <= generation) forget(pending, sequence);
}

void StoredLinks::put(uint64_t sequence, uint64_t fingerprint, const Url& url, const Score& score,
                      const Trail& trail) {
  std::string record = encode_link(fingerprint, url.href(), score, trail);
  state_.put(link_key(sequence, kLink), record);
  remember(new_links_, sequence, std::move(record));
}

void StoredLinks::set_score(uint64_t sequence, const Score& score, const Trail& trail) {
  std::string record = encode_standing(score, trail);
  state_.put(link_key(sequence, kStanding), record);
  if (has_scores_) state_.erase(link_key(sequence, kScore));
  remember(new_standings_, sequence, std::move(record));
}

void StoredLinks::set_score(uint64_t sequence, const Score& score) {
  state_.put(link_key(sequence, kScore), encode_score(score));
  has_scores_ = true;
}

std::pair<Url, Trail> StoredLinks::get(uint64_t sequence) const {
  const auto new_link = new_links_.find(sequence);
  const auto new_standing = new_standings_.find(sequence);
  const bool is_new = new_link != new_links_.end();

  std::optional<std::string> link, standing;
  link = is_new ? new_link->second.bytes : value_of(state_, link_key(sequence, kLink));
  if (new_standing != new_standings_.end()) {
    standing = new_standing->second.bytes;
  } else if (!is_new) {
    standing = value_of(state_, link_key(sequence, kStanding));
  }
  const auto record = link ? decode_link(*link) : std::nullopt;
  if (!record) broken();
  if (!standing) return {parse(record->href), record->trail};
  const auto changed = decode_standing(*standing);
  if (!changed) broken();
  return {parse(record->href), changed->second};
}

void StoredLinks::erase(uint64_t sequence) {
  state_.erase(link_key(sequence, kLink));
  state_.erase(link_key(sequence, kStanding));
  if (has_scores_) state_.erase(link_key(sequence, kScore));
  forget(new_links_, sequence);
  forget(new_standings_, sequence);
}

void StoredLinks::set_visited(uint64_t fingerprint, VisitId id) {
  state_.put(numbered('v', fingerprint), sortable(id.value));
}

void StoredLinks::forget_visits_from(VisitId first) {
  std::vector<uint64_t> forgotten;
  each_visited([&](uint64_t fingerprint, VisitId id) {
    if (id >= first) forgotten.push_back(fingerprint);
  });
  for (const uint64_t fingerprint : forgotten) state_.erase(numbered('v', fingerprint));
  first_forgotten_ = first;
}

void StoredLinks::set_host(std::string_view host, const HostRecord& record) {
  state_.put(std::string("h").append(host), encode_host(record));
}

void StoredLinks::each_waiting(const EachWaiting& visit) const {
  LoadedBatches batches;
  std::exception_ptr failed;
  std::jthread reader([&] {
    try {
      LoadedBatches::Batch batch;
      read_waiting([&](uint64_t fingerprint, Candidate&& link) {
        batch.push_back({fingerprint, std::move(link)});
        if (batch.size() < LoadedBatches::kLinks) return;
        batches.push(std::exchange(batch, {}));
        batch.reserve(LoadedBatches::kLinks);
      });
      batches.push(std::move(batch));
    } catch (...) {
      failed = std::current_exception();
    }
    batches.close();
  });
  try {
    while (const std::optional<LoadedBatches::Batch> batch = batches.pop()) {
      for (const LoadedLink& loaded : *batch) visit(loaded.fingerprint, loaded.link);
    }
  } catch (...) {
    batches.close();  // so that the reader ends
    throw;
  }
  reader.join();
  if (failed) std::rethrow_exception(failed);
}

void StoredLinks::read_waiting(const TakeLink& take) const {
  uint64_t fingerprint = 0;
  std::optional<Candidate> link;  // read, but its standing and score may follow
  const auto flush = [&] {
    if (link) take(fingerprint, *std::move(link));
    link.reset();
  };
  const Status read = state_.scan("l", [&](std::string_view key, std::string_view value) {
    if (key.size() != 10) broken();
    if (key.back() != kLink && (!link || from_sortable(key.substr(1)) != link->sequence)) broken();
    if (key.back() == kStanding) {
      const auto standing = decode_standing(value);
      if (!standing) broken();
      std::tie(link->score, link->trail) = *standing;
      return;
    }
    if (key.back() == kScore) {
      const auto score = decode_score(value);
      if (!score) broken();
      link->score = *score;
      has_scores_ = true;
      return;
    }
    flush();
    const auto record = decode_link(value);
    if (!record) broken();
    fingerprint = record->fingerprint;
    link = {parse(record->href), record->score, record->trail, from_sortable(key.substr(1))};
  });
  throw_if_failed(read);
  flush();
}

void StoredLinks::each_visited(const EachVisited& visit) const {
  throw_if_failed(state_.scan("v", [&](std::string_view key, std::string_view value) {
    if (key.size() != 9 || value.size() != 8) broken();
    const VisitId id{static_cast<uint32_t>(from_sortable(value))};
    if (!first_forgotten_ || id < *first_forgotten_) visit(from_sortable(key.substr(1)), id);
  }));
}

void StoredLinks::each_host(const EachHost& visit) const {
  throw_if_failed(state_.scan("h", [&](std::string_view key, std::string_view value) {
    const auto record = decode_host(value);
    if (!record) broken();
    visit(key.substr(1), *record);
  }));
}

size_t StoredLinks::memory_bytes() const {
  const size_t slots = new_links_.capacity() + new_standings_.capacity();
  return slots * (sizeof(Pending::value_type) + 1) + pending_bytes_;
}

}  // namespace dowser
