#include <chrono>

#include "fetch/http_request.h"
#include "fetch/live_web.h"
#include "tests/fetch/live_web_fixture.h"

// What goes out: one request for one start(), only for what may have changed, and nothing that a
// server, a link or a setting smuggled in.

namespace dowser {
namespace {

constexpr const char* kDate = "Sat, 29 Oct 1994 19:43:31 GMT";

Response page_with(std::string etag, std::string last_modified = "") {
  Response page;
  page.status = 200;
  if (!etag.empty()) page.headers.add("etag", std::move(etag));
  if (!last_modified.empty()) page.headers.add("Last-Modified", std::move(last_modified));
  return page;
}

TEST(ValidatorsOf, they_are_what_the_server_gave) {
  EXPECT_EQ(validators_of(page_with("W/\"abc\"", kDate)), (Validators{"W/\"abc\"", kDate}));
  EXPECT_EQ(validators_of(page_with("\"a\"")), (Validators{"\"a\"", ""}));
  EXPECT_TRUE(validators_of(page_with("")).empty());
  Response not_modified = page_with("\"newer\"");
  not_modified.status = 304;
  EXPECT_EQ(validators_of(not_modified).etag, "\"newer\"");
}

TEST(ValidatorsOf, what_is_no_page_or_broke_off_has_none) {
  for (const int status : {301, 404, 500}) {
    Response response = page_with("\"a\"");
    response.status = status;
    EXPECT_TRUE(validators_of(response).empty()) << status;
  }
  Response broken = page_with("\"a\"");
  broken.truncated = true;
  EXPECT_FALSE(validators_of(broken).empty()) << "our limit cuts it in the same place again";
  broken.cut_by = Failure::kReset;
  EXPECT_TRUE(validators_of(broken).empty());
  Response failed = page_with("\"a\"");
  failed.failure = Failure::kTimeoutStall;
  EXPECT_TRUE(validators_of(failed).empty());
}

using LiveWebRequestTest = LiveWebTest;

TEST_F(LiveWebRequestTest, a_page_that_has_not_changed_is_not_sent_again) {
  HostileServer server({{"/", [](HostileConnection& c, const std::string& request) {
                           const bool same =
                               request.find("\r\nIf-None-Match: \"v1\"\r\n") != std::string::npos;
                           return c.send(same ? "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n"
                                              : html("hello", "ETag: \"v1\"\r\n"));
                         }}});
  LiveWebSync web(patient());
  const Url url = url_of("http://" + server.address() + "/");
  const Response first = web.get(url);
  EXPECT_EQ(first.body, "hello");
  const Response again = web.get(url, validators_of(first));
  EXPECT_EQ(name_of(again.failure), "none");
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_FALSE(again.truncated);
  EXPECT_EQ(validators_of(again), validators_of(first));
  EXPECT_EQ(web.get(url).body, "hello") << "the validators were those of one request";
  EXPECT_EQ(server.connections(), 1) << "a 304 has no body to wait for";
}

TEST_F(LiveWebRequestTest, both_validators_are_sent_and_nothing_where_there_are_none) {
  const std::string both = get("/echo", patient(), {"W/\"abc\"", kDate}).body;
  EXPECT_NE(
      both.find(fmt::format("\r\nIf-None-Match: W/\"abc\"\r\nIf-Modified-Since: {}\r\n", kDate)),
      std::string::npos)
      << both;
  EXPECT_EQ(get("/echo").body.find("\r\nIf-"), std::string::npos);
}

TEST_F(LiveWebRequestTest, validators_and_the_user_agent_cannot_smuggle_fields) {
  LiveWebOptions options = patient();
  options.user_agent = "Dowser\r\nX-Smuggled: c";
  const std::string nul("a\0b", 3);
  for (const std::string& evil :
       {std::string("\"a\"\r\nX-Smuggled: b"), std::string("a\nX-Smuggled:b"),
        std::string("a\rX-Smuggled:b"), std::string("\x7f"), nul,
        std::string(kMaxValidatorBytes + 1, 'a')}) {
    const Response response = get("/echo", options, {evil, evil});
    EXPECT_TRUE(response.ok());
    EXPECT_EQ(response.body.find("\r\nX-Smuggled"), std::string::npos) << response.body;
    EXPECT_EQ(response.body.find("\r\nIf-"), std::string::npos) << response.body;
    EXPECT_EQ(response.request_head, response.body);
  }
}

TEST_F(LiveWebRequestTest, a_link_cannot_smuggle_fields) {
  for (const char* link :
       {"/echo/\r\nX-Injected: yes", "/echo/ HTTP/1.1\r\nX-Injected: yes\r\n\r\nGET /",
        "/echo/%0d%0aX-Injected:%20yes", "/echo/?a\nX-Injected: yes",
        "/echo/#\r\nX-Injected: yes"}) {
    const std::string body = get(link).body;
    EXPECT_TRUE(body.starts_with("GET /echo/")) << body;
    EXPECT_EQ(body.find("\nX-Injected"), std::string::npos) << body;
    EXPECT_EQ(body.find("\r\n"), body.find(" HTTP/1.1\r\n") + 9) << body;
  }
  for (const char* host : {"127.0.0.1%0d%0aX-Injected:", "a b", "a\x01"}) {
    EXPECT_FALSE(Url::parse(fmt::format("http://{}/", host)).ok()) << host;
  }
}

TEST_F(LiveWebRequestTest, cookies_are_not_kept) {
  HostileServer server({{"/", [](HostileConnection& c, const std::string& request) {
                           return c.send(html(request, "Set-Cookie: a=b\r\n"));
                         }}});
  LiveWebSync web(patient());
  const Url url = url_of("http://" + server.address() + "/");
  EXPECT_TRUE(web.get(url).headers.get("Set-Cookie"));
  EXPECT_EQ(web.get(url).body.find("Cookie"), std::string::npos);
}

// curl would ask again at once, by itself, where a connection that was used before breaks.
TEST_F(LiveWebRequestTest, one_start_is_one_request_whatever_becomes_of_the_connection) {
  for (const char* path : {"/close", "/reset"}) {
    SCOPED_TRACE(path);
    HostileServer server(misbehaviours());
    const std::string base = "http://" + server.address();
    LiveWebSync web(patient());
    ASSERT_TRUE(web.get(url_of(base + "/ok")).ok());
    const Response response = web.get(url_of(base + path));
    EXPECT_EQ(name_of(response.failure), "reset") << response.detail;
    EXPECT_NE(response.detail, "");
    EXPECT_EQ(server.requests(), 2);
    EXPECT_EQ(server.connections(), 1) << "nor is another connection opened in vain";
    EXPECT_TRUE(web.get(url_of(base + "/ok")).ok()) << "the next one is well";
    EXPECT_TRUE(web.get(url_of(base + "/ok")).ok());
    EXPECT_EQ(server.requests(), 4);
    EXPECT_EQ(server.connections(), 2) << "and keeps its connection";
  }
}

TEST_F(LiveWebRequestTest, nor_is_a_second_request_sent_over_another_connection_that_stands) {
  std::mutex mutex;
  std::condition_variable both_there;
  int there = 0;
  auto behaviours = misbehaviours();
  behaviours["/meet"] = [&](HostileConnection& c, const std::string&) {
    {
      std::unique_lock lock(mutex);
      if (++there == 2) both_there.notify_all();
      both_there.wait_for(lock, 5s, [&] { return there == 2; });
    }
    return c.send(html("hello"));
  };
  HostileServer server(behaviours);
  const std::string base = "http://" + server.address();
  std::condition_variable came;
  std::vector<Response> responses;
  LiveWeb web(patient(), [&](uint64_t, Response response, ByteLease) {
    const std::lock_guard lock(mutex);
    responses.push_back(std::move(response));
    came.notify_one();
  });
  const auto wait_for = [&](size_t count) {
    std::unique_lock lock(mutex);
    return came.wait_for(lock, 10s, [&] { return responses.size() == count; });
  };
  web.start(1, url_of(base + "/meet"));
  web.start(2, url_of(base + "/meet"));
  ASSERT_TRUE(wait_for(2));
  EXPECT_EQ(server.connections(), 2);
  web.start(3, url_of(base + "/close"));
  ASSERT_TRUE(wait_for(3));
  EXPECT_EQ(name_of(responses.back().failure), "reset");
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(LiveWebRequestTest, a_connection_that_the_server_closed_meanwhile_is_no_failure) {
  auto behaviours = misbehaviours();
  behaviours["/bye"] = says(html("hello"));  // closes without having said so
  HostileServer server(behaviours);
  const std::string base = "http://" + server.address();
  LiveWebSync web(patient());
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(web.get(url_of(base + "/bye")).ok());
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(server.requests(), i);
  }
}

}  // namespace
}  // namespace dowser
