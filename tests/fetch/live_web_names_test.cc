#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fetch/live_web.h"
#include "tests/fetch/hostile_server.h"

// Names of hosts: where they lead, and that they lead nowhere private.

namespace dowser {
namespace {

using namespace std::chrono_literals;

constexpr uint32_t kLoopback = 0x7f000001, kRouter = 0xc0a80001, kMetadata = 0xa9fea9fe;

class LiveWebNamesTest : public testing::Test {
 protected:
  LiveWebNamesTest() {
    options_.dns_servers = names_.address();
    options_.limits.connect = 1h;
    const std::string address = server_.address();
    port_ = address.substr(address.find(':'));
  }

  Response get(std::string_view host, std::string_view scheme = "http") {
    const auto url = Url::parse(fmt::format("{}://{}{}/", scheme, host, port_));
    return LiveWebSync(options_).get(*url);
  }

  // Of several addresses curl gives each a part of the time to connect, so that time is short; on a
  // busy machine it may be too short for the answer of the name server.
  Response get_soon(std::string_view host) {
    Response response;
    for (Duration limit = 300ms; limit < 1min; limit *= 2) {
      options_.limits.connect = limit;
      response = get(host);
      if (!name_of(response.failure).starts_with("timeout")) break;
    }
    return response;
  }

  HostileServer server_{{{"/", [](HostileConnection& c, const std::string&) {
                            return c.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
                          }}}};
  TestNameServer names_{{{"home.test", {kLoopback}},
                         {"second.test", {kLoopback}},
                         {"router.test", {kRouter, kMetadata, kLoopback}},
                         {"empty.test", {}}}};
  LiveWebOptions options_;
  std::string port_;
};

TEST_F(LiveWebNamesTest, private_addresses_are_refused_in_all_spellings) {
  for (const char* host :
       {"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "0.0.0.0",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "LOCALHOST.", "192.168.0.1",
        "169.254.169.254", "[fe80::1]", "%31%32%37.0.0.1", "１２７.0.0.1"}) {
    const Response response = get(host);
    EXPECT_EQ(name_of(response.failure), "forbidden-address") << host << " " << response.detail;
    EXPECT_EQ(response.remote_address, "") << host;
  }
  EXPECT_EQ(name_of(get("127.0.0.1", "https").failure), "forbidden-address");
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(LiveWebNamesTest, names_that_lead_to_private_addresses_are_refused) {
  for (const char* host : {"home.test", "router.test"}) {
    EXPECT_EQ(name_of(get_soon(host).failure), "forbidden-address") << host;
  }
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(LiveWebNamesTest, hosts_that_are_allowed_may_be_private) {
  options_.allowed_hosts = {"home.test", "localhost" + port_, "127.0.0.1:1"};
  EXPECT_EQ(get("home.test").body, "hello");
  EXPECT_EQ(get("home.test").remote_address, "127.0.0.1");
  EXPECT_EQ(get("home.test.").body, "hello");
  EXPECT_EQ(get("localhost").body, "hello");
  EXPECT_EQ(name_of(get("127.0.0.1").failure), "forbidden-address");
  EXPECT_EQ(name_of(get_soon("router.test").failure), "forbidden-address");
}

TEST_F(LiveWebNamesTest, a_redirect_opens_no_way_to_a_private_address) {
  for (const char* target : {"127.0.0.1", "2130706433", "[::ffff:7f00:1]", "home.test"}) {
    const std::string location = fmt::format("http://{}{}/secret", target, port_);
    HostileServer front({{"/", [&](HostileConnection& c, const std::string&) {
                            return c.send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " +
                                          location + "\r\n\r\n");
                          }}});
    options_.resolve_to = {{"front.test", front.address()}};
    LiveWebSync web(options_);
    const Response redirect = web.get(*Url::parse("http://front.test/"));
    EXPECT_EQ(redirect.status, 302) << "it is an answer, nobody followed it";
    ASSERT_FALSE(redirect.redirect_target().empty());
    EXPECT_EQ(name_of(web.get(redirect.redirect_target()).failure), "forbidden-address");
  }
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(LiveWebNamesTest, a_connection_to_an_allowed_host_serves_no_other_name_of_its_address) {
  options_.allowed_hosts = {"home.test"};
  LiveWebSync web(options_);
  const auto at = [&](std::string_view host) {
    return *Url::parse(fmt::format("http://{}{}/", host, port_));
  };
  EXPECT_EQ(web.get(at("home.test")).body, "hello");
  for (const char* host : {"127.0.0.1", "second.test"}) {
    EXPECT_EQ(name_of(web.get(at(host)).failure), "forbidden-address") << host;
  }
  EXPECT_EQ(server_.requests(), 1);
}

TEST_F(LiveWebNamesTest, a_host_can_be_sent_elsewhere) {
  options_.resolve_to = {{"other.test", server_.address()}};
  port_.clear();
  EXPECT_EQ(get("other.test").body, "hello");
  EXPECT_EQ(names_.questions(), 0);
}

TEST_F(LiveWebNamesTest, names_that_do_not_exist_and_name_servers_that_do_not_answer_differ) {
  EXPECT_EQ(name_of(get("missing.test").failure), "dns");
  EXPECT_EQ(name_of(get("empty.test").failure), "dns");
  EXPECT_EQ(name_of(get(std::string(300, 'a') + ".test").failure), "dns");
  options_.limits.connect = 300ms;
  const Response silent = get("silent.test");
  EXPECT_EQ(name_of(silent.failure), "timeout-dns");
  EXPECT_NE(silent.detail, "");
}

TEST_F(LiveWebNamesTest, a_name_is_asked_for_once) {
  options_.allowed_hosts = {"home.test"};
  LiveWebSync web(options_);
  const auto url = Url::parse(fmt::format("http://home.test{}/", port_));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(web.get(*url).body, "hello");
  EXPECT_LE(names_.questions(), 2);  // IPv4 and IPv6
}

}  // namespace
}  // namespace dowser
