#include "model/url_canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace dowser {
namespace {

Url url(std::string_view text) {
  const Result<Url> parsed = Url::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Url();
}

CanonicalRules only(std::string_view name) {
  CanonicalRules rules;
  for (const CanonicalRule& rule : kCanonicalRules) rules.*rule.field = rule.name == name;
  return rules;
}

std::string canonical_text(std::string_view text, const CanonicalRules& rules = {}) {
  return std::string(canonical(url(text), rules).href());
}

std::string key(std::string_view text, const CanonicalRules& rules = {}) {
  return seen_key(url(text), rules);
}

struct Case {
  const char* from;
  const char* to;
};

TEST(UrlCanonical, what_the_parser_does_needs_no_rule) {
  const Case cases[] = {
      {"HTTP://EXAMPLE.org/Path", "http://example.org/Path"},  // the case of the path is kept
      {"http://example.org:80/", "http://example.org/"},
      {"https://example.org:443", "https://example.org/"},
      {"http://example.org/a/./b/../c", "http://example.org/a/c"},
      {"http://example.org/a/%2e%2E/c", "http://example.org/c"},
  };
  for (const Case& c : cases) EXPECT_EQ(canonical_text(c.from, only("none")), c.to);
}

// A rule that also holds for the address that is fetched: with it alone `from` becomes `to`,
// without it `from` stays.
void expect_safe_rule(std::string_view name, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(canonical_text(c.from, only(name)), c.to) << name;
    EXPECT_EQ(canonical_text(c.from, only("none")), c.from) << name;
    EXPECT_EQ(key(c.from, only(name)), c.to) << name;
  }
}

// One that only holds for the key.
void expect_key_rule(std::string_view name, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(key(c.from, only(name)), c.to) << name;
    EXPECT_EQ(key(c.from, only("none")), c.from) << name;
    EXPECT_EQ(canonical_text(c.from), c.from) << name;
  }
}

TEST(UrlCanonical, fragments_are_removed) {
  expect_safe_rule("fragment", {{"http://a/b#c", "http://a/b"},
                                {"http://a/b?c#", "http://a/b?c"},
                                {"mailto:a@b#c", "mailto:a@b"}});
}

TEST(UrlCanonical, needless_escapes_are_removed) {
  expect_safe_rule("percent-encoding",
                   {{"http://a/%7Eb%2fc?%64=%c3%bc", "http://a/~b%2Fc?d=%C3%BC"},
                    {"http://a/%2%65/", "http://a/%2%65/"}});
}

