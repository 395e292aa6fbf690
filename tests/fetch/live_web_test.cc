#include "fetch/live_web.h"

#include <cstdlib>

#include "tests/fetch/live_web_fixture.h"

namespace dowser {
namespace {

using Limit = Duration FetchLimits::*;
constexpr Limit kFirstByte = &FetchLimits::first_byte, kStall = &FetchLimits::stall;

TEST_F(LiveWebTest, every_answer_and_every_misbehaviour_is_told_apart) {
  const struct {
    const char* path;
    Failure failure;
    int status;
    std::string_view body;  // its beginning
    Failure cut_by = Failure::kNone;
    bool truncated = false;
    Limit limit = nullptr;  // the one that passes
  } rows[] = {
      {"/ok", Failure::kNone, 200, "hello"},
      {"/chunks", Failure::kNone, 200, "hello"},
      {"/interim", Failure::kNone, 200, "hello"},
      {"/old", Failure::kNone, 200, "hello"},
      {"/no-content", Failure::kNone, 204, ""},
      {"/not-modified", Failure::kNone, 304, ""},
      {"/empty", Failure::kNone, 200, ""},
      {"/missing", Failure::kNone, 404, "none"},
      {"/redirect", Failure::kNone, 301, ""},
      {"/short-redirect", Failure::kNone, 301, "", Failure::kReset, true},
      {"/stalled-redirect", Failure::kNone, 301, "", Failure::kTimeoutStall, true, kStall},
      {"/silent", Failure::kTimeoutFirstByte, 0, "", Failure::kNone, false, kFirstByte},
      {"/stall", Failure::kTimeoutStall, 200, "hello", Failure::kTimeoutStall, true, kStall},
      {"/stall-in-head", Failure::kTimeoutStall, 0, "", Failure::kNone, false, kStall},
      {"/close", Failure::kReset, 0, ""},
      {"/reset", Failure::kReset, 0, ""},
      {"/reset-later", Failure::kNone, 200, "hello", Failure::kReset, true},
      {"/short", Failure::kNone, 200, "hello", Failure::kReset, true},
      {"/short-empty", Failure::kReset, 200, ""},
      {"/short-chunks", Failure::kNone, 200, "hello", Failure::kReset, true},
      {"/broken-chunks", Failure::kNone, 200, "hello", Failure::kBadHttp, true},
      {"/no-chunks", Failure::kBadHttp, 200, ""},
      {"/endless", Failure::kNone, 200, "xxx", Failure::kNone, true},
      {"/endless-head", Failure::kHeaderTooLarge, 0, ""},
      {"/endless-line", Failure::kHeaderTooLarge, 0, ""},
      {"/endless-interim", Failure::kHeaderTooLarge, 100, ""},
      {"/endless-trailer", Failure::kHeaderTooLarge, 200, "hello", Failure::kHeaderTooLarge, true},
      {"/no-status", Failure::kBadHttp, 0, ""},
      {"/image", Failure::kUnwantedType, 200, ""},
  };
  std::vector<Response> responses(std::size(rows));
  for (const auto limit : {Limit(nullptr), kFirstByte, kStall}) {
    std::vector<Url> urls;
    std::vector<size_t> places;
    for (size_t i = 0; i < std::size(rows); ++i) {
      if (rows[i].limit != limit) continue;
      urls.push_back(url(rows[i].path));
      places.push_back(i);
    }
    std::vector<Response> some = fetch_all(limit ? impatient(limit) : patient(), urls);
    for (size_t i = 0; i < some.size(); ++i) responses[places[i]] = std::move(some[i]);
  }
  for (size_t i = 0; i < std::size(rows); ++i) {
    SCOPED_TRACE(rows[i].path);
    const Response& response = responses[i];
    EXPECT_EQ(response.url, url(rows[i].path));
    EXPECT_EQ(name_of(response.failure), name_of(rows[i].failure)) << response.detail;
    EXPECT_EQ(response.status, rows[i].status);
    EXPECT_EQ(response.body.substr(0, rows[i].body.size()), rows[i].body);
    EXPECT_EQ(response.body.empty(), rows[i].body.empty());
    EXPECT_EQ(response.truncated, rows[i].truncated);
    EXPECT_EQ(name_of(response.cut_by), name_of(rows[i].cut_by)) << response.detail;
    EXPECT_EQ(response.remote_address, "127.0.0.1");
  }
}

// The head of a page that drips may come late on a busy machine, so it is given more time until it
// comes at all.
TEST_F(LiveWebTest, an_answer_that_never_ends_is_given_up) {
  LiveWebOptions options = impatient(&FetchLimits::total);
  const Response head = get("/slow-head", options);
  EXPECT_EQ(name_of(head.failure), "timeout-total") << head.detail;
  EXPECT_EQ(head.status, 0);
  for (Response page; page.body.size() < 3; options.limits.total *= 2) {
    page = get("/drip", options);
    EXPECT_EQ(name_of(page.failure), "timeout-total") << page.detail;
    if (page.body.empty()) continue;
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(name_of(page.cut_by), "timeout-total");
    EXPECT_TRUE(page.truncated);
    EXPECT_EQ(page.body.find_first_not_of('x'), std::string::npos);
  }
}

TEST_F(LiveWebTest, connections_that_fail_are_told_apart) {
  std::string closed;
  {
    HostileServer gone(misbehaviours());
    closed = gone.address();
  }
  HostileServer silent([](HostileConnection& c) { c.do_nothing(); });
  HostileServer plain([](HostileConnection& c) { c.send("HTTP/1.1 400 Speak Plain\r\n\r\n"); });
  const std::pair<std::string, std::string_view> rows[] = {
      {"http://" + closed, "connect"},       {"https://" + plain.address(), "tls"},
      {"ftp://127.0.0.1", "bad-address"},    {"file:///etc/passwd", "bad-address"},
      {"gopher://127.0.0.1", "bad-address"}, {"http://[::1]:99", "forbidden-address"},
  };
  std::vector<Url> urls;
  for (const auto& [address, name] : rows) urls.push_back(url_of(address));
  const std::vector<Response> responses = fetch_all(patient(), urls);
  for (size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(name_of(responses[i].failure), rows[i].second)
        << rows[i].first << " " << responses[i].detail;
    EXPECT_EQ(responses[i].status, 0);
  }
  EXPECT_EQ(fetch_all(patient(), {Url()})[0].failure, Failure::kBadAddress);
  // TLS does not come about.
  const Response response =
      fetch_all(impatient(&FetchLimits::connect), {url_of("https://" + silent.address())})[0];
  EXPECT_EQ(name_of(response.failure), "timeout-connect") << response.detail;
}

TEST_F(LiveWebTest, a_head_is_kept_as_it_came) {
  const Response response = get("/old");
  EXPECT_EQ(response.reason, "Fine Then");
  ASSERT_EQ(response.headers.size(), 2u);
  EXPECT_EQ(response.headers.begin()->second, "b");
}

TEST_F(LiveWebTest, a_body_is_kept_as_it_came) {
  const Response response = get("/gzip");
  EXPECT_EQ(response.body, gzip("hello"));
  EXPECT_EQ(response.headers.get("content-encoding"), "gzip");
}

TEST_F(LiveWebTest, a_body_is_cut_at_the_limit_to_the_byte) {
  LiveWebOptions options = patient();
  options.limits.body_bytes = 12'345;
  EXPECT_EQ(get("/endless", options).body.size(), 12'345u);
  options.limits.body_bytes = 5;
  EXPECT_FALSE(get("/ok", options).truncated);
  options.limits.body_bytes = 4;
  EXPECT_EQ(get("/ok", options).body, "hell");
}

TEST_F(LiveWebTest, a_head_is_refused_at_the_limit_to_the_byte) {
  LiveWebOptions options = patient();
  options.limits.header_bytes = html("").size();
  EXPECT_TRUE(get("/empty", options).ok());
  --options.limits.header_bytes;
  EXPECT_EQ(name_of(get("/empty", options).failure), "header-too-large");
}

TEST_F(LiveWebTest, the_caller_decides_what_is_unwanted) {
  LiveWebOptions options = patient();
  options.plan_body = [](const Url&, const Response& head) {
    return BodyPlan{head.content_type() == "text/html" ? Failure::kUnwantedType : Failure::kNone};
  };
  const Response page = get("/ok", options);
  EXPECT_EQ(page.failure, Failure::kUnwantedType);
  EXPECT_EQ(page.headers.get("Content-Type"), "text/html");
  EXPECT_EQ(get("/image", options).body.size(), options.limits.body_bytes);
}

TEST(IsUnwantedType, documents_are_wanted_and_pictures_are_not) {
  for (const char* type : {"", "text/html", "text/plain", "application/xhtml+xml",
                           "application/pdf", "image/svg+xml", "application/rss+xml", "x/y"}) {
    EXPECT_FALSE(is_unwanted_type(type)) << type;
  }
  for (const char* type : {"image/png", "video/mp4", "audio/mpeg", "font/woff2", "application/zip",
                           "application/octet-stream"}) {
    EXPECT_TRUE(is_unwanted_type(type)) << type;
  }
}

TEST_F(LiveWebTest, a_request_says_who_asks_and_what_is_understood_and_no_more) {
  const Response response = get("/echo");
  EXPECT_EQ(response.body,
            fmt::format("GET /echo HTTP/1.1\r\nHost: {}\r\n"
                        "User-Agent: Dowser/test (+mailto:x@example.org)\r\n"
                        "Accept: text/html, application/xhtml+xml, text/plain;q=0.9, "
                        "application/xml;q=0.8, */*;q=0.1\r\n"
                        "Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
                        server_.address()));
}

TEST_F(LiveWebTest, the_archive_is_told_the_request_as_it_was_sent) {
  const Response response =
      get("/echo/a?b#c", patient(), {"\"abc\"", "Sat, 29 Oct 1994 19:43:31 GMT"});
  EXPECT_EQ(response.request_head, response.body);
}

TEST_F(LiveWebTest, a_password_in_an_address_is_never_sent) {
  const auto response = fetch_all(
      patient(), {url_of(fmt::format("http://user:secret@{}/echo#part", server_.address()))})[0];
  EXPECT_TRUE(response.ok());
  for (const char* word : {"secret", "user:", "Authorization", "part", "dXNlcj"}) {
    EXPECT_EQ(response.body.find(word), std::string::npos) << response.body;
  }
}

TEST_F(LiveWebTest, a_request_target_is_sent_as_it_is_written) {
  const std::string odd = "/echo//a/%252E%0d%0aE:f|'?x={y}^[z]&%7E=/../b";
  const Response response = get(odd);
  EXPECT_TRUE(response.body.starts_with(fmt::format("GET {} HTTP/1.1\r\n", odd))) << response.body;
}

TEST_F(LiveWebTest, proxies_of_the_environment_are_not_used) {
  setenv("http_proxy", "http://127.0.0.1:1/", 1);
  setenv("all_proxy", "http://127.0.0.1:1/", 1);
  EXPECT_TRUE(get("/ok").ok());
  unsetenv("http_proxy");
  unsetenv("all_proxy");
}

}  // namespace
}  // namespace dowser
