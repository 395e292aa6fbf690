#include "serve/recording_service.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "archive/session_file.h"
#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

class Recording : public testing::Test {
 protected:
  void SetUp() override { start(); }

  void start() {
    service_.reset();
    auto started = RecordingService::start({.listen = "127.0.0.1:0",
                                            .token = "secret",
                                            .file = dir_ / "hockey.sessions",
                                            .name = "hockey",
                                            .topic = "ice hockey",
                                            .most_body = 1000});
    ASSERT_TRUE(started) << started.error().message;
    service_ = std::move(*started);
  }

  // What the service answers to one request, to its last byte.
  std::string ask(std::string_view method, std::string_view target, std::string_view body,
                  std::string_view token = "secret",
                  std::string_view fields = "Host: 127.0.0.1\r\n") const {
    const ListenAddress& address = service_->address();
    const int socket = ::socket(address.family(), SOCK_STREAM, 0);
    const timeval patience{300, 0};  // of a test that hangs
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket, address.data(), address.size()), 0);
    const std::string request = fmt::format(
        "{} {} HTTP/1.1\r\n{}Authorization: Bearer {}\r\nConnection: close\r\n"
        "Content-Length: {}\r\n\r\n{}",
        method, target, fields, token, body.size(), body);
    (void)send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    std::string answer;
    char piece[4096];
    for (ssize_t n; (n = recv(socket, piece, sizeof piece, 0)) > 0;) {
      answer.append(piece, static_cast<size_t>(n));
    }
    close(socket);
    return answer;
  }
  static std::string visit(std::string_view page, size_t bytes = 10) {
    return fmt::format(R"({{"event": "visit", "url": "http://w/{}", "kind": "link", )"
                       R"("html": "<p>{}"}})",
                       page, std::string(bytes, 'x'));
  }
  static bool has(std::string_view answer, std::string_view text) {
    return answer.find(text) != answer.npos;
  }

  TempDir dir_;
  std::unique_ptr<RecordingService> service_;
};

TEST_F(Recording, is_written_when_it_is_submitted_and_goes_on) {
  EXPECT_TRUE(ask("POST", "/submit", "").starts_with("HTTP/1.1 409 "));
  EXPECT_TRUE(ask("POST", "/event", visit("a")).starts_with("HTTP/1.1 204 "));
  EXPECT_TRUE(ask("POST", "/event", R"({"event": "mark", "url": "http://w/a", "useful": true})")
                  .starts_with("HTTP/1.1 204 "));
  EXPECT_TRUE(has(ask("GET", "/page?url=http%3A%2F%2Fw%2Fa", ""), R"("useful":true)"));
  EXPECT_TRUE(has(ask("GET", "/status", ""), R"("pages":1,"useful":1)"));
  EXPECT_TRUE(ask("POST", "/submit", "").starts_with("HTTP/1.1 200 "));
  EXPECT_TRUE(ask("POST", "/event", visit("b")).starts_with("HTTP/1.1 204 "));
  const auto file = read_session_file(dir_ / "hockey.sessions");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->sessions.front().pages.size(), 1u);
  EXPECT_EQ(service_->pages(), 2u);
}

// A page of the web can learn the token, and can make its own name lead to this machine.
TEST_F(Recording, a_page_of_the_web_is_refused_even_with_the_token) {
  const std::string port = std::to_string(service_->address().port());
  for (const char* fields :
       {"Host: evil.test\r\n", "Host: 127.0.0.1.evil.test\r\n",
        "Host: 127.0.0.1\r\nOrigin: http://evil.test\r\n", "Host: 127.0.0.1\r\nOrigin: null\r\n",
        "Host: 127.0.0.1\r\nOrigin: https://127.0.0.1\r\n"}) {
    const std::string answer = ask("POST", "/event", visit("a"), "secret", fields);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << fields << answer;
  }
  EXPECT_EQ(service_->pages(), 0u);
  for (const std::string& fields :
       {"Host: localhost:" + port + "\r\n", std::string("Host: [::1]\r\n"),
        "Host: 127.0.0.1:" + port + "\r\nOrigin: http://127.0.0.1:" + port + "\r\n",
        std::string("Host: 127.0.0.1\r\nOrigin: chrome-extension://abcdefgh\r\n"),
        std::string("Host: 127.0.0.1\r\nOrigin: moz-extension://1-2-3\r\n")}) {
    const std::string answer = ask("POST", "/event", visit("a"), "secret", fields);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 204 ")) << fields << answer;
  }
}

TEST_F(Recording, a_wrong_token_a_large_body_and_nonsense_are_refused_and_lose_nothing) {
  ASSERT_TRUE(ask("POST", "/event", visit("a")).starts_with("HTTP/1.1 204 "));
  const std::string journal = *read_file(dir_ / "hockey.sessions.recording");
  for (const char* target : {"/event", "/submit", "/status", "/page?url=http://w/a"}) {
    const std::string answer = ask("POST", target, visit("b"), "guessed");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ")) << answer;
    EXPECT_TRUE(has(answer, "token")) << answer;
  }
  EXPECT_TRUE(ask("POST", "/event", visit("b", 2000)).starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(ask("POST", "/event", "nonsense").starts_with("HTTP/1.1 400 "));
  EXPECT_EQ(*read_file(dir_ / "hockey.sessions.recording"), journal);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "hockey.sessions"));
  start();  // the same command again goes on with what was told
  EXPECT_EQ(service_->pages(), 1u);
}

TEST_F(Recording, listens_on_this_machine_only) {
  const auto open = RecordingService::start({.listen = "0.0.0.0:0", .file = dir_ / "x"});
  ASSERT_FALSE(open);
  EXPECT_TRUE(has(open.error().message, "this machine only")) << open.error().message;
}

}  // namespace
}  // namespace dowser
