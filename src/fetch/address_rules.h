#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "model/url.h"
#include "model/url_host.h"

// Who may be asked. A link on an untrusted page must not make the crawler read what only this
// machine or this network can see: 127.0.0.1, 192.168.0.1, 169.254.169.254 of a cloud, …

namespace dowser {

// Whether `address` is none of the public internet's: loopback, private, link-local, multicast,
// reserved, or an IPv6 address that leads to such an IPv4 one. A family other than IPv4 and IPv6 is
// private.
bool is_private(const sockaddr& address);

// Hosts as people name them, "localhost", "127.0.0.1:8080", "[::1]", "Example.ORG", each with a
// value. One without a port is meant with every port.
class HostTable {
 public:
  // False if `host` names none.
  bool add(std::string_view host, std::string value = {});

  // The value of the host of `url`, or null. It is the name in the address that counts: 127.0.0.1
  // in the table says nothing of names that lead there.
  const std::string* find(const Url& url) const;

 private:
  absl::flat_hash_map<std::string, std::string> values_;  // by "example.org", "example.org:80"
};

}  // namespace dowser
