#include "seed/search_provider.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "seed/search_answer.h"
#include "serve/http_server.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Steady = std::chrono::steady_clock;

// A search engine on loopback: answers as the test says, and remembers what it was asked.
class SearchEngine {
 public:
  using Answer = std::function<Response(const HttpRequest&)>;

  explicit SearchEngine(Answer answer) : answer_(std::move(answer)) {
    auto server =
        HttpServer::start(*ListenAddress::parse("127.0.0.1:0"), [this](const HttpRequest& request) {
          {
            const std::lock_guard lock(mutex_);
            targets_.emplace_back(request.target);
          }
          return answer_(request);
        });
    EXPECT_TRUE(server.ok());
    server_ = std::move(*server);
  }

  std::string address() const { return fmt::format("http://127.0.0.1:{}", port()); }
  int port() const { return server_->address().port(); }
  std::vector<std::string> targets() const {
    const std::lock_guard lock(mutex_);
    return targets_;
  }

 private:
  Answer answer_;
  mutable std::mutex mutex_;
  std::vector<std::string> targets_;
  std::unique_ptr<HttpServer> server_;  // last: its threads use the rest
};

Response answer_of(std::string body, std::string type = "application/json", int status = 200) {
  Response response;
  response.status = status;
  response.reason = "OK";
  response.headers.add("Content-Type", std::move(type));
  response.body = std::move(body);
  return response;
}

ProviderContext quick() {
  ProviderContext context;
  context.pause = Duration(0);
  context.patience = std::chrono::minutes(5);  // a busy machine is slow
  return context;
}

std::unique_ptr<SearchProvider> searx(const SearchEngine& engine,
                                      const ProviderContext& context = quick()) {
  auto made = make_searx_provider({"searx", {{"url", engine.address()}}}, context);
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

std::string message_of(const Result<SearchAnswer>& answer) {
  return answer ? "no error" : answer.error().message;
}

TEST(SearxProvider, asks_for_phrases_domain_and_page) {
  SearchEngine engine([](const HttpRequest&) {
    return answer_of(R"({"number_of_results": 0, "results": [
      {"url": "http://a.org/1", "title": "One"}, {"title": "no address"},
      {"url": "ftp://a.org/2"}, {"url": 3}, 4, {"url": "https://b.org/"}]})");
  });
  const auto provider = searx(engine);
  const auto answer = provider->search({{"machine learning", "a \"b\" c"}, ".edu"}, 2);
  ASSERT_TRUE(answer.ok()) << message_of(answer);
  EXPECT_EQ(engine.targets().front(),
            "/search?q=%22machine%20learning%22%20%22a%20b%20c%22%20site%3Aedu&format=json&"
            "pageno=3");
  ASSERT_EQ(answer->hits.size(), 2u);
  EXPECT_EQ(answer->hits[0].url.href(), "http://a.org/1");
  EXPECT_EQ(answer->hits[0].title, "One");
  EXPECT_EQ(answer->hits[1].title, "");
}

TEST(SearxProvider, a_count_of_0_beside_results_is_unknown) {
  std::string count = "0";
  SearchEngine engine([&](const HttpRequest&) {
    return answer_of("{\"number_of_results\": " + count +
                     ", \"results\": [{\"url\": \"http://a.org/\"}]}");
  });
  const auto provider = searx(engine);
  EXPECT_EQ(provider->search({{"x"}, ""}, 0)->count, std::nullopt);
  count = "1234";
  EXPECT_EQ(provider->search({{"x"}, ""}, 0)->count, 1234u);
  EXPECT_EQ(*provider->count({{"x"}, ""}), 1234u);
  count = "null";
  EXPECT_EQ(provider->search({{"x"}, ""}, 0)->count, std::nullopt);
}

