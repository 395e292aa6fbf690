#include "fetch/address_connections.h"

#include <arpa/inet.h>

#include "model/network.h"

namespace dowser {

bool AddressConnections::reserve(const std::string& address) {
  if (!is_limited()) return true;
  const std::lock_guard lock(mutex_);
  size_t& taken = taken_[network_of(address)];
  if (taken >= limit_) return false;
  ++taken;
  return true;
}

void AddressConnections::release(const std::string& address) {
  if (!is_limited()) return;
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(network_of(address));
  if (found != taken_.end() && --found->second == 0) taken_.erase(found);
}

std::string bare_address(std::string_view text) {
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    text = text.substr(0, text.find(']'));
  } else if (const size_t colon = text.find(':'); colon == text.rfind(':')) {
    text = text.substr(0, colon);
  }
  const std::string address(text);
  unsigned char bytes[sizeof(in6_addr)];
  char plain[INET6_ADDRSTRLEN];
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, address.c_str(), bytes) != 1) continue;
    if (inet_ntop(family, bytes, plain, sizeof plain)) return plain;
  }
  return address;
}

}  // namespace dowser
