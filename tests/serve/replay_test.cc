#include "serve/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "archive/warc_writer.h"
#include "base/compress.h"
#include "serve/http_server.h"
#include "tests/support.h"

namespace dowser {
namespace {

Response page(std::string_view url, std::string body) {
  Response response;
  response.url = *Url::parse(url);
  response.status = 200;
  response.reason = "OK";
  response.headers.add("Content-Type", "text/html; charset=iso-8859-1");
  response.body = std::move(body);
  return response;
}

std::vector<Response> small_web() {
  std::vector<Response> web = {page("http://example.org/", "<title>Home</title>"),
                               page("http://example.org/a%20b?c=%41&d", "odd address"),
                               page("https://secure.org/", "secure"),
                               page("http://example.org/packed", gzip("packed words")),
                               page("http://example.org/not-packed", "plain words"),
                               page("http://example.org/large", std::string(3'000'000, 'x'))};
  web[3].headers.add("Content-Encoding", "gzip");
  web[4].headers.add("Content-Encoding", "gzip");
  Response moved = page("http://example.org/old", "moved");
  moved.status = 302;
  moved.reason = "Found Elsewhere";
  moved.headers.add("Location", "http://example.org/");
  web.push_back(moved);
  Response odd = page("http://example.org/odd-head", "12345");
  for (const auto& [name, value] : {std::pair("Content-Length", "99"),
                                    {"Connection", "close, X-Hop"},
                                    {"X-Hop", "1"},
                                    {"Keep-Alive", "timeout=1"},
                                    {"X-Kept", "2"},
                                    {"Set-Cookie", "a"},
                                    {"Set-Cookie", "b"}}) {
    odd.headers.add(name, value);
  }
  web.push_back(odd);
  Response empty = page("http://example.org/no-content", "");
  empty.status = 204;
  web.push_back(empty);
  return web;
}

// A client that sends exactly what it is told.
class Client {
 public:
  explicit Client(const ListenAddress& address)
      : socket_(socket(address.family(), SOCK_STREAM, 0)) {
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket_, address.data(), address.size()), 0);
  }
  ~Client() { close(socket_); }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }

  // The next answer; `head_only`: to a HEAD.
  Response answer(bool head_only = false) {
    while (input_.find("\r\n\r\n") == input_.npos && read()) {
    }
    const size_t head = std::min(input_.find("\r\n\r\n"), input_.size() - 4) + 4;
    Result<Response> response = parse_response(input_.substr(0, head));
    if (!response) {
      ADD_FAILURE() << "no answer: " << input_;
      return {};
    }
    input_.erase(0, head);
    const std::string_view length = response->headers.get("Content-Length").value_or("0");
    size_t size = 0;
    std::from_chars(length.data(), length.data() + length.size(), size);
    if (head_only) return *response;
    while (input_.size() < size && read()) {
    }
    response->body = input_.substr(0, size);
    input_.erase(0, size);
    return *response;
  }

  // The server has nothing more to say and has closed.
  bool is_closed() { return input_.empty() && !read() && input_.empty(); }

 private:
  bool read() {
    char piece[65536];
    const ssize_t n = recv(socket_, piece, sizeof piece, 0);
    if (n <= 0) return false;
    input_.append(piece, static_cast<size_t>(n));
    return true;
  }

  const int socket_;
  std::string input_;
};

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    WarcWriter writer({folder_.path(), "test"});
    for (const Response& response : small_web()) {
      EXPECT_TRUE(writer.write(response_record(response)).ok());
    }
    auto archives =
        ArchiveSet::open(std::vector<std::filesystem::path>{folder_ / "test-00000.warc.gz"});
    EXPECT_TRUE(archives.ok()) << archives.error().message;
    replay_ = std::make_unique<Replay>(std::move(*archives));
    start({});
  }

  void start(HttpServerOptions options) {
    server_.reset();
    auto server = HttpServer::start(
        *ListenAddress::parse("127.0.0.1:0"),
        [this](const HttpRequest& request) { return replay_->answer(request); }, options);
    EXPECT_TRUE(server.ok()) << server.error().message;
    server_ = std::move(*server);
  }

  Response ask(std::string_view request) {
    Client client(server_->address());
    client.send(request);
    return client.answer();
  }
  Response get(std::string_view url) {
    return ask(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", url));
  }

  TempDir folder_;
  std::unique_ptr<Replay> replay_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ReplayTest, answers_as_a_proxy) {
  const Response response = get("http://example.org/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.reason, "OK");
  EXPECT_EQ(response.headers.get("Content-Type"), "text/html; charset=iso-8859-1");
  EXPECT_EQ(response.body, "<title>Home</title>");
}

TEST_F(ReplayTest, answers_by_host_name) {
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").body, "<title>Home</title>");
  EXPECT_EQ(ask("GET / HTTP/1.0\r\nhost: EXAMPLE.org\r\n\r\n").body, "<title>Home</title>");
  EXPECT_EQ(ask("GET / HTTP/1.1\nHost: example.org:80\n\n").body, "<title>Home</title>");
  const std::string with_port = fmt::format("example.org:{}", server_->address().port());
  EXPECT_EQ(ask(fmt::format("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", with_port)).body,
            "<title>Home</title>");
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: example.org:81\r\n\r\n").status, 404);
}

TEST_F(ReplayTest, targets_are_looked_up_as_they_were_sent) {
  EXPECT_EQ(get("http://example.org/a%20b?c=%41&d").body, "odd address");
  EXPECT_EQ(get("http://example.org/a%20b?c=A&d").status, 404);
  EXPECT_EQ(get("http://example.org/x/../a%20b?c=%41&d").body, "odd address");
}

TEST_F(ReplayTest, redirects_are_passed_on) {
  const Response response = get("http://example.org/old");
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.reason, "Found Elsewhere");
  EXPECT_EQ(response.headers.get("Location"), "http://example.org/");
  EXPECT_EQ(response.body, "moved");
}

