#pragma once

#include <functional>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "fetch/poller.h"
#include "model/response.h"

struct ares_channeldata;
struct ares_addrinfo;

namespace dowser {

// Resolves host names asynchronously. Answers are cached for as long as the name server said,
// within limits: a very short lifetime must not cause a query for every page, nor a very long one
// keep us from noticing that a server has moved. /etc/hosts is used too.
//
// Belongs to one thread, whose Poller tells when a name server has answered.
class Resolver {
 public:
  struct Answer {
    Failure failure = Failure::kNone;  // kDns, kTimeoutDns
    std::string addresses;             // "192.0.2.1,[2001:db8::1]", the best first
    std::string detail;
  };
  using OnAnswer = std::function<void(const std::string& host, const Answer& answer)>;

  // `servers`: "" is those of the system. A name server is asked twice, with `patience` each time.
  Resolver(const std::string& servers, Duration patience, Poller& poller, uint32_t owner,
           OnAnswer on_answer);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // The cached answer for `host`, or null. Valid until the next call.
  const Answer* find(const std::string& host, SteadyTime now) const;

  // Asks for `host`; `on_answer` is called, perhaps before this returns.
  void ask(const std::string& host);

  void handle(const Poller::Event& event);
  void handle_timers();
  // When handle_timers() wants to be called next.
  std::optional<SteadyTime> next_timer() const;

  static constexpr auto kMinLife = std::chrono::seconds(60);
  static constexpr auto kMaxLife = std::chrono::hours(1);
  static constexpr auto kFailureLife = std::chrono::seconds(60);  // of "no such name"
  static constexpr auto kTimeoutLife = std::chrono::seconds(10);  // of "nobody knows"
  static constexpr size_t kMaxNames = 100'000;

 private:
  struct Query;
  struct Known {
    Answer answer;
    SteadyTime expires;
  };

  void answered(const std::string& host, int status, const ares_addrinfo* result);
  void make_room(SteadyTime now);

  Poller& poller_;
  const uint32_t owner_;
  const OnAnswer on_answer_;
  ares_channeldata* channel_ = nullptr;
  size_t asking_ = 0;
  absl::flat_hash_map<std::string, Known> known_;
};

}  // namespace dowser
