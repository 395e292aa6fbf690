#include "tests/hostile/hostile_web.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <future>
#include <set>

#include "base/compress.h"
#include "base/file.h"
#include "tests/hostile/raw_client.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Kind = RequestEvent::Kind;
using std::chrono::milliseconds;

std::unique_ptr<HostileWeb> start(HostileOptions options = {}) {
  auto web = HostileWeb::start(std::move(options));
  EXPECT_TRUE(web) << (web ? "" : web.error().message);
  return std::move(*web);
}

HostileOptions only_good(size_t pages, size_t hosts) {
  HostileOptions options;
  options.good_pages = pages;
  options.good_hosts = hosts;
  options.exhibits = false;
  return options;
}

// "h3.test" and "/x" of "http://h3.test:8000/x".
std::pair<std::string, std::string> split(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  const size_t slash = url.find('/');
  const std::string_view host = url.substr(0, slash);
  return {std::string(host.substr(0, host.find(':'))), std::string(url.substr(slash))};
}

TEST(HostileWeb, every_good_page_is_reached_by_links) {
  const auto web = start(only_good(60, 7));
  std::set<std::string> seen;
  std::vector<std::string> waiting = {web->start_url()};
  while (!waiting.empty()) {
    const std::string url = waiting.back();
    waiting.pop_back();
    if (!seen.insert(url).second) continue;
    const auto [host, path] = split(url);
    const Received got = get(*web, host, path);
    EXPECT_EQ(got.status(), "HTTP/1.1 200") << url;
    for (std::string& href : hrefs_of(got.joined())) waiting.push_back(std::move(href));
  }
  EXPECT_EQ(seen.size(), 60u);
  EXPECT_EQ(web->missing(web->log()), std::vector<std::string>{});
  EXPECT_TRUE(web->offences(web->log()).empty());
}

TEST(HostileWeb, the_start_page_links_to_every_exhibit) {
  const auto web = start();
  std::set<std::string> linked;
  for (const std::string& href : hrefs_of(get(*web, "h1.test").body())) {
    linked.insert(split(href).first);
  }
  for (const Exhibit& exhibit : web->exhibits()) EXPECT_TRUE(linked.contains(exhibit.host));
  EXPECT_GT(web->exhibits().size(), 80u);
}

TEST(HostileWeb, every_host_has_a_loopback_address_of_its_own) {
  const auto web = start();
  std::set<std::string> addresses;
  for (const HostileWeb::Host& host : web->hosts()) {
    EXPECT_TRUE(host.address.starts_with("127.0."));
    EXPECT_TRUE(addresses.insert(host.address).second) << host.name;
    const Exhibit* exhibit = nullptr;
    for (const Exhibit& e : web->exhibits()) exhibit = e.host == host.name ? &e : exhibit;
    const bool deaf = exhibit != nullptr && exhibit->place == Place::kNobodyListens;
    EXPECT_EQ(RawClient(host).is_connected(), !deaf) << host.name;
  }
}