TEST_F(ReplayTest, what_was_archived_as_https_answers_to_http) {
  EXPECT_EQ(get("http://secure.org/").body, "secure");
  EXPECT_EQ(get("https://secure.org/").body, "secure");
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: secure.org\r\n\r\n").body, "secure");
  EXPECT_EQ(get("https://example.org/").status, 404);
}

TEST_F(ReplayTest, what_the_archive_does_not_hold_is_a_404_with_a_sentence) {
  const Response response = get("http://example.org/none");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.content_type(), "text/plain");
  EXPECT_EQ(response.body, "http://example.org/none is not in the archive.\n");
}

TEST_F(ReplayTest, packed_bodies_stay_packed) {
  const Response packed = get("http://example.org/packed");
  EXPECT_EQ(packed.headers.get("Content-Encoding"), "gzip");
  EXPECT_EQ(packed.body, gzip("packed words"));
  const Response plain = get("http://example.org/not-packed");
  EXPECT_FALSE(plain.headers.get("Content-Encoding"));
  EXPECT_EQ(plain.body, "plain words");
}

TEST_F(ReplayTest, fields_of_the_old_connection_are_replaced) {
  const Response response = get("http://example.org/odd-head");
  EXPECT_EQ(response.headers.get("Content-Length"), "5");
  EXPECT_EQ(response.headers.get("Connection"), "keep-alive");
  EXPECT_FALSE(response.headers.get("X-Hop"));
  EXPECT_FALSE(response.headers.get("Keep-Alive"));
  EXPECT_EQ(response.headers.get("X-Kept"), "2");
  std::string cookies;
  for (const auto& [name, value] : response.headers) cookies += name == "Set-Cookie" ? value : "";
  EXPECT_EQ(cookies, "ab");
  EXPECT_EQ(response.body, "12345");
}

TEST_F(ReplayTest, head_is_get_without_the_body) {
  Client client(server_->address());
  client.send("HEAD http://example.org/ HTTP/1.1\r\nHost: x\r\n\r\n");
  const Response response = client.answer(true);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.get("Content-Length"), "19");
  client.send("GET http://example.org/old HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.answer().status, 302);
}

TEST_F(ReplayTest, answers_that_never_have_a_body_have_no_length) {
  Client client(server_->address());
  client.send("GET http://example.org/no-content HTTP/1.1\r\nHost: x\r\n\r\n");
  const Response response = client.answer();
  EXPECT_EQ(response.status, 204);
  EXPECT_FALSE(response.headers.get("Content-Length"));
}

TEST_F(ReplayTest, other_methods_are_refused) {
  const Response post =
      ask("POST http://example.org/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=b");
  EXPECT_EQ(post.status, 405);
  EXPECT_EQ(post.headers.get("Allow"), "GET, HEAD");
  const Response tunnel = ask("CONNECT secure.org:443 HTTP/1.1\r\nHost: secure.org\r\n\r\n");
  EXPECT_EQ(tunnel.status, 501);
  EXPECT_NE(tunnel.body.find("no tunnels"), std::string::npos);
}

TEST_F(ReplayTest, a_connection_serves_many_requests) {
  Client client(server_->address());
  for (int i = 0; i < 100; ++i) {
    client.send("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
    ASSERT_EQ(client.answer().body, "<title>Home</title>");
  }
  client.send("GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.answer().headers.get("Connection"), "close");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ReplayTest, requests_sent_at_once_are_answered_in_their_order) {
  Client client(server_->address());
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n\r\n";  // an empty line too many
    requests += "GET /old HTTP/1.1\r\nHost: example.org\r\n\r\n";
  }
  client.send(requests);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(client.answer().status, 200);
    ASSERT_EQ(client.answer().status, 302);
  }
}

