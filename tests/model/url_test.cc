#include "model/url.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

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

constexpr const char* kParts[] = {"href", "protocol", "username", "password", "host",  "hostname",
                                  "port", "pathname", "search",   "hash",     "origin"};

// The first part that from_href() gives another value; empty where there is none.
std::string part_that_differs(const Url& u) {
  const Result<Url> again = Url::from_href(u.href());
  if (!again) return "href";
  for (const char* part : kParts) {
    if (browser_part(*again, part) != browser_part(u, part)) return part;
  }
  const bool same = again->is_http() == u.is_http() && again->has_host() == u.has_host() &&
                    again->has_query() == u.has_query() &&
                    again->has_fragment() == u.has_fragment() &&
                    again->has_opaque_path() == u.has_opaque_path() &&
                    again->effective_port() == u.effective_port() &&
                    again->request_target() == u.request_target();
  return same ? "" : "other";
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
  const std::string differs = part_that_differs(*parsed);
  if (!differs.empty()) return differs + " differs when it is read back from its href";
  for (const char* part : kParts) {
    if (!test.contains(part)) continue;
    const std::string expected = test[part];
    const std::string actual = browser_part(*parsed, part);
    if (actual != expected) return std::string(part) + " is " + actual + ", not " + expected;
  }
  return "";
}

// Our own cases, for those who do not have the web platform tests: url_cases.txt says how they are
// written.
TEST(Url, follows_the_standard) {
  std::ifstream stream(source_dir() / "tests/model/url_cases.txt");
  Json base;
  int cases = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) base = nullptr;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("base ")) {
      base = Json::parse(line.substr(5));
      continue;
    }
    const Json both = Json::parse("[" + line + "]");
    Json test = {{"input", both[0]}, {"base", base}, {"failure", both[1].is_null()}};
    if (both[1].is_string()) test["href"] = both[1];
    EXPECT_EQ(failure_of(test), "") << line;
    ++cases;
  }
  EXPECT_GE(cases, 230);
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

TEST(Url, is_the_same_when_it_is_read_back_from_its_href) {
  for (const char* text :
       {"http://a.test/", "https://a.test:8080/b?c=d#e", "http://a.test/?", "http://a.test/#",
        "http://a.test/b#c?d", "http://u:p@a.test/", "http://u@a.test:81/", "http://[::1]:8/x",
        "http://127.0.0.1/", "ftp://a.test/b", "mailto:a@b.test", "file:///etc", "blob:http://a/",
        "http://a.test/@:8/", "http://a_b.test/x", "http://xn--4ca.test/%C3%A4", "web+x:/.//a"}) {
    EXPECT_EQ(part_that_differs(url(text)), "") << text;
  }
}

TEST(Url, is_compact) { EXPECT_LE(sizeof(Url), 64u); }

TEST(Url, without_credentials_is_the_same_address_of_everybody) {
  for (const auto& [with, without] : std::initializer_list<std::pair<const char*, const char*>>{
           {"https://user:pass@a.test:8080/b/c?d@e:f#g", "https://a.test:8080/b/c?d@e:f#g"},
           {"http://user@a.test/", "http://a.test/"},
           {"http://:pass@[2001:db8::1]/x", "http://[2001:db8::1]/x"},
           {"http://a.test/@x", "http://a.test/@x"},
           {"mailto:me@a.test", "mailto:me@a.test"}}) {
    const Url plain = url(with).without_credentials();
    EXPECT_EQ(plain, url(without));
    for (const auto part : {&Url::scheme, &Url::host, &Url::hostname, &Url::path, &Url::query,
                            &Url::fragment, &Url::username, &Url::password}) {
      EXPECT_EQ((plain.*part)(), (url(without).*part)()) << with;
    }
    EXPECT_EQ(plain.port(), url(without).port());
    EXPECT_FALSE(plain.has_credentials());
  }
}

TEST(Url, names_its_parts) {
  const Url u = url("https://user:pass@Example.ORG:8080/a/b?c=d#e");
  EXPECT_EQ(u.href(), "https://user:pass@example.org:8080/a/b?c=d#e");
  EXPECT_EQ(u.scheme(), "https");
  EXPECT_EQ(u.username(), "user");
  EXPECT_EQ(u.password(), "pass");
  EXPECT_EQ(u.hostname(), "example.org");
  EXPECT_EQ(u.host(), "example.org:8080");
  EXPECT_EQ(u.port(), 8080);
  EXPECT_EQ(u.path(), "/a/b");
  EXPECT_EQ(u.query(), "c=d");
  EXPECT_EQ(u.fragment(), "e");
  EXPECT_EQ(u.request_target(), "/a/b?c=d");
  EXPECT_EQ(u.origin(), "https://example.org:8080");
  EXPECT_EQ(u.without_fragment(), url("https://user:pass@example.org:8080/a/b?c=d"));
  EXPECT_TRUE(u.has_host() && u.has_query() && u.has_fragment() && u.is_http());
}

TEST(Url, knows_the_port_where_none_is_written) {
  const std::pair<const char*, int> cases[] = {
      {"http://a/", 80},  {"https://a/", 443}, {"http://a:443/", 443}, {"ftp://a/", 21},
      {"http://a:0/", 0}, {"file:///a", 0},    {"mailto:a@b", 0}};
  for (const auto& [text, port] : cases) EXPECT_EQ(url(text).effective_port(), port) << text;
  EXPECT_EQ(url("http://a:80/").port(), std::nullopt);
  EXPECT_EQ(url("http://a:0/").port(), 0);
}