TEST(SearxProvider, nothing_found_is_a_count_of_0) {
  SearchEngine engine(
      [](const HttpRequest&) { return answer_of(R"({"number_of_results": 0, "results": []})"); });
  const auto provider = searx(engine);
  EXPECT_EQ(provider->search({{"x"}, ""}, 0)->count, 0u);
  EXPECT_EQ(provider->search({{"x"}, ""}, 5)->count, std::nullopt);
}

TEST(SearxProvider, a_403_names_the_setting) {
  SearchEngine engine([](const HttpRequest&) { return answer_of("no", "text/html", 403); });
  const auto answer = searx(engine)->search({{"x"}, ""}, 0);
  EXPECT_NE(message_of(answer).find("settings.yml must list json under search: formats"),
            std::string::npos)
      << message_of(answer);
}

TEST(SearxProvider, html_deep_json_and_other_json_are_refused_in_one_sentence) {
  std::string body, type = "application/json";
  SearchEngine engine([&](const HttpRequest&) { return answer_of(body, type); });
  const auto provider = searx(engine);
  body = "<html><body>Hello</body></html>";
  type = "text/html";
  EXPECT_NE(message_of(provider->search({{"x"}, ""}, 0)).find("did not send JSON but text/html"),
            std::string::npos);
  type = "application/json";
  body = std::string(100'000, '[');
  EXPECT_NE(message_of(provider->search({{"x"}, ""}, 0)).find("nested deeper than 64"),
            std::string::npos);
  body = std::string(60, '[') + std::string(60, ']');
  EXPECT_NE(message_of(provider->search({{"x"}, ""}, 0)).find("list of results"),
            std::string::npos);
  body = R"({"results": 7})";
  EXPECT_NE(message_of(provider->search({{"x"}, ""}, 0)).find("list of results"),
            std::string::npos);
  body = "";
  EXPECT_FALSE(provider->search({{"x"}, ""}, 0).ok());
}

TEST(SearxProvider, an_answer_that_is_too_long_is_refused) {
  SearchEngine engine([](const HttpRequest&) {
    return answer_of("{\"results\": [], \"x\": \"" + std::string(200'000, 'x') + "\"}");
  });
  ProviderContext context = quick();
  context.most_bytes = 100'000;
  const auto answer = searx(engine, context)->search({{"x"}, ""}, 0);
  EXPECT_NE(message_of(answer).find("longer than 100000 bytes"), std::string::npos)
      << message_of(answer);
}

TEST(SearxProvider, a_server_that_hangs_is_given_up_in_time) {
  std::promise<void> given_up;
  SearchEngine engine([waits = given_up.get_future().share()](const HttpRequest&) {
    waits.wait();
    return answer_of(R"({"results": []})");
  });
  ProviderContext context = quick();
  context.patience = std::chrono::milliseconds(300);
  const auto answer = searx(engine, context)->search({{"x"}, ""}, 0);
  given_up.set_value();
  EXPECT_NE(message_of(answer).find("did not answer"), std::string::npos) << message_of(answer);
}

// A connection on which something always comes, but never the end.
TEST(SearxProvider, a_server_that_drips_is_given_up_in_time) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(::listen(listener, 4), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  std::thread server([&] {
    const int client = ::accept(listener, nullptr, nullptr);
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{";
    bool listens = ::send(client, head.data(), head.size(), MSG_NOSIGNAL) > 0;
    while (listens) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      listens = ::send(client, " ", 1, MSG_NOSIGNAL) == 1;
    }
    ::close(client);
  });
  ProviderContext context = quick();
  context.patience = std::chrono::milliseconds(500);
  auto provider = make_searx_provider(
      {"searx", {{"url", fmt::format("http://127.0.0.1:{}", ntohs(address.sin_port))}}}, context);
  ASSERT_TRUE(provider.ok());
  const auto answer = (*provider)->search({{"x"}, ""}, 0);
  EXPECT_NE(message_of(answer).find("did not answer"), std::string::npos) << message_of(answer);
  provider->reset();  // closes its connections
  server.join();
  ::close(listener);
}

TEST(SearxProvider, a_server_that_is_down_gets_one_sentence) {
  std::string address;
  {
    SearchEngine engine([](const HttpRequest&) { return answer_of("{}"); });
    address = engine.address();
  }
  auto provider = make_searx_provider({"searx", {{"url", address}}}, quick());
  ASSERT_TRUE(provider.ok());
  const auto answer = (*provider)->search({{"x"}, ""}, 0);
  EXPECT_NE(message_of(answer).find("searx did not answer"), std::string::npos)
      << message_of(answer);
}

TEST(SearxProvider, a_redirect_to_another_private_address_is_refused) {
  SearchEngine other([](const HttpRequest&) { return answer_of(R"({"results": []})"); });
  SearchEngine engine([&](const HttpRequest& request) {
    Response response = answer_of("", "text/plain", 302);
    response.headers.add("Location", request.target.find("here") != std::string::npos
                                         ? "/moved"
                                         : other.address() + "/");
    return response;
  });
  const auto provider = searx(engine);
  const auto answer = provider->search({{"x"}, ""}, 0);
  EXPECT_NE(message_of(answer).find("private address"), std::string::npos) << message_of(answer);
  EXPECT_TRUE(other.targets().empty());
}

TEST(SearxProvider, a_redirect_at_the_same_server_is_followed_and_circles_end) {
  SearchEngine engine([](const HttpRequest& request) {
    if (request.target == "/moved") return answer_of(R"({"results": [{"url": "http://a.org"}]})");
    Response response = answer_of("", "text/plain", 301);
    response.headers.add("Location",
                         request.target.find("circle") == std::string::npos ? "/moved" : "/circle");
    return response;
  });
  const auto provider = searx(engine);
  EXPECT_EQ(provider->search({{"x"}, ""}, 0)->hits.size(), 1u);
  EXPECT_NE(message_of(provider->search({{"circle"}, ""}, 0)).find("redirects"), std::string::npos);
}

TEST(SearxProvider, is_asked_once_a_second_at_most) {
  SearchEngine engine([](const HttpRequest&) { return answer_of(R"({"results": []})"); });
  ProviderContext context = quick();
  context.pause = std::chrono::milliseconds(200);  // a second takes too long for a test
  const auto provider = searx(engine, context);
  const auto begin = Steady::now();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(provider->search({{"x"}, ""}, 0).ok());
  EXPECT_GE(Steady::now() - begin, 2 * context.pause);
  EXPECT_EQ(engine.targets().size(), 3u);
  EXPECT_EQ(ProviderContext{}.pause, std::chrono::seconds(1));
}

TEST(SearxProvider, needs_an_address_and_nothing_else) {
  EXPECT_FALSE(make_searx_provider({"searx", {}}, quick()).ok());
  EXPECT_FALSE(make_searx_provider({"searx", {{"url", "not an address"}}}, quick()).ok());
  const auto wrong = make_searx_provider({"searx", {{"adress", "http://a.org"}}}, quick());
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("it takes url"), std::string::npos);
}

class JsonProviderTest : public testing::Test {
 protected:
  std::string write(const std::string& toml) {
    EXPECT_TRUE(put_file(file(), toml).ok());
    return file();
  }
  std::string file() const { return folder_ / "service.toml"; }
  Result<std::unique_ptr<SearchProvider>> make() {
    return make_json_provider({"json", {{"file", file()}}}, quick());
  }
  std::string problem_of(const std::string& toml) {
    write(toml);
    const auto made = make();
    return made ? "none" : made.error().message;
  }

  TempDir folder_;
};

TEST_F(JsonProviderTest, fills_in_the_address_and_follows_the_pointers) {
  SearchEngine engine([](const HttpRequest&) {
    return answer_of(R"({"info": {"total": "12,300"}, "items": [
      {"link": "http://a.org/1", "names": {"title": "One"}}, {"link": "http://a.org/2"}]})");
  });
  setenv("DOWSER_TEST_KEY", "top&secret", 1);
  write("address = \"" + engine.address() +
        "/?q={query}&start={offset}&n={size}&key={key}\"\n"
        "key = \"DOWSER_TEST_KEY\"\nsize = 20\nfirst = 1\nresults = \"/items\"\n"
        "url = \"/link\"\ntitle = \"/names/title\"\ncount = \"/info/total\"\n");
  auto provider = make();
  ASSERT_TRUE(provider.ok()) << provider.error().message;
  const auto answer = (*provider)->search({{"x {key}"}, ""}, 2);
  ASSERT_TRUE(answer.ok()) << message_of(answer);
  EXPECT_EQ(engine.targets().front(), "/?q=%22x%20%7Bkey%7D%22&start=41&n=20&key=top%26secret");
  EXPECT_EQ(answer->count, 12300u);
  ASSERT_EQ(answer->hits.size(), 2u);
  EXPECT_EQ(answer->hits[0].title, "One");
  EXPECT_EQ((*provider)->spec().text().find("secret"), std::string::npos);
}

TEST_F(JsonProviderTest, the_key_is_in_no_message) {
  SearchEngine engine([](const HttpRequest&) { return answer_of("", "text/plain", 302); });
  setenv("DOWSER_TEST_KEY", "top-secret", 1);
  write("address = \"" + engine.address() +
        "/?q={query}&p={page}&key={key}\"\nkey = \"DOWSER_TEST_KEY\"\n"
        "results = \"/items\"\nurl = \"/link\"\n");
  const auto answer = (*make())->search({{"x"}, ""}, 0);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(message_of(answer).find("top-secret"), std::string::npos) << message_of(answer);
  unsetenv("DOWSER_TEST_KEY");
  const auto made = make();
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("set the environment variable DOWSER_TEST_KEY"),
            std::string::npos);
}

TEST_F(JsonProviderTest, a_wrong_file_gets_one_sentence) {
  const std::string good = "address = \"http://a.org/?q={query}&p={page}\"\nresults = \"/r\"\n";
  EXPECT_NE(problem_of(good).find("address, results and url must be set"), std::string::npos);
  EXPECT_NE(problem_of(good + "ulr = \"/u\"\n").find("did you mean"), std::string::npos)
      << problem_of(good + "ulr = \"/u\"\n");
  EXPECT_NE(problem_of(good + "url = \"u\"\n").find("is not a JSON pointer"), std::string::npos);
  EXPECT_NE(problem_of(good + "url = 3\n").find("must be a string"), std::string::npos);
  EXPECT_NE(problem_of(good + "url = \"/u\"\nkey = \"K\"\n").find("{key}"), std::string::npos);
  EXPECT_NE(problem_of("address = [\n").find("line"), std::string::npos);
  EXPECT_NE(problem_of("address = \"http://a.org/?q={query}\"\nresults=\"/r\"\nurl=\"/u\"\n")
                .find("{page} or {offset}"),
            std::string::npos);
  EXPECT_EQ(problem_of(good + "url = \"/u\"\n"), "none");
  EXPECT_FALSE(make_json_provider({"json", {{"file", "/no/such/file"}}}, quick()).ok());
}

TEST(SearchAnswerText, numbers_are_read_as_search_engines_write_them) {
  const AnswerShape shape{"/r", "/u", "", "/n", false};
  const auto count = [&](const std::string& value) {
    const auto json = parse_answer("{\"n\": " + value + "}");
    return read_answer(*json, shape, 0)->count;
  };
  EXPECT_EQ(count("12"), 12u);
  EXPECT_EQ(count("1.5e3"), 1500u);
  EXPECT_EQ(count("\"1,234\""), 1234u);
  EXPECT_EQ(count("\"about 5\""), std::nullopt);
  EXPECT_EQ(count("-3"), std::nullopt);
  EXPECT_EQ(count("1e300"), std::nullopt);
  EXPECT_EQ(count("null"), std::nullopt);
  EXPECT_EQ(count("0"), 0u);
}

}  // namespace
}  // namespace dowser
