#pragma once

#include <string>
#include <string_view>

namespace dowser {

// What counts as one server where the connections to an address are counted: an IPv4 address, or
// the /64 network of an IPv6 address, since whoever has one address of it usually has them all:
// "2001:db8:0:1::/64". Any other text is returned as it is.
std::string network_of(std::string_view ip_address);

}  // namespace dowser
