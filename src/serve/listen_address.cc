#include "serve/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <charconv>

namespace dowser {
namespace {

const sockaddr_in& v4(const sockaddr_storage& s) { return reinterpret_cast<const sockaddr_in&>(s); }
const sockaddr_in6& v6(const sockaddr_storage& s) {
  return reinterpret_cast<const sockaddr_in6&>(s);
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
  const Error error{fmt::format(
      "'{}' is not an address to listen on: write an IP address and a port, such as 127.0.0.1:8780",
      text)};
  const size_t colon = text.rfind(':');
  if (colon == text.npos) return error;
  uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data() + colon + 1, end, port);
  if (fault != std::errc() || stop != end) return error;

  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  ListenAddress address;
  if (host.starts_with('[') && host.ends_with(']')) {
    auto& to = reinterpret_cast<sockaddr_in6&>(address.storage_);
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(port);
    host = host.substr(1, host.size() - 2);
    if (inet_pton(AF_INET6, host.c_str(), &to.sin6_addr) != 1) return error;
  } else {
    auto& to = reinterpret_cast<sockaddr_in&>(address.storage_);
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1) return error;
  }
  return address;
}

ListenAddress ListenAddress::of_socket(int socket) {
  ListenAddress address;
  socklen_t size = sizeof address.storage_;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage_), &size);
  return address;
}

bool ListenAddress::is_loopback() const {
  if (family() == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&v6(storage_).sin6_addr);
  return (ntohl(v4(storage_).sin_addr.s_addr) >> 24) == 127;
}

uint16_t ListenAddress::port() const {
  return ntohs(family() == AF_INET6 ? v6(storage_).sin6_port : v4(storage_).sin_port);
}

socklen_t ListenAddress::size() const {
  return family() == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

std::string ListenAddress::to_string() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET6) {
    inet_ntop(AF_INET6, &v6(storage_).sin6_addr, text, sizeof text);
    return fmt::format("[{}]:{}", text, port());
  }
  inet_ntop(AF_INET, &v4(storage_).sin_addr, text, sizeof text);
  return fmt::format("{}:{}", text, port());
}

}  // namespace dowser
