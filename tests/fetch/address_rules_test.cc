#include "fetch/address_rules.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>

namespace dowser {
namespace {

bool is_private(const std::string& text) {
  sockaddr_storage storage{};
  auto* ipv4 = reinterpret_cast<sockaddr_in*>(&storage);
  auto* ipv6 = reinterpret_cast<sockaddr_in6*>(&storage);
  if (inet_pton(AF_INET, text.c_str(), &ipv4->sin_addr) == 1) {
    storage.ss_family = AF_INET;
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &ipv6->sin6_addr), 1) << text;
    storage.ss_family = AF_INET6;
  }
  return dowser::is_private(reinterpret_cast<const sockaddr&>(storage));
}

TEST(IsPrivate, what_is_not_the_public_internet_is_private) {
  for (const char* address :
       {"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0",
        "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255",
        "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.0",
        "239.255.255.255", "240.0.0.0", "255.255.255.255",
        // the same in IPv6, and its own
        "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.1.2.3",
        "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::c0a8:1", "64:ff9b:1::8.8.8.8",
        "100::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
        "2001::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::", "2002:c0a8:101::1",
        "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "e000::1"}) {
    EXPECT_TRUE(is_private(address)) << address;
  }
}

TEST(IsPrivate, what_lies_beside_the_blocks_is_public) {
  for (const char* address : {"1.0.0.0",        "9.255.255.255",   "11.0.0.0",
                              "100.63.255.255", "100.128.0.0",     "126.255.255.255",
                              "128.0.0.0",      "169.253.255.255", "169.255.0.0",
                              "172.15.255.255", "172.32.0.0",      "192.0.1.0",
                              "192.0.3.0",      "192.167.255.255", "192.169.0.0",
                              "198.17.255.255", "198.20.0.0",      "223.255.255.255",
                              "8.8.8.8",        "2001:200::1",     "2001:4860:4860::8888",
                              "2a00::1",        "2606:4700::1111", "3ffe::1",
                              "3fff:1000::1",   "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
                              "2002:808:808::1"}) {
    EXPECT_FALSE(is_private(address)) << address;
  }
}

TEST(IsPrivate, an_unknown_family_is_private) {
  sockaddr address{};
  address.sa_family = AF_UNIX;
  EXPECT_TRUE(dowser::is_private(address));
}

TEST(HostTable, a_host_is_named_with_or_without_its_port) {
  const struct {
    const char *entry, *url;
    bool found;
  } rows[] = {
      {"localhost", "http://localhost/", true},
      {"localhost", "https://localhost:8443/a", true},
      {"LocalHost", "http://localhost/", true},
      {"localhost:80", "http://localhost/", true},
      {"localhost:80", "https://localhost/", false},
      {"localhost:443", "https://localhost/", true},
      {"localhost:8080", "http://localhost:8080/", true},
      {"localhost:8080", "http://localhost:8081/", false},
      {"localhost", "http://localhost./", true},
      {"localhost.", "http://localhost/", true},
      {"localhost", "http://localhost.example.org/", false},
      {"example.org", "http://www.example.org/", false},
      {"127.0.0.1", "http://2130706433/", true},
      {"0x7f.1", "http://127.0.0.1/", true},
      {"127.0.0.1", "http://localhost/", false},
      {"[::1]", "http://[0:0::1]:81/", true},
      {"[::1]:81", "http://[::1]/", false},
  };
  for (const auto& row : rows) {
    HostTable table;
    EXPECT_TRUE(table.add(row.entry)) << row.entry;
    EXPECT_EQ(table.find(*Url::parse(row.url)) != nullptr, row.found)
        << row.entry << " " << row.url;
  }
}

TEST(HostTable, what_names_no_host_is_refused) {
  for (const char* entry : {"", "a b", "localhost:99999", "a/b", "a?b", "[::1"}) {
    EXPECT_FALSE(HostTable().add(entry)) << entry;
  }
}

TEST(HostTable, a_host_has_a_value) {
  HostTable table;
  table.add("a.org", "1");
  table.add("a.org:81", "2");
  EXPECT_EQ(*table.find(*Url::parse("http://a.org/")), "1");
  EXPECT_EQ(*table.find(*Url::parse("http://a.org:81/")), "2");
}

}  // namespace
}  // namespace dowser
