#include "model/registrable_domain.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace dowser {
namespace {

TEST(RegistrableDomain, is_one_label_more_than_the_public_suffix) {
  const std::pair<const char*, const char*> cases[] = {
      {"example.org", "example.org"},
      {"a.b.example.org", "example.org"},
      {"news.bbc.co.uk", "bbc.co.uk"},
      {"www.ck", "www.ck"},                      // an exception in the list
      {"a.b.c.kawasaki.jp", "b.c.kawasaki.jp"},  // a wildcard
      {"me.github.io", "me.github.io"},          // a private suffix
      {"www.xn--85x722f.com.cn", "xn--85x722f.com.cn"},
      {"www.example.org.", "example.org."},
  };
  for (const auto& [host, domain] : cases) EXPECT_EQ(registrable_domain(host), domain) << host;
}

TEST(RegistrableDomain, is_the_host_where_there_is_none) {
  for (const char* host : {"", ".", "com", "co.uk", "localhost", "192.168.0.1", "[::1]",
                           "a.b.unknown-top", "..", "a..", "127.0.0.1."}) {
    EXPECT_EQ(registrable_domain(host), host);
  }
  const std::string long_name = std::string(300, 'a') + ".example.org";
  EXPECT_EQ(registrable_domain(long_name), long_name);
}

TEST(RegistrableDomain, knows_top_level_domains_from_file_names) {
  EXPECT_TRUE(has_known_suffix("a.org"));
  EXPECT_TRUE(has_known_suffix("org"));
  EXPECT_FALSE(has_known_suffix("index.html"));
  EXPECT_FALSE(has_known_suffix(""));
  EXPECT_FALSE(has_known_suffix("."));
}

}  // namespace
}  // namespace dowser
