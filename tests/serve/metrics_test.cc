#include "serve/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "serve/token.h"

namespace dowser {
namespace {

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

class MetricsTest : public testing::Test {
 protected:
  MetricsTest() {
    auto metrics = Metrics::start("127.0.0.1:0", std::string(kToken));
    EXPECT_TRUE(metrics.ok()) << metrics.error().message;
    metrics_ = std::move(*metrics);
    CrawlCounters counters;
    counters.fetched = 123;
    metrics_->observe(CrawlEnded{counters, ""});
  }

  // The whole answer to GET; `fields` end with \r\n.
  std::string get(std::string_view target, std::string_view fields = "") {
    const ListenAddress& address = metrics_->address();
    const int socket = ::socket(address.family(), SOCK_STREAM, 0);
    const timeval patience{20, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket, address.data(), address.size()), 0);
    const std::string request = fmt::format(
        "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{}\r\n", target, fields);
    EXPECT_EQ(send(socket, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::string answer;
    char piece[4096];
    for (ssize_t n; (n = recv(socket, piece, sizeof piece, 0)) > 0;) {
      answer.append(piece, static_cast<size_t>(n));
    }
    close(socket);
    return answer;
  }

  std::unique_ptr<Metrics> metrics_;
};

TEST_F(MetricsTest, of_many_connections_the_idlest_are_closed_and_others_are_served) {
  const ListenAddress& address = metrics_->address();
  std::vector<int> idle;
  for (size_t i = 0; i < 2 * Metrics::kMaxConnections; ++i) {
    idle.push_back(::socket(address.family(), SOCK_STREAM, 0));
    ASSERT_EQ(connect(idle.back(), address.data(), address.size()), 0);
  }
  EXPECT_NE(get(fmt::format("/metrics?token={}", kToken)).find("dowser_pages_fetched_total 123"),
            std::string::npos);
  size_t open = 0;
  for (const int socket : idle) {
    char byte;
    const ssize_t n = recv(socket, &byte, 1, MSG_DONTWAIT);
    open += n < 0 && errno == EAGAIN;  // otherwise the server has closed it
    close(socket);
  }
  EXPECT_LT(open, Metrics::kMaxConnections);
  EXPECT_GE(open, Metrics::kMaxConnections / 2);
}

TEST_F(MetricsTest, answers_who_shows_the_token_in_a_field_or_in_the_address) {
  const std::vector<std::string> answers = {
      get("/metrics", fmt::format("Authorization: Bearer {}\r\n", kToken)),
      get("/metrics", fmt::format("authorization: bearer {}\r\n", kToken)),
      get(fmt::format("/metrics?token={}", kToken)),
      get(fmt::format("/?a=b&token={}&c", kToken)),
  };
  for (const std::string& answer : answers) {
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
    EXPECT_NE(answer.find("\ndowser_pages_fetched_total 123\n"), std::string::npos) << answer;
  }
  EXPECT_TRUE(get(fmt::format("/other?token={}", kToken)).starts_with("HTTP/1.1 404 "));
}

TEST_F(MetricsTest, says_nothing_to_who_shows_no_token_or_a_wrong_one) {
  std::string nearly(kToken);
  nearly.back() = 'e';
  const std::vector<std::string> answers = {
      get("/metrics"),
      get("/"),
      get("/other"),
      get("/metrics?"),
      get("/metrics?token="),
      get(fmt::format("/metrics?token={}", nearly)),
      get(fmt::format("/metrics?token={}0", kToken)),
      get(fmt::format("/metrics?token={}", kToken.substr(1))),
      get(fmt::format("/metrics?xtoken={}", kToken)),
      get(fmt::format("/{}", kToken)),
      get("/metrics", "Authorization: Bearer \r\n"),
      get("/metrics", "Authorization: Bearer\r\n"),
      get("/metrics", fmt::format("Authorization: Bearer {}\r\n", nearly)),
      get("/metrics", fmt::format("Authorization: Basic {}\r\n", kToken)),
      get("/metrics", fmt::format("Authorization: {}\r\n", kToken)),
  };
  for (const std::string& answer : answers) {
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 Unauthorized\r\n")) << answer;
    EXPECT_NE(answer.find("\r\nWWW-Authenticate: Bearer\r\n"), std::string::npos) << answer;
    EXPECT_TRUE(
        answer.ends_with("\r\n\r\nSend the token that was printed at the start, or was set, as "
                         "'Authorization: Bearer TOKEN'.\n"))
        << answer;
  }
}

TEST(Token, a_random_one_has_32_hexadecimal_digits_and_never_comes_again) {
  const auto one = Metrics::start("127.0.0.1:0", ""), other = Metrics::start("127.0.0.1:0", "");
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ((*one)->token().size(), 32u);
  EXPECT_EQ((*one)->token().find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE((*one)->token(), (*other)->token());
}

TEST(Token, none_at_all_lets_nobody_in) {
  HttpRequest request;
  request.host = "127.0.0.1";
  request.target = "/metrics?token=";
  const auto refusal = refusal_of(request, "");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 401);
}

TEST(Metrics, listen_on_loopback_only) {
  const auto metrics = Metrics::start("0.0.0.0:0", std::string(kToken));
  ASSERT_FALSE(metrics.ok());
  EXPECT_NE(metrics.error().message.find("this machine only"), std::string::npos);
}

}  // namespace
}  // namespace dowser
