#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

// What a server saw, and what it says about the manners of its visitor. Politeness is measured here
// and not in the crawler, which may believe that it was polite.

namespace dowser {

struct RequestEvent {
  // A reply is logged before its first byte is handed over, and an answer when its last byte was. A
  // closing is logged when it was noticed, and at the latest before the next opening that the same
  // client made after it. A name is a question to the name server: its host is what was asked for.
  enum class Kind : uint8_t { kOpen, kRequest, kAnswer, kClose, kName, kReply };

  Time time;
  Kind kind = Kind::kRequest;
  uint64_t connection = 0;
  uint16_t client_port = 0;
  std::string address;  // of ours that was connected to: "127.0.0.7"
  std::string host;     // of the Host field: lower case, without port. "" for kOpen and kClose
  std::string method;
  std::string target;  // path and query as they were sent
  int status = 0;      // kAnswer: 0 where no status line was sent
  Duration wait{0};    // kAnswer: what its Retry-After asked for
  std::string note;    // kRequest: fields that should not be there: "authorization,cookie"

  friend bool operator==(const RequestEvent&, const RequestEvent&) = default;
};

using RequestEvents = std::vector<RequestEvent>;

// Collects events; any thread may add. Times never run backwards, also where the system's clock
// does.
class RequestLog {
 public:
  // Sets the event's time. What comes after `kLimit` events is dropped.
  void add(RequestEvent event);
  RequestEvents events() const;
  size_t size() const;

  static constexpr size_t kLimit = 5'000'000;

 private:
  const Time start_ = SystemClock().now();
  const std::chrono::steady_clock::time_point steady_start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  RequestEvents events_;
};

// One event a line below a line of column names; control characters in texts are %XX.
std::string to_tsv(std::span<const RequestEvent> events);
Result<RequestEvents> parse_tsv(std::string_view text);

// The manners of a visitor towards one host. "Nothing" where it cannot be told: a single request
// has no gap.
struct HostTraffic {
  size_t requests = 0;
  std::optional<Duration> smallest_gap;  // between two requests, robots.txt included
  // At one time. A connection belongs to every host that is named on it, for all of its life.
  size_t most_connections = 0;
  // Of the requests that came next after "Retry-After: n": how long after those n seconds the
  // earliest came. Below zero: too early.
  std::optional<Duration> earliest_return;

  friend bool operator==(const HostTraffic&, const HostTraffic&) = default;
};

// By host. `slack` moves every closing of a connection to an earlier time: a visitor may open a new
// connection before a busy server has noticed that the old one was closed.
std::map<std::string, HostTraffic> traffic_by_host(std::span<const RequestEvent> events,
                                                   Duration slack = Duration(0));

// The same question for our addresses: hosts that share one share its connections.
std::map<std::string, HostTraffic> traffic_by_address(std::span<const RequestEvent> events,
                                                      Duration slack = Duration(0));

// How often each "host/path?query" was asked for.
std::map<std::string, size_t> request_counts(std::span<const RequestEvent> events);

// How often each was answered with status 200.
std::map<std::string, size_t> answer_counts(std::span<const RequestEvent> events);

// A table for people: a line a host.
std::string traffic_table(const std::map<std::string, HostTraffic>& traffic);

}  // namespace dowser
