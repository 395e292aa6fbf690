#include "fetch/address_connections.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/fetch/live_web_fixture.h"

namespace dowser {
namespace {

TEST(AddressConnections, an_address_has_so_many_connections_and_gets_them_back) {
  AddressConnections connections(2);
  EXPECT_TRUE(connections.reserve("192.0.2.1"));
  EXPECT_TRUE(connections.reserve("192.0.2.1"));
  EXPECT_FALSE(connections.reserve("192.0.2.1"));
  EXPECT_TRUE(connections.reserve("192.0.2.2"));
  connections.release("192.0.2.1");
  EXPECT_TRUE(connections.reserve("192.0.2.1"));
  AddressConnections unlimited(0);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(unlimited.reserve("192.0.2.1"));
}

// Whoever has one address of a /64 network usually has all of them.
TEST(AddressConnections, the_addresses_of_an_ipv6_network_count_as_one) {
  AddressConnections connections(2);
  EXPECT_TRUE(connections.reserve("2001:db8:0:1::1"));
  EXPECT_TRUE(connections.reserve("2001:db8:0:1:ffff::2"));
  EXPECT_FALSE(connections.reserve("2001:db8:0:1::3"));
  EXPECT_TRUE(connections.reserve("2001:db8:0:2::3"));
  connections.release("2001:db8:0:1::1");
  EXPECT_TRUE(connections.reserve("2001:db8:0:1::3"));
}

TEST(AddressConnections, an_address_has_one_spelling) {
  for (const auto& [text, bare] :
       {std::pair{"127.0.0.1:8080", "127.0.0.1"}, std::pair{"127.0.0.1", "127.0.0.1"},
        std::pair{"[2001:DB8:0::1]:80", "2001:db8::1"}, std::pair{"[2001:db8::1]", "2001:db8::1"},
        std::pair{"2001:db8::1", "2001:db8::1"}, std::pair{"[::ffff:7f00:1]", "::ffff:127.0.0.1"},
        std::pair{"example.org:80", "example.org"}, std::pair{"", ""}}) {
    EXPECT_EQ(bare_address(text), bare) << text;
  }
}

TEST(AddressConnections, a_full_address_is_sent_nothing_whatever_the_name) {
  std::mutex mutex;
  std::condition_variable changed;
  bool answers = false;
  HostileServer server({{"/", [&](HostileConnection& c, const std::string&) {
                           std::unique_lock lock(mutex);
                           changed.wait_for(lock, kHangs, [&] { return answers; });
                           lock.unlock();
                           return c.send(html("hello"));
                         }}});
  std::set<uint64_t> done, refused;
  LiveWebOptions options = patient();
  for (int i = 0; i < 20; ++i) {
    options.resolve_to.emplace_back(fmt::format("h{}.test", i), server.address());
  }
  options.max_per_address = 3;
  options.on_no_connection = [&](uint64_t job, const Url& url, const std::string& address) {
    EXPECT_EQ(address, "127.0.0.1");
    EXPECT_EQ(url.hostname(), fmt::format("h{}.test", job));
    const std::lock_guard lock(mutex);
    refused.insert(job);
    changed.notify_all();
  };
  LiveWeb web(options, [&](uint64_t job, Response response, ByteLease) {
    EXPECT_EQ(response.body, "hello");
    const std::lock_guard lock(mutex);
    done.insert(job);
    changed.notify_all();
  });
  for (int i = 0; i < 20; ++i) {
    web.start(static_cast<uint64_t>(i), url_of(fmt::format("http://h{}.test/", i)));
  }
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, 15s, [&] { return refused.size() == 17; })) << refused.size();
  answers = true;
  changed.notify_all();
  EXPECT_TRUE(changed.wait_for(lock, 15s, [&] { return done.size() == 3; })) << done.size();
  EXPECT_EQ(server.requests(), 3);
  const uint64_t again = *refused.begin();
  lock.unlock();
  web.start(again, url_of(fmt::format("http://h{}.test/", again)));
  lock.lock();
  EXPECT_TRUE(changed.wait_for(lock, 15s, [&] { return done.size() == 4; })) << "places came back";
}

}  // namespace
}  // namespace dowser