TEST(Url, of_nothing_has_empty_parts) {
  const Url none;
  EXPECT_TRUE(none.empty());
  for (const std::string_view part :
       {none.href(), none.scheme(), none.username(), none.password(), none.hostname(), none.host(),
        none.path(), none.query(), none.fragment(), none.request_target()}) {
    EXPECT_EQ(part, "");
  }
  EXPECT_FALSE(none.has_host() || none.has_query() || none.has_fragment() || none.is_http());
  EXPECT_EQ(none.port(), std::nullopt);
  EXPECT_EQ(none.effective_port(), 0);
  EXPECT_EQ(none.origin(), "null");
  EXPECT_EQ(none.without_fragment(), none);
}

TEST(Url, resolves_the_examples_of_rfc_3986) {
  const std::pair<const char*, const char*> cases[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g?y#s", "http://a/b/c/g?y#s"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../..", "http://a/"},
      {"../../../g", "http://a/g"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"http:g", "http://a/b/c/g"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(resolved(reference, "http://a/b/c/d;p?q"), expected) << reference;
  }
}

TEST(Url, an_empty_base_is_none) {
  const Url none;
  EXPECT_FALSE(Url::parse("a", &none));
  EXPECT_TRUE(Url::parse("http://a", &none));
}

TEST(Url, says_what_is_wrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "a relative address without a base"},
      {"a/b", "a relative address without a base"},
      {"http://", "no host"},
      {"http://user@/", "no host after the @"},
      {"http://a b/", "a host with a character that no host may have"},
      {"http://a:b/", "a port that is not a number"},
      {"http://a:65536/", "a port above 65535"},
      {"http://1.2.3.256/", "a host that is not a valid IPv4 address"},
      {"http://[1::2::3]/", "a host that is not a valid IPv6 address"},
      {"http://\u00ADx\u0378/", "a host that is not a valid domain"},
  };
  for (const auto& [text, message] : cases) {
    const Result<Url> parsed = Url::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message, message) << text;
  }
}

TEST(Url, reads_hosts_in_all_their_spellings) {
  const std::pair<const char*, const char*> cases[] = {
      {"http://EX%41mple.ORG/", "example.org"},
      {"http://b\u00FCcher.example/", "xn--bcher-kva.example"},
      {"http://B\u00DCCHER.example/", "xn--bcher-kva.example"},
      {"http://xn--bcher-kva.example/", "xn--bcher-kva.example"},
      {"http://fa\u00DF.example/", "xn--fa-hia.example"},
      {"http://0x7f.1/", "127.0.0.1"},
      {"http://017700000001/", "127.0.0.1"},
      {"http://1.2.3/", "1.2.0.3"},
      {"http://1.2.3.4./", "1.2.3.4"},
      {"http://[1:0::0:1]/", "[1::1]"},
      {"http://[0:0:1:0:0:0:0:1]/", "[0:0:1::1]"},
      {"http://[::ffff:1.2.3.4]/", "[::ffff:102:304]"},
      {"http://[1:2:3:4:5:6:7::]/", "[1:2:3:4:5:6:7:0]"},
      {"web+x://A%41/", "A%41"},
  };
  for (const auto& [text, host] : cases) EXPECT_EQ(url(text).hostname(), host) << text;
}

TEST(Url, reads_ill_formed_utf_8_as_replacement_characters) {
  EXPECT_EQ(url("http://a/\xFFz").href(), "http://a/%EF%BF%BDz");
  EXPECT_EQ(url("http://a/?\xE2\x82").href(), "http://a/?%EF%BF%BD");
  EXPECT_FALSE(Url::parse("http://a\xFF/"));
}

TEST(Url, a_path_without_a_host_never_reads_as_one) {
  EXPECT_EQ(resolved("/..//b", "web+x:/a"), "web+x:/.//b");
  EXPECT_EQ(resolved("..", "web+x:/.//a/b"), "web+x:/.//");
  EXPECT_EQ(resolved("../../c", "web+x:/.//a"), "web+x:/c");
  EXPECT_EQ(url("web+x:/.//b").path(), "//b");
}

// Text that looks like an address more often than chance would have it.
rc::Gen<std::string> address_text() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "http", "https", "file", "web+x", "mailto", ":", ":", "/", "/", "//", "\\", ".", "..",
          "%2e", "%2%65", "?", "#", "@", "a", "B", "www.", "example.org", "xn--", "[::1]", "[", "]",
          "127.1", "0x", "8080", " ", "\t", "C:", "C|", "|", "\u00FC", "\u00DF", "\xFF", "%", "%41",
          "%7e", "'", "\"", "&", "=", ";", "localhost")),
      [](const std::vector<std::string>& pieces) {
        std::string text;
        for (const std::string& piece : pieces) text += piece;
        return text;
      });
}

RC_GTEST_PROP(Url, parses_its_own_serialisation_to_itself, ()) {
  const Result<Url> base = Url::parse(*address_text());
  const std::string prefix =
      *rc::gen::element<std::string>("", "", "http://", "file://", "web+x:/");
  const Result<Url> parsed = Url::parse(prefix + *address_text(), base ? &*base : nullptr);
  RC_PRE(parsed.ok());
  const Result<Url> again = Url::parse(parsed->href());
  RC_ASSERT(again.ok());
  for (const char* part : {"href", "protocol", "username", "password", "host", "hostname", "port",
                           "pathname", "search", "hash", "origin"}) {
    RC_ASSERT(browser_part(*again, part) == browser_part(*parsed, part));
  }
  RC_ASSERT(again->has_host() == parsed->has_host());
  RC_ASSERT(again->has_query() == parsed->has_query());
  RC_ASSERT(again->has_fragment() == parsed->has_fragment());
  RC_ASSERT(again->has_opaque_path() == parsed->has_opaque_path());
}

}  // namespace
}  // namespace dowser
