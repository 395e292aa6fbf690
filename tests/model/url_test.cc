#include "model/url.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support.h"

namespace dowser {
namespace {

using Json = nlohmann::json;

Url url(std::string_view text) {
  Result<Url> parsed = Url::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : Url();
}

std::string resolved(std::string_view reference, std::string_view base) {
  const Url b = url(base);
  const Result<Url> parsed = Url::parse(reference, &b);
  return parsed ? std::string(parsed->href()) : "error: " + parsed.error().message;
}

// The parts of an address as the interface of browsers names them.
std::string browser_part(const Url& u, std::string_view name) {
  const auto with = [](char mark, std::string_view text) {
    return text.empty() ? std::string() : mark + std::string(text);
  };
  if (name == "href") return std::string(u.href());
  if (name == "protocol") return std::string(u.scheme()) + ":";
  if (name == "username") return std::string(u.username());
  if (name == "password") return std::string(u.password());
  if (name == "host") return std::string(u.host());
  if (name == "hostname") return std::string(u.hostname());
  if (name == "port") return u.port() ? std::to_string(*u.port()) : "";
  if (name == "pathname") return std::string(u.path());
  if (name == "search") return with('?', u.query());
  if (name == "hash") return with('#', u.fragment());
  return u.origin();
}

// What the web platform test `test` finds wrong; empty where nothing is.
std::string failure_of(const Json& test) {
  const std::string input = test["input"];
  Url base;
  if (test["base"].is_string()) {
    const Result<Url> parsed = Url::parse(test["base"].get<std::string>());
    if (!parsed) return "the base does not parse";
    base = *parsed;
  }
  const Result<Url> parsed = Url::parse(input, &base);
  if (test.value("failure", false)) {
    if (parsed) return "parsed to " + std::string(parsed->href());
    // Some failures are none with a base: with any, or with one of their scheme that has a path.
    const std::string relative_to = test.value("relativeTo", "");
    const Url with_path = url(input.starts_with("https:") ? "https://x.org/" : "http://x.org/");
    const Url opaque = url("about:blank");
    if (!relative_to.empty() && !Url::parse(input, &with_path)) return "no result with a base";
    if (relative_to == "any-base" && !Url::parse(input, &opaque))
      return "no result with about:blank";
    return "";
  }
  if (!parsed) return parsed.error().message;
  for (const char* part : {"href", "protocol", "username", "password", "host", "hostname", "port",
                           "pathname", "search", "hash", "origin"}) {
    if (!test.contains(part)) continue;
    const std::string expected = test[part];
    const std::string actual = browser_part(*parsed, part);
    if (actual != expected) return std::string(part) + " is " + actual + ", not " + expected;
  }
  return "";
}

// Inputs of the conformance set that need a newer Unicode than ICU 72 has.
const std::set<std::string> kNeedNewerUnicode = {};

TEST(Url, passes_the_web_platform_tests) {
  const auto file = test_data("gold/urltestdata.json");
  if (!file) GTEST_SKIP() << kNoData;
  std::ifstream stream(*file);
  int cases = 0;
  for (const Json& test : Json::parse(stream)) {
    if (!test.is_object()) continue;
    ++cases;
    const std::string input = test["input"];
    const std::string failure = failure_of(test);
    if (kNeedNewerUnicode.contains(input)) {
      EXPECT_NE(failure, "") << input << " passes now: strike it from the list";
    } else {
      EXPECT_EQ(failure, "") << test.dump();
    }
  }
  EXPECT_GE(cases, 800);
}

}  // namespace
}  // namespace dowser
