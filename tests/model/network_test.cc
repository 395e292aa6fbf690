#include "model/network.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(NetworkOf, is_the_address_of_ipv4_and_the_first_half_of_ipv6) {
  for (const auto& [address, network] :
       {std::pair{"192.0.2.1", "192.0.2.1"}, std::pair{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
        std::pair{"2001:db8::1", "2001:db8::/64"}, std::pair{"::1", "::/64"},
        std::pair{"::ffff:192.0.2.1", "192.0.2.1"}, std::pair{"a.test", "a.test"},
        std::pair{"1:2", "1:2"}, std::pair{"", ""}}) {
    EXPECT_EQ(network_of(address), network) << address;
  }
}

}  // namespace
}  // namespace dowser
