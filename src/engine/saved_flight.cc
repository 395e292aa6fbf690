#include "engine/saved_flight.h"

#include <algorithm>

#include "base/bytes.h"

namespace dowser {
namespace {

constexpr std::string_view kFlight = "f";
constexpr std::string_view kBatch = "n";
constexpr std::string_view kOrigin = "o";

void write_fetch(ByteWriter& out, const SavedFlight::Fetch& fetch) {
  out.number(fetch.sequence);
  out.number(fetch.mark);
  out.number(static_cast<uint8_t>(fetch.failure));
  out.number(static_cast<uint8_t>(fetch.redirects.size()));
  for (const Time time : fetch.redirects) out.number(time.micros);
}

SavedFlight::Fetch read_fetch(ByteReader& in) {
  SavedFlight::Fetch fetch;
  fetch.sequence = in.number<uint64_t>();
  fetch.mark = in.number<uint32_t>();
  fetch.failure = static_cast<Failure>(in.number<uint8_t>());
  for (uint8_t left = in.number<uint8_t>(); left > 0 && in.ok(); --left) {
    fetch.redirects.push_back({in.number<int64_t>()});
  }
  return fetch;
}

void write_reading(ByteWriter& out, const SavedFlight::Reading& reading) {
  out.text(reading.origin);
  out.text(reading.url);
  out.number(static_cast<uint8_t>(reading.redirects));
}

SavedFlight::Reading read_reading(ByteReader& in) {
  SavedFlight::Reading reading;
  reading.origin = in.text();
  reading.url = in.text();
  reading.redirects = in.number<uint8_t>();
  return reading;
}

template <class T, class Write>
void write_all(ByteWriter& out, const std::vector<T>& all, Write write) {
  out.number(static_cast<uint32_t>(all.size()));
  for (const T& one : all) write(out, one);
}

template <class T, class Read>
void read_all(ByteReader& in, std::vector<T>& all, Read read) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) all.push_back(read(in));
}

}  // namespace

Frontier::InFlight SavedFlight::links() const {
  Frontier::InFlight links;
  for (const uint64_t sequence : marked) links[sequence] = false;
  for (const auto* fetches : {&failed, &waiting, &batch}) {
    for (const Fetch& fetch : *fetches) links[fetch.sequence] = true;
  }
  for (const Running& one : running) {
    if (const auto* fetch = std::get_if<Fetch>(&one)) links[fetch->sequence] = true;
  }
  return links;
}

std::optional<Candidate> SavedFlight::Fetch::candidate(const Frontier::Taken& taken) const {
  const auto it = taken.find(sequence);
  if (it == taken.end()) return std::nullopt;
  Candidate candidate = it->second;
  candidate.mark = mark;
  return candidate;
}

void SavedFlight::save(State& state) const {
  ByteWriter out;
  out.number(now.micros);
  out.number(started.micros);
  write_all(out, failed, write_fetch);
  write_all(out, waiting, write_fetch);
  write_all(out, running, [](ByteWriter& to, const Running& one) {
    const auto* fetch = std::get_if<Fetch>(&one);
    to.number(static_cast<uint8_t>(fetch ? 1 : 0));
    fetch ? write_fetch(to, *fetch) : write_reading(to, std::get<Reading>(one));
  });
  write_all(out, moved, write_reading);
  write_all(out, marked, [](ByteWriter& to, uint64_t sequence) { to.number(sequence); });
  out.number(batch_left);
  state.put(kFlight, out.bytes());
  if (!batch.empty()) {
    ByteWriter links;
    write_all(links, batch, [](ByteWriter& to, const Fetch& one) {
      to.number(one.sequence);
      to.number(one.mark);
    });
    state.put(kBatch, links.bytes());
  }
  for (const std::string& origin : origins) state.put(std::string(kOrigin) + origin, "");
}

Result<std::optional<SavedFlight>> SavedFlight::load(const State& state) {
  const Error damaged{"the state of the crawl is damaged: what was in flight cannot be read"};
  const auto bytes = state.get(kFlight);
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<SavedFlight>();
  SavedFlight flight;
  ByteReader in(**bytes);
  flight.now.micros = in.number<int64_t>();
  flight.started.micros = in.number<int64_t>();
  read_all(in, flight.failed, read_fetch);
  read_all(in, flight.waiting, read_fetch);
  read_all(in, flight.running, [](ByteReader& from) {
    return from.number<uint8_t>() == 1 ? Running(read_fetch(from)) : Running(read_reading(from));
  });
  read_all(in, flight.moved, read_reading);
  read_all(in, flight.marked, [](ByteReader& from) { return from.number<uint64_t>(); });
  flight.batch_left = in.number<uint32_t>();
  if (!in.ok()) return damaged;
  if (flight.batch_left > 0) {
    const auto batch = state.get(kBatch);
    if (!batch) return batch.error();
    if (!*batch) return damaged;
    ByteReader from(**batch);
    read_all(from, flight.batch, [](ByteReader& one) {
      Fetch fetch;
      fetch.sequence = one.number<uint64_t>();
      fetch.mark = one.number<uint32_t>();
      return fetch;
    });
    if (!from.ok() || flight.batch.size() < flight.batch_left) return damaged;
    flight.batch.erase(flight.batch.begin(),
                       flight.batch.end() - static_cast<ptrdiff_t>(flight.batch_left));
  }
  const Status read = state.scan(kOrigin, [&](std::string_view key, std::string_view) {
    flight.origins.emplace_back(key.substr(kOrigin.size()));
  });
  if (!read.ok()) return read.error();
  return std::optional(std::move(flight));
}

}  // namespace dowser
