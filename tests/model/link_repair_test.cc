#include "model/link_repair.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

struct Case {
  const char* href;
  const char* expected;
};

const Url& base() {
  static const Url url = *Url::parse("http://example.org/dir/page.html?q");
  return url;
}

std::string repaired(std::string_view href, std::vector<std::string_view>* applied = nullptr) {
  const Result<Url> url = parse_link(href, base(), applied);
  return url ? std::string(url->href()) : "error: " + url.error().message;
}

TEST(LinkRepair, every_repair_does_what_its_example_says) {
  for (const LinkRepair& repair : kLinkRepairs) {
    std::vector<std::string_view> applied;
    EXPECT_EQ(repaired(repair.from, &applied), repair.to) << repair.name;
    EXPECT_EQ(applied, std::vector<std::string_view>{repair.name});
  }
}

// These need no repair of ours: the parser reads them as browsers do.
TEST(LinkRepair, the_standard_already_repairs_much) {
  const Case cases[] = {
      {"http:\\\\www.example.net\\a\\b", "http://www.example.net/a/b"},
      {"..\\other\\page.html", "http://example.org/other/page.html"},
      {"\\a", "http://example.org/a"},
      {"http:////www.example.net/", "http://www.example.net/"},
      {"https:/www.example.net/", "https://www.example.net/"},  // the scheme is not the base's
      {"  a.html \n", "http://example.org/dir/a.html"},
      {"a\n.ht\tml", "http://example.org/dir/a.html"},
      {"a b.html", "http://example.org/dir/a%20b.html"},
      {"../../../a", "http://example.org/a"},
      {"/../a", "http://example.org/a"},
      {"././a", "http://example.org/dir/a"},
      {".", "http://example.org/dir/"},
      {"?x", "http://example.org/dir/page.html?x"},
      {"", "http://example.org/dir/page.html?q"},
      {"//www.example.net", "http://www.example.net/"},
  };
  for (const Case& c : cases) {
    const Result<Url> parsed = Url::parse(c.href, &base());
    ASSERT_TRUE(parsed) << c.href;
    EXPECT_EQ(parsed->href(), c.expected) << c.href;
    EXPECT_EQ(repaired(c.href), c.expected) << c.href;
  }
}

TEST(LinkRepair, white_space_of_all_kinds_is_removed) {
  const Case cases[] = {
      {"\u3000 http://www.example.net/\u200B", "http://www.example.net/"},
      {"%20http://www.example.net/", "http://www.example.net/"},
      {"http ://www.example.net", "http://www.example.net/"},
      {"http: // www.example.net/a b", "http://www.example.net/a%20b"},
      {"http:// www.example .net?a b", "http://www.example.net/?a%20b"},
      {"// www.example.net/", "http://www.example.net/"},
  };
  for (const Case& c : cases) EXPECT_EQ(repaired(c.href), c.expected) << c.href;
}

TEST(LinkRepair, slips_in_the_scheme_are_mended) {
  const Case cases[] = {
      {"HTTP:/www.example.net/a", "http://www.example.net/a"},
      {"http:\\www.example.net\\a", "http://www.example.net/a"},
      {"http:www.example.net:8080/a", "http://www.example.net:8080/a"},
      {"http:/192.168.0.1/a", "http://192.168.0.1/a"},
      {"http;//www.example.net/", "http://www.example.net/"},
      {"https//www.example.net/", "https://www.example.net/"},
      {"http://http://https://www.example.net/", "https://www.example.net/"},
      {"http:http://www.example.net/", "http://www.example.net/"},
      {"WWW.example.net", "http://www.example.net/"},
      {"http // www.example.net", "http://www.example.net/"},
  };
  for (const Case& c : cases) EXPECT_EQ(repaired(c.href), c.expected) << c.href;
}

TEST(LinkRepair, what_may_be_meant_is_left_alone) {
  const Case cases[] = {
      {"http:/index.html", "http://example.org/index.html"},
      {"http:page.html", "http://example.org/dir/page.html"},
      {"http:/a/b.org", "http://example.org/a/b.org"},
      {"www.html", "http://example.org/dir/www.html"},
      {"httpd/manual.html", "http://example.org/dir/httpd/manual.html"},
      {"http//manual.html", "http://example.org/dir/http//manual.html"},
      {"here and there.html", "http://example.org/dir/here%20and%20there.html"},
      {"%20a.html", "http://example.org/dir/%20a.html"},
      {"/a/http://www.example.net/", "http://example.org/a/http://www.example.net/"},
      {"mailto:a@www.example.net", "mailto:a@www.example.net"},
      {"javascript:void(0)", "javascript:void(0)"},
      {"\u00FCber.html", "http://example.org/dir/%C3%BCber.html"},
  };
  for (const Case& c : cases) {
    std::vector<std::string_view> applied;
    EXPECT_EQ(repaired(c.href, &applied), c.expected) << c.href;
    EXPECT_TRUE(applied.empty()) << c.href;
  }
}

TEST(LinkRepair, works_without_a_base) {
  EXPECT_EQ(parse_link("www.example.net", Url())->href(), "http://www.example.net/");
  EXPECT_FALSE(parse_link("a.html", Url()));
  EXPECT_FALSE(parse_link("", Url()));
}

}  // namespace
}  // namespace dowser
