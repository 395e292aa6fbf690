#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/file.h"
#include "fetch/live_web.h"
#include "tests/fetch/hostile_server.h"
#include "tests/support.h"

// TLS and HTTP/2, against a server that is not ours: nginx, with a certificate that it signed
// itself.

namespace dowser {
namespace {

using namespace std::chrono_literals;

// A port that nobody listens on. Somebody may take it before nginx does; nginx ends then.
uint16_t free_port() {
  const std::string address =
      HostileServer(std::map<std::string, HostileServer::Behaviour>{}).address();
  return static_cast<uint16_t>(std::atoi(address.c_str() + address.find(':') + 1));
}

class TlsServer {
 public:
  TlsServer() {
    const std::string make = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout {} -out {} 2> /dev/null",
        folder_ / "key", certificate());
    if (std::system(make.c_str()) != 0) return;
    const std::string config = folder_ / "nginx.conf";
    if (!put_file(config, configuration())) return;
    const std::string program = "nginx", flag = "-c", log = "-e", nowhere = "/dev/null";
    char* const words[] = {const_cast<char*>(program.c_str()), const_cast<char*>(flag.c_str()),
                           const_cast<char*>(config.c_str()),  const_cast<char*>(log.c_str()),
                           const_cast<char*>(nowhere.c_str()), nullptr};
    if (posix_spawnp(&pid_, "nginx", nullptr, nullptr, words, environ) != 0) pid_ = 0;
  }
  ~TlsServer() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  // Waits until it answers.
  bool runs() const {
    LiveWebOptions options;
    options.allowed_hosts = {"127.0.0.1"};
    for (int tries = 0; pid_ != 0 && tries < 100; ++tries) {
      if (LiveWebSync(options).get(url("127.0.0.1")).failure != Failure::kConnect) return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }
  Url url(std::string_view host) const {
    return *Url::parse(fmt::format("https://{}:{}/", host, port_));
  }
  std::string certificate() const { return folder_ / "certificate"; }

 private:
  std::string configuration() const {
    return fmt::format(
        "daemon off; master_process off; pid {0}/pid; events {{}}\n"
        "http {{ access_log off; client_body_temp_path {0}/a; proxy_temp_path {0}/b;\n"
        "fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d; scgi_temp_path {0}/e;\n"
        "default_type text/html;\n"
        "server {{ listen 127.0.0.1:{1} ssl http2; ssl_certificate {0}/certificate;\n"
        "ssl_certificate_key {0}/key; location / {{ return 200 $server_protocol; }} }} }}\n",
        folder_.path().string(), port_);
  }

  const TempDir folder_;
  const uint16_t port_ = free_port();
  pid_t pid_ = 0;
};

TEST(LiveWebTls, a_certificate_counts_where_it_is_trusted_and_names_the_host) {
  const TlsServer server;
  if (!server.runs()) GTEST_SKIP() << "needs the programs openssl and nginx";
  LiveWebOptions options;
  options.allowed_hosts = {"127.0.0.1", "localhost"};
  const Response stranger = LiveWebSync(options).get(server.url("127.0.0.1"));
  EXPECT_EQ(name_of(stranger.failure), "tls");
  EXPECT_NE(stranger.detail.find("certificate"), std::string::npos) << stranger.detail;

  options.ca_file = server.certificate();
  const Response known = LiveWebSync(options).get(server.url("127.0.0.1"));
  EXPECT_EQ(known.status, 200) << name_of(known.failure) << " " << known.detail;
  EXPECT_EQ(known.headers.get("content-type"), "text/html");
  EXPECT_EQ(known.remote_address, "127.0.0.1");
  EXPECT_EQ(known.body, "HTTP/2.0");
  EXPECT_EQ(name_of(LiveWebSync(options).get(server.url("localhost")).failure), "tls");
}

}  // namespace
}  // namespace dowser
