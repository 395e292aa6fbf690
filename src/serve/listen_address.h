#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// Where a service listens: an IP address and a port. Names are not resolved ("localhost" is
// 127.0.0.1), so that the service listens exactly where the user said.
class ListenAddress {
 public:
  // "127.0.0.1:8780", "[::1]:8780", "localhost:8780". Port 0 is any free one.
  static Result<ListenAddress> parse(std::string_view text);
  // The address that a socket is bound to.
  static ListenAddress of_socket(int socket);

  // Only programs on this machine can reach it.
  bool is_loopback() const;
  uint16_t port() const;
  std::string to_string() const;

  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const;
  int family() const { return storage_.ss_family; }

 private:
  sockaddr_storage storage_{};
};

}  // namespace dowser
