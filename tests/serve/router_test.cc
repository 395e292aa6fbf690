#include "serve/router.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace dowser {
namespace {

Router made_router() {
  Router router;
  const auto name = [](std::string text) {
    return [text](const HttpRequest&, const Router::Values& values) {
      return plain_answer(200, "OK", fmt::format("{} [{}]", text, fmt::join(values, "|")));
    };
  };
  router.add("GET", "/", name("root"));
  router.add("GET", "/crawls", name("list"));
  router.add("POST", "/crawls", name("create"));
  router.add("GET", "/crawls/new", name("form"));
  router.add("GET", "/crawls/{name}", name("crawl"));
  router.add("DELETE", "/crawls/{name}", name("delete"));
  router.add("GET", "/crawls/{name}/pages/{id}", name("page"));
  return router;
}

Response ask(std::string_view method, std::string_view target) {
  static const Router router = made_router();
  HttpRequest request;
  request.method = method;
  request.target = target;
  return router.answer(request);
}

TEST(Router, finds_the_handler_by_method_and_path) {
  for (const auto& [method, target, body] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"GET", "/", "root []"},
           {"GET", "/?a=/crawls", "root []"},
           {"GET", "/crawls", "list []"},
           {"HEAD", "/crawls", "list []"},
           {"POST", "/crawls", "create []"},
           {"GET", "/crawls/new", "form []"},
           {"GET", "/crawls/birds?sort=1", "crawl [birds]"},
           {"DELETE", "/crawls/birds", "delete [birds]"},
           {"GET", "/crawls/a%2Fb%20c/pages/7", "page [a/b c|7]"},
           {"GET", "/%63rawls", "list []"},
           {"GET", "http://127.0.0.1:80/crawls/x", "crawl [x]"},
           {"GET", "http://127.0.0.1:80/", "root []"}}) {
    const Response response = ask(method, target);
    EXPECT_EQ(response.status, 200) << target;
    EXPECT_EQ(response.body, body + "\n") << target;
  }
}

TEST(Router, a_path_without_a_route_is_404) {
  for (const char* target : {"/crawl", "/crawls/", "/crawls/a/pages", "/crawls//pages/1", "//", "*",
                             "", "crawls", "/crawls/a/pages/1/"}) {
    EXPECT_EQ(ask("GET", target).status, 404) << target;
  }
  EXPECT_EQ(ask("GET", "/x").body, "There is nothing at /x.\n");
}

TEST(Router, a_method_without_a_route_is_405_with_those_that_have_one) {
  const Response response = ask("PUT", "/crawls/birds");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.headers.get("Allow"), "GET, DELETE");
  EXPECT_EQ(response.body, "/crawls/birds does not accept PUT: use GET, DELETE.\n");
}

}  // namespace
}  // namespace dowser
