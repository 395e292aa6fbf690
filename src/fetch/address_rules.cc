#include "fetch/address_rules.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace dowser {
namespace {

struct Ipv4Block {
  uint8_t bytes[4];
  int bits;
};

// The IANA registry of special-purpose addresses, and multicast.
constexpr Ipv4Block kSpecialIpv4[] = {
    {{0, 0, 0, 0}, 8},        // this network; Linux takes 0.0.0.0 for loopback
    {{10, 0, 0, 0}, 8},       // private
    {{100, 64, 0, 0}, 10},    // behind a carrier's NAT
    {{127, 0, 0, 0}, 8},      // loopback
    {{169, 254, 0, 0}, 16},   // link-local; the metadata service of clouds
    {{172, 16, 0, 0}, 12},    // private
    {{192, 0, 0, 0}, 24},     // protocol assignments
    {{192, 0, 2, 0}, 24},     // documentation
    {{192, 88, 99, 0}, 24},   // 6to4 relays, withdrawn
    {{192, 168, 0, 0}, 16},   // private
    {{198, 18, 0, 0}, 15},    // benchmarks
    {{198, 51, 100, 0}, 24},  // documentation
    {{203, 0, 113, 0}, 24},   // documentation
    {{224, 0, 0, 0}, 4},      // multicast
    {{240, 0, 0, 0}, 4},      // reserved, broadcast
};

uint32_t number_of(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

bool is_private_ipv4(const uint8_t* bytes) {
  const uint32_t address = number_of(bytes);
  return std::ranges::any_of(kSpecialIpv4, [&](const Ipv4Block& block) {
    return (address ^ number_of(block.bytes)) >> (32 - block.bits) == 0;
  });
}

bool starts_with(std::span<const uint8_t, 16> address, std::initializer_list<uint8_t> prefix) {
  return std::equal(prefix.begin(), prefix.end(), address.begin());
}

// What is not known to be public is private: only 2000::/3 is given out, and there are holes in it.
bool is_private_ipv6(std::span<const uint8_t, 16> a) {
  if (starts_with(a, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff})) return is_private_ipv4(&a[12]);
  if (starts_with(a, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) {  // NAT64
    return is_private_ipv4(&a[12]);
  }
  if (starts_with(a, {0x20, 0x02})) return is_private_ipv4(&a[2]);      // 6to4
  if (starts_with(a, {0x20, 0x01, 0x0d, 0xb8})) return true;            // documentation
  if (starts_with(a, {0x20, 0x01}) && (a[2] & 0xfe) == 0) return true;  // 2001::/23: Teredo …
  if (starts_with(a, {0x3f, 0xff}) && (a[2] & 0xf0) == 0) return true;  // documentation
  return (a[0] & 0xe0) != 0x20;
}

std::string key_of(std::string_view hostname, uint16_t port) {
  return fmt::format("{}:{}", hostname, port);
}

}  // namespace

bool is_private(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in ipv4;
    std::memcpy(&ipv4, &address, sizeof ipv4);
    return is_private_ipv4(reinterpret_cast<const uint8_t*>(&ipv4.sin_addr));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 ipv6;
    std::memcpy(&ipv6, &address, sizeof ipv6);
    return is_private_ipv6(std::span<const uint8_t, 16>(ipv6.sin6_addr.s6_addr, 16));
  }
  return true;
}

bool HostTable::add(std::string_view host, std::string value) {
  // A Url drops the port that its scheme implies: at most one of the two schemes hides it.
  const Result<Url> http = Url::parse(fmt::format("http://{}/", host));
  const Result<Url> https = Url::parse(fmt::format("https://{}/", host));
  if (!http || !https || http->request_target() != "/") return false;
  const auto port = http->port() ? http->port() : https->port();
  const std::string_view name = name_without_dot(*http);
  values_[port ? key_of(name, *port) : std::string(name)] = std::move(value);
  return true;
}

const std::string* HostTable::find(const Url& url) const {
  if (values_.empty()) return nullptr;
  const std::string_view name = name_without_dot(url);
  auto found = values_.find(key_of(name, url.effective_port()));
  if (found == values_.end()) found = values_.find(std::string(name));
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace dowser
