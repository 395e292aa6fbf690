#include "guard/scope.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/glob.h"
#include "guard/file_type.h"

namespace dowser {
namespace {

Url url(std::string_view text) { return *Url::parse(text); }

Scope scope(ScopeRules rules) {
  Result<Scope> made = Scope::make(std::move(rules));
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
  return made.ok() ? *made : Scope();
}

std::string reason(const Scope& scope, std::string_view address, uint32_t depth = 0) {
  const Verdict verdict = scope.check(url(address), depth);
  EXPECT_EQ(verdict.ok, verdict.reason.empty());
  return std::string(verdict.reason);
}

TEST(Scope, without_rules_every_page_is_followed_and_nothing_else) {
  const Scope all;
  EXPECT_EQ(reason(all, "http://a.test/"), "");
  EXPECT_EQ(reason(all, "https://a.test/x/y.html?z=1"), "");
  EXPECT_EQ(reason(all, "ftp://a.test/x"), "scheme");
  EXPECT_EQ(reason(all, "mailto:a@b.test"), "scheme");
  EXPECT_EQ(reason(all, "file:///etc/passwd"), "scheme");
  EXPECT_EQ(reason(all, "http://user:secret@a.test/"), "credentials");
  EXPECT_EQ(reason(all, "http://user@a.test/"), "credentials");
  EXPECT_EQ(reason(all, "http://a.test/a.jpg"), "file-type");
  EXPECT_FALSE(all.check(Url(), 0));
}

TEST(Scope, named_hosts_are_the_only_ones_with_www_or_without) {
  const Scope s = scope({.allow_hosts = {"Example.org", "b.test:8080", "www.c.test"}});
  EXPECT_EQ(reason(s, "http://example.org/a"), "");
  EXPECT_EQ(reason(s, "https://www.example.org/a"), "");
  EXPECT_EQ(reason(s, "http://c.test/"), "");
  EXPECT_EQ(reason(s, "http://docs.example.org/"), "host");
  EXPECT_EQ(reason(s, "http://b.test:8080/"), "");
  EXPECT_EQ(reason(s, "http://b.test/"), "host");
  EXPECT_EQ(reason(s, "http://example.org.evil.test/"), "host");
}

TEST(Scope, a_domain_holds_all_names_that_end_in_it) {
  const Scope s = scope({.allow_domains = {"example.org", ".edu", "bücher.de"}});
  EXPECT_EQ(reason(s, "http://example.org/"), "");
  EXPECT_EQ(reason(s, "http://a.b.example.org:81/"), "");
  EXPECT_EQ(reason(s, "http://badexample.org/"), "host");
  EXPECT_EQ(reason(s, "http://www.mit.edu/"), "");
  EXPECT_EQ(reason(s, "http://shop.xn--bcher-kva.de/"), "");
}

TEST(Scope, hosts_and_domains_add_up_and_paths_narrow_them) {
  const Scope s = scope(
      {.allow_hosts = {"a.test"}, .allow_domains = {"b.test"}, .allow_paths = {"/docs/", "/faq"}});
  EXPECT_EQ(reason(s, "http://a.test/docs/x"), "");
  EXPECT_EQ(reason(s, "http://x.b.test/faq.html"), "");
  EXPECT_EQ(reason(s, "http://a.test/docs"), "path");
  EXPECT_EQ(reason(s, "http://c.test/docs/"), "host");
}

TEST(Scope, what_is_denied_is_refused_though_it_is_allowed) {
  const Scope s = scope(
      {.allow_hosts = {"a.test"}, .deny = {"*/private/*", "*?print=1*", "http://a.test/page??"}});
  EXPECT_EQ(reason(s, "http://a.test/x/private/y"), "denied");
  EXPECT_EQ(reason(s, "http://a.test/x?print=1&y=2"), "denied");
  EXPECT_EQ(reason(s, "http://a.test/page12"), "denied");
  EXPECT_EQ(reason(s, "http://a.test/page123"), "");
  EXPECT_EQ(reason(s, "http://a.test/x#/private/"), "");
}

TEST(Scope, depth_length_and_levels_are_limits_that_may_be_reached) {
  const Scope s = scope({.max_depth = 2, .max_url_length = 30, .max_path_levels = 3});
  EXPECT_EQ(reason(s, "http://a.test/", 2), "");
  EXPECT_EQ(reason(s, "http://a.test/", 3), "depth");
  const std::string long_one = "http://a.test/" + std::string(16, 'x');  // 30 characters
  EXPECT_EQ(reason(s, long_one), "");
  EXPECT_EQ(reason(s, long_one + "x"), "length");
  EXPECT_EQ(reason(s, long_one + "#fragment"), "");
  EXPECT_EQ(reason(s, "http://a.test/1/2/3/d"), "");
  EXPECT_EQ(reason(s, "http://a.test/1/2/3/4/e"), "path-levels");
  EXPECT_EQ(reason(Scope(), "http://a.test/1/2/3/4/5/6/7/8/9/e", 99), "");
  EXPECT_EQ(reason(Scope(), "http://a.test/" + std::string(2000, 'x')), "length");
}

TEST(Scope, documents_are_followed_where_they_are_wanted) {
  const Scope s = scope({.documents = true});
  for (const char* name : {"a.pdf", "b.PS", "c.ps.gz", "e.doc"}) {
    EXPECT_EQ(reason(s, std::string("http://a.test/") + name), "") << name;
    EXPECT_EQ(reason(Scope(), std::string("http://a.test/") + name), "file-type") << name;
  }
  EXPECT_EQ(reason(s, "http://a.test/a.tar.gz"), "file-type");
  EXPECT_EQ(reason(s, "http://a.test/a.ps.Z"), "file-type") << "nothing here can unpack it";
}

TEST(Scope, a_rule_that_cannot_be_meant_is_refused_with_a_sentence) {
  struct Row {
    ScopeRules rules;
    std::string says;
  };
  for (const Row& row :
       std::vector<Row>{{{.allow_hosts = {"http://a.test/"}}, "is not a host name"},
                        {{.allow_hosts = {""}}, "is not a host name"},
                        {{.allow_hosts = {"a b"}}, "is not a host name"},
                        {{.allow_hosts = {"*.a.test"}}, "is not a host name"},
                        {{.allow_hosts = {"a.test/docs"}}, "is not a host name"},
                        {{.allow_hosts = {"me@a.test"}}, "is not a host name"},
                        {{.allow_domains = {"a.test:80"}}, "is not a host name"},
                        {{.allow_domains = {"a.test:8080"}}, "is not a host name"},
                        {{.allow_domains = {"a.test?"}}, "is not a host name"},
                        {{.allow_paths = {"docs/"}}, "write '/docs/'"},
                        {{.deny = {""}}, "empty"},
                        {{.deny = {"*"}}, "every address"},
                        {{.deny = {"***"}}, "every address"},
                        {{.deny = {"http*"}}, "every address"},
                        {{.deny = {"*/*"}}, "every address"},
                        {{.deny = {"/calendar/"}}, "write '*/calendar/*'"},
                        {{.deny = {"ftp://*"}}, "matches no address"},
                        {{.deny = {"http:/"}}, "matches no address"},
                        {{.deny = {"*a b*"}}, "percent-encoded"},
                        {{.deny = {"*ü*"}}, "percent-encoded"},
                        {{.deny = {"*#x"}}, "fragments"}}) {
    const Result<Scope> made = Scope::make(row.rules);
    ASSERT_FALSE(made.ok()) << row.says;
    EXPECT_NE(made.error().message.find(row.says), std::string::npos) << made.error().message;
  }
}

TEST(FileType, is_told_by_the_extension) {
  struct Row {
    const char* path;
    FileType type;
  };
  for (const Row& row : std::vector<Row>{{"/", FileType::kPage},
                                         {"/a", FileType::kPage},
                                         {"/a.html", FileType::kPage},
                                         {"/a.php?x=b.jpg", FileType::kPage},
                                         {"/v1.2/a", FileType::kPage},
                                         {"/x.jpg/a", FileType::kPage},
                                         {"/a.txt", FileType::kPage},
                                         {"/wiki/Node.js", FileType::kPage},
                                         {"/wiki/File:Rose.jpg", FileType::kPage},
                                         {"/.gif", FileType::kPage},
                                         {"/a.JPEG", FileType::kMedia},
                                         {"/a.jpg?size=2", FileType::kMedia},
                                         {"/a.mp3", FileType::kMedia},
                                         {"/a.zip", FileType::kArchive},
                                         {"/a.html.gz", FileType::kArchive},
                                         {"/a.tar.Z", FileType::kArchive},
                                         {"/a.ps.Z", FileType::kOffice},
                                         {"/a.ps.gz", FileType::kDocument},
                                         {"/a.txt.gz", FileType::kDocument},
                                         {"/sitemap.xml.gz", FileType::kArchive},
                                         {"/a.ppt", FileType::kOffice},
                                         {"/a.pdf", FileType::kDocument},
                                         {"/setup.exe", FileType::kProgram},
                                         {"/cgi-bin/find.exe?x", FileType::kPage}}) {
    EXPECT_EQ(file_type(url(std::string("http://a.test") + row.path)), row.type) << row.path;
  }
}

// The obvious matcher: all ways to go on.
bool slow_match(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return slow_match(pattern.substr(1), text) ||
           (!text.empty() && slow_match(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         slow_match(pattern.substr(1), text.substr(1));
}

TEST(Glob, matches_as_trying_everything_does) {
  EXPECT_TRUE(rc::check([] {
    const auto letters = [](std::string_view set) {
      return rc::gen::container<std::string>(rc::gen::elementOf(std::string(set)));
    };
    const std::string pattern = (*letters("ab*?")).substr(0, 12);
    const std::string text = (*letters("ab")).substr(0, 16);
    RC_ASSERT(glob_matches(pattern, text) == slow_match(pattern, text));
  }));
}

}  // namespace
}  // namespace dowser
