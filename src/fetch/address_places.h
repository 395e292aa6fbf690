#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace dowser {

// The requests that are under way at each IP address, over all fetch threads and all host names
// that lead there. A transfer takes a place before it connects and gives it back when it has ended,
// so an address never gets more requests at a time than it has places. Any thread may call.
class AddressPlaces {
 public:
  explicit AddressPlaces(size_t places) : places_(places) {}  // of each address; 0 = no limit

  bool is_limited() const { return places_ > 0; }
  // False where all places of the address are taken.
  bool enter(const std::string& address);
  void leave(const std::string& address);

 private:
  const size_t places_;
  std::mutex mutex_;
  absl::flat_hash_map<std::string, size_t> taken_;  // of addresses with a request under way
};

// The one spelling of an address with or without brackets or a port: "[2001:DB8:0::1]:80" is
// "2001:db8::1". What is no IP address is returned as it is, without its port.
std::string bare_address(std::string_view text);

}  // namespace dowser
