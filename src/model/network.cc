#include "model/network.h"

#include <arpa/inet.h>

#include <algorithm>

namespace dowser {

std::string network_of(std::string_view ip_address) {
  std::string text(ip_address);
  in6_addr address;
  if (text.find(':') == text.npos || inet_pton(AF_INET6, text.c_str(), &address) != 1) return text;
  char written[INET6_ADDRSTRLEN];
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    return inet_ntop(AF_INET, address.s6_addr + 12, written, sizeof written);
  }
  std::fill(address.s6_addr + 8, address.s6_addr + 16, uint8_t{0});
  return std::string(inet_ntop(AF_INET6, &address, written, sizeof written)) + "/64";
}

}  // namespace dowser