TEST(UrlCanonical, session_ids_are_removed) {
  expect_safe_rule("session-parameters",
                   {{"http://a/b;jsessionid=1A2B", "http://a/b"},
                    {"http://a/b;jsessionid=1A2B/c;d=e?f=g", "http://a/b/c;d=e?f=g"},
                    {"http://a/b;JSESSIONID=1A2B;c=d", "http://a/b;c=d"},
                    {"http://a/(S(lit3py55t21z5v55vlm25s55))/b.aspx", "http://a/b.aspx"},
                    {"http://a/(S(lit3py55t21z5v55vlm25s55))", "http://a/"},
                    {"http://a/b?PHPSESSID=0a1b", "http://a/b"},
                    {"http://a/b?c=d&phpsessid=0a1b&e=f", "http://a/b?c=d&e=f"},
                    {"http://a/b?ASPSESSIONIDQQGGQQAC=KJH&c=d", "http://a/b?c=d"},
                    {"http://a/b?CFID=12&CFTOKEN=34&c", "http://a/b?c"},
                    {"http://a/b?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "http://a/b"},
                    {"http://a/b/..;jsessionid=1/c", "http://a/c"}});
}

TEST(UrlCanonical, what_only_looks_like_a_session_stays) {
  for (const char* text : {"http://a/b?sid=12", "http://a/b?s=search+words", "http://a/b?cfidx=1",
                           "http://a/b?jsessionid", "http://a/(S(x))/b", "http://a/jsessionid=1"}) {
    EXPECT_EQ(canonical_text(text), text);
  }
}

TEST(UrlCanonical, tracking_parameters_are_removed) {
  expect_safe_rule("tracking-parameters", {{"http://a/b?utm_source=c&utm_medium=d", "http://a/b"},
                                           {"http://a/b?c=d&UTM_Campaign=e&f", "http://a/b?c=d&f"},
                                           {"http://a/b?fbclid=c", "http://a/b"},
                                           {"http://a/b?c&&gclid=d", "http://a/b?c&"},
                                           {"http://a/b?utm=c", "http://a/b?utm=c"}});
}

TEST(UrlCanonical, queries_can_be_sorted) {
  expect_safe_rule("sorted-query", {{"http://a/?b=2&a=1&b=1", "http://a/?a=1&b=1&b=2"},
                                    {"http://a/?b&&a", "http://a/?&a&b"}});
  EXPECT_FALSE(CanonicalRules().sorted_query);
}

TEST(SeenKey, www_does_not_matter) {
  expect_key_rule("www", {{"http://www.example.org/", "http://example.org/"},
                          {"http://www.www.example.org:8080/", "http://example.org:8080/"},
                          {"http://u:p@www.example.org/", "http://u:p@example.org/"},
                          {"http://www.com/", "http://www.com/"},
                          {"http://www/", "http://www/"},
                          {"http://wwwx.example.org/", "http://wwwx.example.org/"}});
}

TEST(SeenKey, default_files_stand_for_their_directory) {
  expect_key_rule("default-files", {{"http://a/index.html", "http://a/"},
                                    {"http://a/b/Default.ASPX", "http://a/b/"},
                                    {"http://a/b/index.php?c=d", "http://a/b/?c=d"},
                                    {"http://a/index.html/b", "http://a/index.html/b"},
                                    {"http://a/myindex.html", "http://a/myindex.html"}});
}

TEST(SeenKey, the_last_slash_does_not_matter) {
  expect_key_rule("trailing-slash", {{"http://a/b/", "http://a/b"},
                                     {"http://a/b//?c/", "http://a/b?c/"},
                                     {"http://a/", "http://a/"},
                                     {"http://a//", "http://a/"}});
}

TEST(SeenKey, an_empty_query_does_not_matter) {
  expect_key_rule("empty-query", {{"http://a/b?", "http://a/b"},
                                  {"http://a/b??", "http://a/b??"},
                                  {"http://a/b?c?", "http://a/b?c?"}});
}

TEST(SeenKey, http_and_https_can_be_the_same) {
  expect_key_rule("one-scheme", {{"https://a/b", "http://a/b"},
                                 {"https://u@a/b", "http://u@a/b"},
                                 {"https://a:80/b", "https://a:80/b"},
                                 {"https://a:8443/b", "https://a:8443/b"}});
  EXPECT_NE(key("https://a/"), key("http://a/"));
}

TEST(SeenKey, is_the_same_for_the_same_page) {
  for (const char* text :
       {"http://example.org/a", "http://example.org/a/", "http://www.example.org/a/#b",
        "http://example.org/a/index.html", "HTTP://Example.org:80/x/../%61/?utm_source=b",
        "http://example.org/a;jsessionid=0123/index.htm",
        "http://example.org/a/index.html/index.php", "http://example.org/a?"}) {
    EXPECT_EQ(key(text), "http://example.org/a") << text;
  }
}

TEST(SeenKey, differs_for_other_pages) {
  for (const char* text : {"http://example.org/A", "http://example.org/a?b", "http://example.org/",
                           "http://example.org:8080/a", "http://news.example.org/a"}) {
    EXPECT_NE(key(text), "http://example.org/a") << text;
  }
}

TEST(CanonicalRules, are_switched_by_name) {
  CanonicalRules rules;
  EXPECT_TRUE(set_rule(rules, "www", false));
  EXPECT_FALSE(rules.www);
  EXPECT_EQ(key("http://www.example.org/", rules), "http://www.example.org/");
  const Status unknown = set_rule(rules, "trailing-slashes", true);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("trailing-slash'"), std::string::npos)
      << unknown.error().message;
}

TEST(UrlCanonical, of_nothing_is_nothing) {
  EXPECT_TRUE(canonical(Url()).empty());
  EXPECT_EQ(seen_key(Url()), "");
}

// Addresses full of what the rules look for, with some of the rules switched off.
struct Draw {
  Url url;
  CanonicalRules rules;
};

Draw draw() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "/", "/", "?", "&", "#", ";", "=", ".", "..", "a", "%2", "%65", "%", "%2e", "%41", "%c3",
      "index.html", "default.htm", "jsessionid=", "phpsessid=1", "utm_x", "sid=0123456789abcdef",
      "(S(lit3py55t21z5v55vlm25s55))", "(", "www."));
  std::string text = *rc::gen::element<std::string>("http://", "https://", "http://u@", "web+x:/");
  text += *rc::gen::element<std::string>("a", "www.a.b", "www.www.a", "www..", "[::1]", "a:80");
  text += "/";
  for (const std::string& piece : pieces) text += piece;
  Draw result;
  for (const CanonicalRule& rule : kCanonicalRules) {
    result.rules.*rule.field = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
  }
  const Result<Url> parsed = Url::parse(text);
  RC_PRE(parsed.ok());
  result.url = *parsed;
  return result;
}

RC_GTEST_PROP(UrlCanonical, twice_is_the_same_as_once, ()) {
  const Draw d = draw();
  const Url once = canonical(d.url, d.rules);
  RC_ASSERT(canonical(once, d.rules) == once);
  RC_ASSERT(once.href().size() <= d.url.href().size());
}

RC_GTEST_PROP(SeenKey, is_its_own_key, ()) {
  const Draw d = draw();
  const std::string once = seen_key(d.url, d.rules);
  const Result<Url> again = Url::parse(once);
  RC_ASSERT(again.ok());
  RC_ASSERT(seen_key(*again, d.rules) == once);
  RC_ASSERT(seen_key(canonical(d.url, d.rules), d.rules) == once);
  RC_ASSERT(once.size() <= d.url.href().size());
}

}  // namespace
}  // namespace dowser
