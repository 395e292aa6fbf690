#pragma once

#include <curl/curl.h>

#include <optional>

#include "fetch/http_transfer.h"
#include "fetch/poller.h"

namespace dowser {

// A curl multi handle with the sockets and timers of its transfers. According to the measurements
// in the design, one handle takes 150 µs per request at 4,000 connections, since some of its
// operations visit all of them; handles of at most 256 take 40 µs at 8,000. So a thread has
// several. Connections that wait for the next request to their host live in the handle that opened
// them.
class MultiShard {
 public:
  static constexpr size_t kMaxTransfers = 256;

  // At most `room` transfers at a time, and as many connections: to make room for a new connection,
  // the one that has been idle longest is closed.
  MultiShard(Poller& poller, uint32_t owner, size_t room);
  ~MultiShard();  // transfers in flight must have been removed
  MultiShard(const MultiShard&) = delete;
  MultiShard& operator=(const MultiShard&) = delete;

  bool has_room() const { return transfers_ < room_; }
  void add(HttpTransfer& transfer);
  void remove(HttpTransfer& transfer);

  void handle(const Poller::Event& event);
  void handle_timer(SteadyTime now);
  std::optional<SteadyTime> next_timer() const { return timer_; }

  // A transfer that has ended, removed from here, or null.
  HttpTransfer* take_finished(CURLcode& code);

 private:
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
  static int on_timer(CURLM*, long milliseconds, void* self);

  Poller& poller_;
  const uint32_t owner_;
  const size_t room_;
  CURLM* const multi_;
  size_t transfers_ = 0;
  std::optional<SteadyTime> timer_;
};

}  // namespace dowser
