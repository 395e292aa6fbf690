#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

struct ssl_st;
struct ssl_ctx_st;

namespace dowser {

// The server's end of one connection, for a thread that has nothing else to do: every call waits,
// and every wait ends when the client goes or the server stops.
class Stream {
 public:
  // Owns the socket, which does not block. `stop` is a file that becomes readable when it is time
  // to end.
  Stream(int socket, int stop) : socket_(socket), stop_(stop) {}
  ~Stream() { close(); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // From here on all bytes are encrypted.
  bool start_tls(ssl_ctx_st* context, Duration patience);

  // Appends what came. False: nothing came, and nothing will.
  bool read(std::string& into, Duration patience);
  bool write(std::string_view bytes, Duration patience);
  // False where the client hung up or the server stops before the time is over.
  bool pause(Duration duration);

  void close();                              // politely: what was written arrives
  void reset_on_close() { resets_ = true; }  // instead, the client gets RST

 private:
  using Moment = std::chrono::steady_clock::time_point;

  bool wait_for(short events, Moment until);
  bool wait_for_tls(int result, Moment until);

  int socket_;  // -1 when it is closed
  const int stop_;
  ssl_st* tls_ = nullptr;
  bool resets_ = false;
};

}  // namespace dowser