TEST_F(ReplayTest, requests_may_come_in_pieces) {
  Client client(server_->address());
  for (const char c : std::string_view("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")) {
    client.send({&c, 1});
  }
  EXPECT_EQ(client.answer().body, "<title>Home</title>");
}

TEST_F(ReplayTest, large_bodies_arrive_whole) {
  EXPECT_EQ(get("http://example.org/large").body, std::string(3'000'000, 'x'));
}

TEST_F(ReplayTest, http_1_0_closes_unless_asked_not_to) {
  Client client(server_->address());
  client.send("GET http://example.org/ HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
  EXPECT_EQ(client.answer().headers.get("Connection"), "keep-alive");
  client.send("GET http://example.org/ HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.answer().headers.get("Connection"), "close");
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ReplayTest, broken_requests_are_refused_and_the_connection_closed) {
  struct Case {
    std::string_view request;
    int status;
  };
  const Case cases[] = {
      {"nonsense\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400},
      {"\x16\x03\x01\x02\r\n\r\n", 400},  // TLS
  };
  for (const Case& c : cases) {
    Client client(server_->address());
    client.send(c.request);
    EXPECT_EQ(client.answer().status, c.status) << c.request;
    EXPECT_TRUE(client.is_closed()) << c.request;
  }
}

TEST_F(ReplayTest, targets_that_name_no_page_are_refused) {
  EXPECT_EQ(ask("GET * HTTP/1.1\r\nHost: example.org\r\n\r\n").status, 400);
  EXPECT_EQ(ask("GET / HTTP/1.0\r\n\r\n").status, 400);
  EXPECT_EQ(ask("GET ftp://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n").status, 400);
}

TEST_F(ReplayTest, huge_heads_are_refused) {
  Client client(server_->address());
  client.send("GET / HTTP/1.1\r\nHost: example.org\r\nX: " + std::string(200'000, 'x'));
  EXPECT_EQ(client.answer().status, 431);
  EXPECT_TRUE(client.is_closed());
  Client fits(server_->address());
  fits.send("GET / HTTP/1.1\r\nHost: example.org\r\nX: " + std::string(60'000, 'x') + "\r\n\r\n");
  EXPECT_EQ(fits.answer().status, 200);
}

TEST_F(ReplayTest, a_body_that_nobody_wants_is_read_and_ignored) {
  Client client(server_->address());
  for (int i = 0; i < 2; ++i) {
    client.send("GET http://example.org/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
    client.send(std::string(100'000, 'b'));
    EXPECT_EQ(client.answer().body, "<title>Home</title>");
  }
}

TEST_F(ReplayTest, slow_and_silent_clients_are_let_go) {
  HttpServerOptions options;
  options.limits.slow = options.limits.idle = std::chrono::milliseconds(50);
  start(options);
  Client silent(server_->address()), slow(server_->address());
  slow.send("GET / HTT");
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(slow.is_closed());
}

TEST_F(ReplayTest, many_clients_are_served_at_once) {
  HttpServerOptions options;
  options.threads = 3;
  start(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<Client>(server_->address()));
  for (int round = 0; round < 3; ++round) {
    for (auto& client : clients) client->send("GET /packed HTTP/1.1\r\nHost: example.org\r\n\r\n");
    for (auto& client : clients) ASSERT_EQ(client->answer().body, gzip("packed words"));
  }
}

TEST_F(ReplayTest, a_server_ends_with_clients_connected) {
  Client client(server_->address());
  client.send("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
  client.answer();
  server_.reset();
  EXPECT_TRUE(client.is_closed());
}

TEST_F(ReplayTest, a_port_that_is_taken_is_an_error) {
  const auto second =
      HttpServer::start(server_->address(), [](const HttpRequest&) { return Response(); });
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("cannot listen on 127.0.0.1:"), std::string::npos);
}

TEST(ListenAddress, only_ip_addresses_with_ports_are_taken) {
  struct Case {
    std::string_view text, printed;
    bool loopback;
  };
  const Case cases[] = {{"127.0.0.1:80", "127.0.0.1:80", true},
                        {"127.9.9.9:0", "127.9.9.9:0", true},
                        {"localhost:8780", "127.0.0.1:8780", true},
                        {"[::1]:8780", "[::1]:8780", true},
                        {"0.0.0.0:1", "0.0.0.0:1", false},
                        {"[::]:1", "[::]:1", false},
                        {"192.168.0.1:65535", "192.168.0.1:65535", false}};
  for (const Case& c : cases) {
    const auto address = ListenAddress::parse(c.text);
    ASSERT_TRUE(address.ok()) << c.text;
    EXPECT_EQ(address->to_string(), c.printed);
    EXPECT_EQ(address->is_loopback(), c.loopback) << c.text;
  }
  for (const char* text :
       {"", "8780", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "example.org:80",
        "::1:80", "[::1]", "127.0.0.1:80 ", "[127.0.0.1]:80"}) {
    EXPECT_FALSE(ListenAddress::parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace dowser