TEST(HostileWeb, the_name_server_knows_the_hosts) {
  using namespace std::string_literals;
  const auto web = start();
  const int names = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const timeval patience{0, 200'000};
  setsockopt(names, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(web->port());
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  ASSERT_EQ(connect(names, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  const auto ask = [&](const std::string& labels) {
    const std::string query = "\1\2\1\0\0\1\0\0\0\0\0\0"s + labels + "\0\0\1\0\1"s;
    EXPECT_GT(send(names, query.data(), query.size(), 0), 0);
    char answer[512];
    const ssize_t n = recv(names, answer, sizeof answer, 0);
    return std::string(answer, static_cast<size_t>(std::max<ssize_t>(n, 0)));
  };
  EXPECT_TRUE(ask("\2h1\4test").ends_with("\x7F\0\0\2"s));
  EXPECT_EQ(ask("\5inner\7example").substr(6, 2), "\0\1"s);
  EXPECT_EQ(ask("\7unknown\7invalid").at(3), 3);
  EXPECT_EQ(ask("\10fail-dns\4test").at(3), 2);
  EXPECT_EQ(ask("\11stall-dns\4test"), "");
  close(names);
  const RequestEvents log = web->log();
  ASSERT_EQ(log.size(), 5u);
  EXPECT_EQ(log[0].kind, Kind::kName);
  EXPECT_EQ(log[0].host, "h1.test");
  EXPECT_EQ(log[0].target, "A");
}

TEST(HostileWeb, hosts_may_share_addresses) {
  HostileOptions options = only_good(50, 20);
  options.addresses = 4;
  const auto web = start(options);
  std::set<std::string> addresses;
  for (const HostileWeb::Host& host : web->hosts()) addresses.insert(host.address);
  EXPECT_EQ(addresses, (std::set<std::string>{"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"}));
  EXPECT_NE(get(*web, "h20.test").bytes, get(*web, "h16.test").bytes);
}

TEST(HostileWeb, good_pages_come_in_every_good_way) {
  const auto web = start(only_good(9, 9));
  const Received plain = get(*web, "h2.test");
  const Received packed = get(*web, "h2.test", "/", "Accept-Encoding: br, gzip\r\n");
  EXPECT_EQ(packed.field("Content-Encoding"), "gzip");
  EXPECT_EQ(decode_content("gzip", packed.body(), 100'000)->bytes, plain.body());
  EXPECT_EQ(get(*web, "h3.test").field("Transfer-Encoding"), "chunked");
  const std::string tag = "If-None-Match: " + plain.field("ETag") + "\r\n";
  EXPECT_EQ(get(*web, "h2.test", "/", tag).status(), "HTTP/1.1 304");
  EXPECT_EQ(get(*web, "h2.test", "/nowhere").status(), "HTTP/1.1 404");
}

TEST(HostileWeb, a_connection_serves_many_requests) {
  const auto web = start(only_good(3, 1));
  const RawClient client(host_named(*web, "h1.test"));
  const std::string request = "GET / HTTP/1.1\r\nHost: h1.test\r\n\r\n";
  client.send(request + request +
              "GET /robots.txt HTTP/1.1\r\nHost: h1.test\r\n"
              "Connection: close\r\n\r\n");
  const Received got = client.receive();
  EXPECT_NE(got.bytes.find("HTTP/1.1 404"), std::string::npos);
  web->stop();
  const RequestEvents log = web->log();
  ASSERT_EQ(log.size(), 11u);  // open, three requests, each with reply and answer, close
  for (const RequestEvent& event : log) EXPECT_EQ(event.connection, log[0].connection);
  EXPECT_EQ(log[0].kind, Kind::kOpen);
  EXPECT_EQ(log[1].host, "h1.test");
  EXPECT_EQ(log[3].status, 200);
  EXPECT_EQ(log[7].target, "/robots.txt");
  EXPECT_EQ(log[9].status, 404);
  EXPECT_EQ(log[10].kind, Kind::kClose);
  EXPECT_EQ(traffic_by_host(log).at("h1.test").requests, 3u);
}

TEST(HostileWeb, bad_manners_are_noted) {
  const auto web = start();
  const auto ask = [&](std::string_view host, std::string_view target, std::string_view fields) {
    get(*web, host, target, fields);
    return web->offences(web->log()).size();
  };
  EXPECT_EQ(ask("robots-parts.test", "/open", ""), 0u);
  EXPECT_EQ(ask("robots-parts.test", "/private/but-open", ""), 0u);
  EXPECT_EQ(ask("robots-500.test", "/robots.txt", ""), 0u);
  EXPECT_EQ(ask("robots-parts.test", "/private/closed", ""), 1u);
  EXPECT_EQ(ask("robots-500.test", "/x", ""), 2u);
  EXPECT_EQ(ask("many-links.test", "/n/17", ""), 3u);
  EXPECT_EQ(ask("inner.example", "/robots.txt", ""), 4u);
  EXPECT_EQ(ask("h1.test", "/", "Authorization: Basic eA==\r\n"), 5u);
  EXPECT_EQ(ask("h1.test", "/", "X-Injected: yes\r\n"), 6u);
  const RawClient client({"", "127.0.0.1", web->port()});
  client.send(
      fmt::format("GET /secret HTTP/1.0\r\nHost: 127.0.0.1:{}\r\n"
                  "Connection: close\r\n\r\n",
                  web->port()));
  EXPECT_NE(client.receive().body().find("secret"), std::string::npos);
  const RequestEvents offences = web->offences(web->log());
  ASSERT_EQ(offences.size(), 7u);
  EXPECT_EQ(offences[5].note, "x-injected");
  EXPECT_EQ(offences[6].host, "127.0.0.1");
}

TEST(HostileWeb, what_retry_after_asked_for_is_in_the_log) {
  HostileOptions options = only_good(1, 1);
  options.exhibits = true;
  options.only = {"retry-seconds", "retry-date.test"};
  options.retry_after = 3600;
  const auto web = start(options);
  EXPECT_EQ(web->exhibits().size(), 2u);
  for (const char* host : {"retry-seconds.test", "retry-date.test"}) {
    get(*web, host);
    get(*web, host);
    const Duration early = *traffic_by_host(web->log()).at(host).earliest_return;
    // The date in the answer is one of whole seconds.
    EXPECT_LT(early, std::chrono::seconds(0)) << host;
    EXPECT_GE(early, std::chrono::seconds(-3601)) << host;
  }
}

TEST(HostileWeb, stopping_does_not_wait_for_the_stalled) {
  HostileOptions options;
  options.patience = std::chrono::hours(1);  // of a stall
  const auto web = start(options);
  const RawClient stalled(host_named(*web, "stall.test")), idle(host_named(*web, "h1.test"));
  stalled.send("GET / HTTP/1.1\r\nHost: stall.test\r\n\r\n");
  while (web->log().size() < 3) std::this_thread::sleep_for(milliseconds(5));
  web->stop();
  EXPECT_TRUE(stalled.receive().was_closed);
}

TEST(HostileWeb, a_client_that_leaves_ends_its_stall) {
  HostileOptions options;
  options.patience = std::chrono::hours(1);
  const auto web = start(options);
  {
    const RawClient client(host_named(*web, "stall.test"));
    client.send("GET / HTTP/1.1\r\nHost: stall.test\r\n\r\n");
    while (web->log().size() < 2) std::this_thread::sleep_for(milliseconds(5));
  }
  while (web->log().back().kind != Kind::kClose) {
    std::this_thread::sleep_for(milliseconds(5));
  }
}

TEST(HostileWeb, hundreds_of_connections_are_served_at_once) {
  HostileOptions options = only_good(20, 20);
  options.latency = milliseconds(300);
  const auto web = start(options);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 400; ++i) {
    clients.push_back(std::make_unique<RawClient>(web->hosts()[static_cast<size_t>(i % 20)]));
    clients.back()->send(fmt::format("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                                     web->hosts()[i % 20].name));
  }
  for (const auto& client : clients) EXPECT_EQ(client->receive().status(), "HTTP/1.1 200");
  EXPECT_EQ(traffic_by_host(web->log()).at("h1.test").requests, 20u);
}

TEST(HostileWeb, after_the_last_request_it_refuses) {
  HostileOptions options = only_good(1, 1);
  options.max_requests = 2;
  const auto web = start(options);
  EXPECT_EQ(get(*web, "h1.test").status(), "HTTP/1.1 200");
  EXPECT_EQ(get(*web, "h1.test").status(), "HTTP/1.1 200");
  EXPECT_EQ(get(*web, "h1.test").bytes, "");
}

TEST(HostileWeb, links_may_leave_the_port_out) {
  HostileOptions options = only_good(5, 1);
  options.port_in_links = false;
  const auto web = start(options);
  EXPECT_EQ(web->start_url(), "http://h1.test/");
  EXPECT_TRUE(hrefs_of(get(*web, "h1.test").body()).at(0).starts_with("http://h1.test/pages/"));
}

TEST(HostileWeb, it_answers_as_a_proxy_too) {
  const auto web = start(only_good(5, 5));
  const RawClient client({"", "127.0.0.1", web->port()});
  client.send(fmt::format("GET http://h3.test:{}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                          web->port()));
  EXPECT_EQ(client.receive().status(), "HTTP/1.1 200");
  EXPECT_EQ(web->log().at(1).host, "h3.test");
}

TEST(HostileWeb, a_port_that_is_taken_is_an_error) {
  const auto web = start(only_good(1, 1));
  HostileOptions options = only_good(1, 1);
  options.port = web->port();
  const auto second = HostileWeb::start(options);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("cannot listen on 127.0.0.1:"), std::string::npos);
}

// Whether a client that trusts only `certificate` gets a page over TLS.
bool tls_works(const HostileWeb& web, const std::string& host, const std::string& certificate) {
  const RawClient client(host_named(web, host));
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  BIO* const text = BIO_new_mem_buf(certificate.data(), static_cast<int>(certificate.size()));
  X509* const trusted = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), trusted);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL* const tls = SSL_new(context);
  SSL_set1_host(tls, host.c_str());
  SSL_set_fd(tls, client.socket());
  bool works = SSL_connect(tls) == 1;
  if (works) {
    const std::string request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    SSL_write(tls, request.data(), static_cast<int>(request.size()));
    char answer[13] = {};
    works = SSL_read(tls, answer, 12) == 12 && std::string_view(answer) == "HTTP/1.1 200";
  }
  SSL_free(tls);
  X509_free(trusted);
  BIO_free(text);
  SSL_CTX_free(context);
  return works;
}

TEST(HostileWeb, only_good_tls_is_good) {
  const auto web = start();
  EXPECT_TRUE(tls_works(*web, "good-tls.test", web->certificate()));
  for (const char* host : {"bad-tls.test", "drop-tls.test", "no-tls.test"}) {
    EXPECT_FALSE(tls_works(*web, host, web->certificate())) << host;
  }
  HostileOptions options;
  options.patience = milliseconds(300);
  const auto hasty = start(options);
  EXPECT_FALSE(tls_works(*hasty, "stall-tls.test", hasty->certificate()));
  web->stop();
  for (const RequestEvent& event : web->log()) EXPECT_NE(event.host, "bad-tls.test");
}

TEST(HostileWeb, the_readme_has_a_row_for_every_exhibit) {
  const Result<std::string> readme = read_file(source_dir() / "tests/hostile/README.md");
  ASSERT_TRUE(readme);
  std::set<std::string> hosts;
  for (const Exhibit& e : make_exhibits()) {
    EXPECT_TRUE(hosts.insert(e.host).second) << e.host;
    const std::string row = fmt::format("| `{}` | {} | {} |\n", e.host, e.what, e.expected);
    EXPECT_NE(readme->find(row), std::string::npos) << "hostile_web --list has: " << row;
  }
}

}  // namespace
}  // namespace dowser
