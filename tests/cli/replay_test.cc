#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

class ReplayCommand : public testing::Test {
 protected:
  ReplayCommand() : archive_(folder_ / "web.warc.gz") {
    std::filesystem::create_directory(folder_ / "site");
    EXPECT_TRUE(put_file(folder_ / "site/a.html", "<title>A</title>").ok());
    const Ran packed =
        run_dowser({"pack", folder_ / "site", "--host", "example.org", "--to", archive_});
    EXPECT_EQ(packed.code, 0) << packed.err;
  }
  TempDir folder_;
  const std::string archive_;
};

// What 127.0.0.1:port answers until it closes.
std::string ask(int port, std::string_view request) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{20, 0};
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  EXPECT_EQ(connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(s, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string answer;
  char piece[4096];
  for (ssize_t n; (n = recv(s, piece, sizeof piece, 0)) > 0;)
    answer.append(piece, static_cast<size_t>(n));
  close(s);
  return answer;
}

TEST_F(ReplayCommand, serves_until_it_is_told_to_end) {
  for (const int signal : {SIGINT, SIGTERM}) {
    DowserProcess server({"replay", archive_, "--listen", "127.0.0.1:0", "--json"});
    const auto ready = nlohmann::json::parse(server.first_line(), nullptr, false);
    ASSERT_TRUE(ready.is_object()) << server.wait().err;
    EXPECT_EQ(ready["pages"], 1);
    const std::string listening = ready["listening"];
    ASSERT_EQ(listening.find("http://127.0.0.1:"), 0u);
    const int port = std::stoi(listening.substr(listening.rfind(':') + 1));
    const std::string answer = ask(port, "GET http://example.org/a.html HTTP/1.0\r\n\r\n");
    EXPECT_EQ(answer.find("HTTP/1.1 200 OK\r\n"), 0u) << answer;
    EXPECT_NE(answer.find("\r\n\r\n<title>A</title>"), std::string::npos) << answer;
    server.signal(signal);
    const Ran ran = server.wait();
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(ReplayCommand, prints_its_address_when_ready) {
  DowserProcess server({"replay", archive_, "--listen", "127.0.0.1:0"});
  EXPECT_EQ(server.first_line().find("http://127.0.0.1:"), 0u);
}

TEST_F(ReplayCommand, other_machines_are_let_in_only_on_request) {
  const Ran refused = run_dowser({"replay", archive_, "--listen", "0.0.0.0:0"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--public"), std::string::npos);
  DowserProcess open({"replay", archive_, "--listen", "0.0.0.0:0", "--public"});
  EXPECT_EQ(open.first_line().find("http://0.0.0.0:"), 0u);
}

TEST_F(ReplayCommand, wrong_usage_is_told) {
  EXPECT_EQ(run_dowser({"replay"}).code, 2);
  EXPECT_EQ(run_dowser({"replay", archive_, "--listen", "8780"}).code, 2);
  EXPECT_EQ(run_dowser({"replay", archive_, "--threads", "0"}).code, 2);
  EXPECT_EQ(run_dowser({"replay", folder_ / "none.warc.gz"}).code, 1);
}

}  // namespace
}  // namespace dowser
