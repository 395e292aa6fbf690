#include <sys/resource.h>

#include <array>
#include <filesystem>
#include <set>

#include "fetch/archive_web.h"
#include "fetch/curl_failure.h"
#include "tests/fetch/live_web_fixture.h"

// Every kind of failure has a name that stays, and happens.

namespace dowser {
namespace {

// The names stand in catalogues that were written long ago: one is never changed or used again.
constexpr std::array<std::pair<Failure, std::string_view>, kFailures> kNames = {{
    {Failure::kNone, "none"},
    {Failure::kNotInArchive, "not-in-archive"},
    {Failure::kRobots, "robots"},
    {Failure::kRobotsFailed, "robots-failed"},
    {Failure::kTooManyRedirects, "too-many-redirects"},
    {Failure::kBadRedirect, "bad-redirect"},
    {Failure::kBadAddress, "bad-address"},
    {Failure::kForbiddenAddress, "forbidden-address"},
    {Failure::kDns, "dns"},
    {Failure::kTimeoutDns, "timeout-dns"},
    {Failure::kConnect, "connect"},
    {Failure::kTimeoutConnect, "timeout-connect"},
    {Failure::kTls, "tls"},
    {Failure::kTimeoutFirstByte, "timeout-first-byte"},
    {Failure::kTimeoutStall, "timeout-stall"},
    {Failure::kTimeoutTotal, "timeout-total"},
    {Failure::kReset, "reset"},
    {Failure::kBadHttp, "bad-http"},
    {Failure::kHeaderTooLarge, "header-too-large"},
    {Failure::kUnwantedType, "unwanted-type"},
    {Failure::kUnwantedSize, "unwanted-size"},
    {Failure::kOther, "other"},
}};

TEST(FailureNames, every_kind_has_a_name_that_stays) {
  std::set<Failure> kinds;
  for (const auto& [failure, name] : kNames) {
    EXPECT_EQ(name_of(failure), name);
    kinds.insert(failure);
  }
  EXPECT_EQ(kinds.size(), size_t{kFailures});
}

// While it lives, this process can open nothing.
class NoFilesLeft {
 public:
  NoFilesLeft() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFilesLeft() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

using FailureTest = LiveWebTest;

TEST_F(FailureTest, every_kind_happens) {
  TestNameServer names({{"home.test", {0x7f000001}}});
  HostileServer silent([](HostileConnection& c) { c.do_nothing(); });
  HostileServer plain([](HostileConnection& c) { c.send("HTTP/1.1 400 Speak Plain\r\n\r\n"); });
  std::string closed;
  {
    HostileServer gone(misbehaviours());
    closed = gone.address();
  }
  std::set<std::string_view> happened = {
      // The engine's; tests/engine/crawl_test.cc and the exhibits redirect-* have them.
      // Sizes are the crawl's; tests/engine/document_test.cc has that one.
      name_of(Failure::kRobots), name_of(Failure::kRobotsFailed), name_of(Failure::kUnwantedSize),
      name_of(Failure::kTooManyRedirects), name_of(Failure::kBadRedirect)};
  const auto fetch = [&](LiveWebOptions options, const std::vector<Url>& urls) {
    options.dns_servers = names.address();
    for (const Response& response : fetch_all(options, urls)) {
      happened.insert(name_of(response.failure));
    }
  };
  fetch(patient(), {url("/ok"), url_of("ftp://127.0.0.1/"), url_of("http://home.test/"),
                    url_of("http://missing.test/"), url_of("http://" + closed),
                    url_of("https://" + plain.address()), url("/close"), url("/no-status"),
                    url("/endless-head"), url("/image")});
  fetch(impatient(&FetchLimits::connect),
        {url_of("http://silent.test/"), url_of("https://" + silent.address())});
  fetch(impatient(&FetchLimits::first_byte), {url("/silent")});
  fetch(impatient(&FetchLimits::stall), {url("/stall")});
  fetch(impatient(&FetchLimits::total), {url("/slow-head")});
  const auto archive = ArchiveWeb::open(std::span<const std::filesystem::path>{});
  ASSERT_TRUE(archive.ok());
  happened.insert(name_of((*archive)->get(url("/ok")).failure));

  LiveWebSync web(patient());
#ifdef __SANITIZE_ADDRESS__
  happened.insert("other");  // the sanitizer itself needs files
#else
  {
    const NoFilesLeft no_files;
    const Response response = web.get(url("/ok"));
    happened.insert(name_of(response.failure));
    EXPECT_EQ(response.detail, "Too many open files");
  }
#endif
  EXPECT_TRUE(web.get(url("/ok")).ok()) << "it passes";

  for (const auto& [failure, name] : kNames) EXPECT_TRUE(happened.contains(name)) << name;
}

TEST(CurlFailure, what_curl_says_is_told_apart) {
  const struct {
    CURLcode code;
    std::string_view error;
    bool head_complete;
    std::string_view name;
  } rows[] = {
      {CURLE_OK, "", true, "none"},
      {CURLE_COULDNT_CONNECT, "", false, "connect"},
      {CURLE_OPERATION_TIMEDOUT, "", false, "timeout-connect"},
      {CURLE_PEER_FAILED_VERIFICATION, "", false, "tls"},
      {CURLE_OUT_OF_MEMORY, "", false, "header-too-large"},
      {CURLE_OUT_OF_MEMORY, "", true, "other"},
      {CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", false, "reset"},
      {CURLE_RECV_ERROR, "Illegal or missing hexadecimal sequence in chunked-encoding", true,
       "bad-http"},
      {CURLE_RECV_ERROR, "Too large response headers: 1 > 0", false, "header-too-large"},
      {CURLE_GOT_NOTHING, "", false, "reset"},
      {CURLE_HTTP2_STREAM, "", false, "bad-http"},
      {CURLE_URL_MALFORMAT, "", false, "bad-address"},
      {CURLE_FAILED_INIT, "", false, "other"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(name_of(curl_failure(row.code, row.error, row.head_complete)), row.name)
        << curl_easy_strerror(row.code) << " " << row.error;
  }
}

}  // namespace
}  // namespace dowser
