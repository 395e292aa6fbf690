#pragma once

#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace dowser {

using SteadyTime = std::chrono::steady_clock::time_point;

// Which sockets of a fetch thread are ready, and whose they are.
class Poller {
 public:
  struct Event {
    int socket;
    uint32_t owner;
    uint32_t what;  // EPOLLIN, …
  };
  static constexpr size_t kMaxEvents = 256;

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // From now on `socket` is watched for `what`, instead of what it was watched for before.
  void watch(int socket, uint32_t what, uint32_t owner);
  void forget(int socket);

  // Waits until a socket is ready, at most until `until`. If it returns fewer than kMaxEvents,
  // these were all.
  std::span<const Event> wait(SteadyTime until);

 private:
  const int epoll_;
  std::vector<bool> is_watched_;  // by socket
  std::array<Event, kMaxEvents> events_;
};

}  // namespace dowser
