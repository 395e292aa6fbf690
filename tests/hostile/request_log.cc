#include "tests/hostile/request_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace dowser {
namespace {

using Kind = RequestEvent::Kind;

constexpr std::array<std::string_view, 6> kKindNames = {"open",  "request", "answer",
                                                        "close", "name",    "reply"};
constexpr std::string_view kColumns =
    "time_us\tevent\tconnection\tclient_port\taddress\thost\tmethod\ttarget\tstatus\twait_us\t"
    "note\n";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    byte < 0x20 || byte == 0x7F ? out += fmt::format("%{:02X}", byte) : out += c;
  }
  return out;
}

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_line(std::string_view line, RequestEvent& event) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  if (cells.size() != 11) return false;
  const auto kind = std::find(kKindNames.begin(), kKindNames.end(), cells[1]);
  if (kind == kKindNames.end()) return false;
  event.kind = static_cast<Kind>(kind - kKindNames.begin());
  event.address = cells[4];
  event.host = cells[5];
  event.method = cells[6];
  event.target = cells[7];
  event.note = cells[10];
  int64_t wait = 0;
  const bool ok = read_number(cells[0], event.time.micros) &&
                  read_number(cells[2], event.connection) &&
                  read_number(cells[3], event.client_port) && read_number(cells[8], event.status) &&
                  read_number(cells[9], wait);
  event.wait = Duration(wait);
  return ok;
}

void keep_smallest(std::optional<Duration>& smallest, Duration value) {
  if (!smallest || value < *smallest) smallest = value;
}

// What is needed of one host while the log is read from front to back.
struct Reading {
  HostTraffic traffic;
  std::optional<Time> last_request;
  std::optional<Time> come_back;  // the time that the last Retry-After named
  std::set<uint64_t> connections;
};

void read_request(Reading& host, const RequestEvent& event) {
  ++host.traffic.requests;
  host.connections.insert(event.connection);
  if (host.last_request) {
    keep_smallest(host.traffic.smallest_gap, event.time - *host.last_request);
  }
  host.last_request = event.time;
  if (host.come_back) {
    keep_smallest(host.traffic.earliest_return, event.time - *host.come_back);
    host.come_back.reset();
  }
}

struct Life {
  Time opened, closed;
};

// The most lives at one time. One that ends when another begins does not overlap it.
size_t most_at_once(const std::vector<Life>& lives) {
  std::vector<std::pair<Time, int>> changes;
  for (const Life& life : lives) {
    if (life.closed <= life.opened) continue;
    changes.emplace_back(life.opened, +1);
    changes.emplace_back(life.closed, -1);
  }
  std::sort(changes.begin(), changes.end());  // -1 before +1
  int now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<size_t>(most);
}

std::map<std::string, HostTraffic> traffic_by(std::span<const RequestEvent> events,
                                              std::string RequestEvent::*key, Duration slack) {
  std::map<std::string, Reading> readings;
  std::map<uint64_t, Life> lives;
  const Time never{INT64_MAX};
  for (const RequestEvent& event : events) {
    if (event.kind == Kind::kOpen) lives[event.connection] = {event.time, never};
    if (event.kind == Kind::kClose) lives[event.connection].closed = event.time + -slack;
    if (event.kind == Kind::kRequest) read_request(readings[event.*key], event);
    if (event.kind == Kind::kAnswer && event.wait > Duration(0)) {
      readings[event.*key].come_back = event.time + event.wait;
    }
  }
  std::map<std::string, HostTraffic> traffic;
  for (auto& [name, reading] : readings) {
    std::vector<Life> own;
    for (const uint64_t connection : reading.connections) own.push_back(lives[connection]);
    // Slack may shorten a life to nothing, but a host that was asked was connected to.
    reading.traffic.most_connections = std::max<size_t>(1, most_at_once(own));
    traffic[name] = reading.traffic;
  }
  return traffic;
}

std::string milliseconds(const std::optional<Duration>& d) {
  return d ? fmt::format("{:.1f}", static_cast<double>(d->count()) / 1e3) : "-";
}

}  // namespace

void RequestLog::add(RequestEvent event) {
  const std::lock_guard lock(mutex_);
  if (events_.size() >= kLimit) return;
  // Read under the lock, so that the order of the log is the order of the times.
  const auto since = std::chrono::steady_clock::now() - steady_start_;
  event.time = start_ + std::chrono::duration_cast<Duration>(since);
  events_.push_back(std::move(event));
}

RequestEvents RequestLog::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

size_t RequestLog::size() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

std::string to_tsv(std::span<const RequestEvent> events) {
  std::string out(kColumns);
  for (const RequestEvent& e : events) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   e.time.micros, kKindNames[static_cast<size_t>(e.kind)], e.connection,
                   e.client_port, escaped(e.address), escaped(e.host), escaped(e.method),
                   escaped(e.target), e.status, e.wait.count(), escaped(e.note));
  }
  return out;
}

Result<RequestEvents> parse_tsv(std::string_view text) {
  if (!text.starts_with(kColumns)) return Error{"this is no request log: its first line differs"};
  text.remove_prefix(kColumns.size());
  RequestEvents events;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    RequestEvent event;
    if (!parse_line(text.substr(0, end), event)) {
      return Error{fmt::format("line {} of the request log is broken", events.size() + 2)};
    }
    events.push_back(std::move(event));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return events;
}

std::map<std::string, HostTraffic> traffic_by_host(std::span<const RequestEvent> events,
                                                   Duration slack) {
  return traffic_by(events, &RequestEvent::host, slack);
}

std::map<std::string, HostTraffic> traffic_by_address(std::span<const RequestEvent> events,
                                                      Duration slack) {
  return traffic_by(events, &RequestEvent::address, slack);
}

std::map<std::string, size_t> request_counts(std::span<const RequestEvent> events) {
  std::map<std::string, size_t> counts;
  for (const RequestEvent& e : events) {
    if (e.kind == Kind::kRequest) ++counts[e.host + e.target];
  }
  return counts;
}

std::map<std::string, size_t> answer_counts(std::span<const RequestEvent> events) {
  std::map<std::string, size_t> counts;
  for (const RequestEvent& e : events) {
    if (e.kind == Kind::kAnswer && e.status == 200) ++counts[e.host + e.target];
  }
  return counts;
}

std::string traffic_table(const std::map<std::string, HostTraffic>& traffic) {
  std::string out = fmt::format("{:<28}{:>10}{:>18}{:>18}{:>20}\n", "host", "requests",
                                "smallest gap ms", "most connections", "earliest return ms");
  for (const auto& [host, t] : traffic) {
    out += fmt::format("{:<28}{:>10}{:>18}{:>18}{:>20}\n", host, t.requests,
                       milliseconds(t.smallest_gap), t.most_connections,
                       milliseconds(t.earliest_return));
  }
  return out;
}

}  // namespace dowser
