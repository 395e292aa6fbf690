#include "serve/request_body.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "serve/http_server.h"

namespace dowser {
namespace {

using State = RequestBody::State;

struct Read {
  State state;
  std::string data, rest;
};

// Gives the bytes to a RequestBody in pieces of `piece` bytes.
Read read_in_pieces(const HttpRequest& request, std::string_view bytes, size_t limit,
                    size_t piece) {
  RequestBody body(request, limit);
  std::string input;
  State state = body.state();
  while (state == State::kIncomplete && !bytes.empty()) {
    input += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
    state = body.read(input);
  }
  return {state, body.data(), input + std::string(bytes)};
}

TEST(RequestBody, is_the_same_however_its_bytes_arrive) {
  HttpRequest plain, chunked;
  plain.content_length = 11;
  chunked.chunked = true;
  const std::string chunks = "5;name=value\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n";
  for (size_t piece = 1; piece <= chunks.size() + 4; ++piece) {
    const Read a = read_in_pieces(plain, "hello worldGET ", 11, piece);
    EXPECT_EQ(a.state, State::kComplete);
    EXPECT_EQ(a.data, "hello world");
    EXPECT_EQ(a.rest, "GET ");
    const Read b = read_in_pieces(chunked, chunks + "GET ", 11, piece);
    EXPECT_EQ(b.state, State::kComplete);
    EXPECT_EQ(b.data, "hello world");
    EXPECT_EQ(b.rest, "GET ");
  }
}

TEST(RequestBody, has_a_limit) {
  HttpRequest plain, chunked;
  plain.content_length = 11;
  chunked.chunked = true;
  EXPECT_EQ(RequestBody(plain, 10).state(), State::kTooLarge);
  EXPECT_EQ(RequestBody(plain, 11).state(), State::kIncomplete);
  EXPECT_EQ(read_in_pieces(chunked, "b\r\n", 10, 100).state, State::kTooLarge);
  EXPECT_EQ(read_in_pieces(chunked, "5\r\nhello\r\n6\r\n", 10, 100).state, State::kTooLarge);
  EXPECT_EQ(read_in_pieces(chunked, "ffffffffffffffff\r\n", 10, 100).state, State::kTooLarge);
}

TEST(RequestBody, malformed_chunks_are_refused) {
  HttpRequest chunked;
  chunked.chunked = true;
  for (const std::string& bytes :
       {std::string("\r\n"), std::string("x\r\n"), std::string("-1\r\n"), std::string("0x5\r\n"),
        std::string("5\nhello\r\n"), std::string("5\r\nhello66"), std::string("5\r\nhello\n\n"),
        std::string("fffffffffffffffff\r\n"), "5;" + std::string(5000, 'x'),
        "0\r\n" + std::string(5000, 'x')}) {
    EXPECT_EQ(read_in_pieces(chunked, bytes, 1000, 7).state, State::kBroken) << bytes;
  }
}

// A server that answers with method, content type and body of the request.
class EchoServer : public testing::Test {
 protected:
  EchoServer() { start(std::chrono::hours(1)); }
  ~EchoServer() override { close(socket_); }

  // `slow`: how long a request may take to arrive.
  void start(std::chrono::milliseconds slow) {
    close(socket_);
    HttpServerOptions options;
    options.limits.body = 100'000;
    options.limits.slow = slow;
    auto server = HttpServer::start(
        *ListenAddress::parse("127.0.0.1:0"),
        [](const HttpRequest& r) {
          return plain_answer(200, "OK", fmt::format("{} {} {}", r.method, r.content_type, r.body));
        },
        options);
    EXPECT_TRUE(server.ok()) << server.error().message;
    server_ = std::move(*server);
    const ListenAddress& address = server_->address();
    socket_ = socket(address.family(), SOCK_STREAM, 0);
    const timeval patience{300, 0};  // of a test that hangs
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket_, address.data(), address.size()), 0);
  }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
  // Receives until `end` was received or the server has closed.
  std::string receive(std::string_view end) {
    std::string received;
    char piece[4096];
    while (received.find(end) == received.npos) {
      const ssize_t n = recv(socket_, piece, sizeof piece, 0);
      if (n <= 0) break;
      received.append(piece, static_cast<size_t>(n));
    }
    return received;
  }

  std::unique_ptr<HttpServer> server_;
  int socket_ = -1;
};

TEST_F(EchoServer, handlers_see_bodies_and_the_connection_stays_open) {
  send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_NE(receive("hello\n").find("POST text/plain hello\n"), std::string::npos);
  send("PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  send("\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string both = receive("GET  \n");
  EXPECT_NE(both.find("PUT  abc\n"), std::string::npos) << both;
  EXPECT_NE(both.find("GET  \n"), std::string::npos) << both;
}

TEST_F(EchoServer, a_body_beyond_the_limit_is_answered_with_413) {
  send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\n\r\n" + std::string(100'001, 'x'));
  EXPECT_TRUE(receive("too large.\n").starts_with("HTTP/1.1 413 "));
  EXPECT_EQ(receive("never"), "");
}

TEST_F(EchoServer, a_client_that_asks_first_is_told_to_continue) {
  send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(receive("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  send("ok");
  EXPECT_NE(receive("ok\n").find("POST  ok\n"), std::string::npos);
}

TEST_F(EchoServer, a_body_that_does_not_arrive_in_time_ends_the_connection) {
  start(std::chrono::milliseconds(300));
  send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  EXPECT_EQ(receive("never"), "");
}

TEST_F(EchoServer, requests_whose_end_is_ambiguous_are_refused) {
  send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_TRUE(receive("\n\n").starts_with("HTTP/1.1 400 "));
}

TEST(ParseRequest, refuses_bodies_that_two_programs_could_read_differently) {
  for (const auto& [fields, version, status] :
       std::vector<std::tuple<std::string, std::string, int>>{
           {"Content-Length: 3\r\nContent-Length: 3\r\n", "1.1", 400},
           {"Content-Length: -3\r\n", "1.1", 400},
           {"Content-Length: 3, 3\r\n", "1.1", 400},
           {"Content-Length: 99999999999999999999\r\n", "1.1", 400},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "1.1", 400},
           {"Transfer-Encoding: gzip, chunked\r\n", "1.1", 501},
           {"Transfer-Encoding: chunked\r\n", "1.0", 400}}) {
    const std::string head = "POST / HTTP/" + version + "\r\nHost: x\r\n" + fields + "\r\n";
    const auto parsed = parse_request(head);
    const Response* refusal = std::get_if<Response>(&parsed);
    ASSERT_TRUE(refusal) << fields;
    EXPECT_EQ(refusal->status, status) << fields;
  }
}

}  // namespace
}  // namespace dowser
