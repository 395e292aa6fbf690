#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace dowser {

// Counts the connections to each IP address, over all fetch threads and all host names that lead
// there; the addresses of an IPv6 network count as one (model/network.h). A transfer reserves a
// connection before it connects and releases it when it has ended, so an address never gets more
// requests at a time than allowed. Any thread may call.
class AddressConnections {
 public:
  explicit AddressConnections(size_t limit) : limit_(limit) {}  // for each address; 0: no limit

  bool is_limited() const { return limit_ > 0; }
  // False if all connections to the address are in use.
  bool reserve(const std::string& address);
  void release(const std::string& address);

 private:
  const size_t limit_;
  std::mutex mutex_;
  absl::flat_hash_map<std::string, size_t> taken_;  // by network; only those in use
};

// The one spelling of an address with or without brackets or a port: "[2001:DB8:0::1]:80" is
// "2001:db8::1". What is not an IP address is returned as it is, without its port.
std::string bare_address(std::string_view text);

}  // namespace dowser
