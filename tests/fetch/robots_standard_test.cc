#include <gtest/gtest.h>

#include <string>

#include "fetch/robots.h"
#include "tests/support.h"

// The rules of RFC 9309, section by section, as cases of our own: for those who do not have the
// collection of real files that robots_test.cc compares with the reference. The agent is "dowser".

namespace dowser {
namespace {

struct Case {
  const char* rule;  // of the RFC, in our words
  const char* robots;
  const char* allowed;    // targets, separated by spaces
  const char* forbidden;  // likewise
};

constexpr Case kCases[] = {
    // 2.1, 2.2: the form of a file
    {"an empty file allows everything", "", "/ /a", ""},
    {"lines end with CR LF, CR or LF", "User-agent: *\r\nDisallow: /a\rDisallow: /b\nDisallow: /c",
     "/ /d", "/a /b /c"},
    {"a comment begins with # anywhere in a line",
     "# about\nUser-agent: * # all\nDisallow: /a#b\n#Disallow: /c", "/c", "/a /ab"},
    {"names of lines are compared without case", "USER-AGENT: *\ndisALLOW: /a", "/b", "/a"},
    {"blanks around names and values do not count", " User-agent :\t* \n\tDisallow\t:  /a  ", "/b",
     "/a"},
    {"rules before the first user-agent line belong to no group", "Disallow: /\nUser-agent: *",
     "/a", ""},
    {"other lines do not end a group",
     "User-agent: *\nSitemap: http://a.test/s.xml\nDisallow: /a\nUnknown: x\nDisallow: /b", "/c",
     "/a /b"},
    {"an empty disallow forbids nothing", "User-agent: *\nDisallow:", "/ /a", ""},

    // 2.2.1: which group applies
    {"the product token is compared without case", "User-agent: DowSER\nDisallow: /a", "/b", "/a"},
    {"the own group replaces that of *, wherever it is",
     "User-agent: *\nDisallow: /\n\nUser-agent: dowser\nDisallow: /a", "/b", "/a"},
    {"without an own group that of * applies",
     "User-agent: other\nAllow: /\n\nUser-agent: *\nDisallow: /a", "/b", "/a"},
    {"without a group of either nothing is forbidden", "User-agent: other\nDisallow: /", "/a", ""},
    {"groups of the same agent are combined",
     "User-agent: dowser\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: dowser\n"
     "Disallow: /c",
     "/b", "/a /c"},
    {"groups of * are combined", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/c",
     "/a /b"},
    {"several user-agent lines share a group",
     "User-agent: other\nUser-agent: dowser\nDisallow: /a\n\nUser-agent: third\nDisallow: /b", "/b",
     "/a"},
    {"an empty line does not end a group", "User-agent: dowser\n\n\nDisallow: /a", "/b", "/a"},
    {"a longer name is another agent", "User-agent: dowser-images\nDisallow: /", "/a", ""},

    // 2.2.2: which rule decides
    {"a rule matches from the start of the path", "User-agent: *\nDisallow: /a", "/b/a",
     "/a /ab /a/b"},
    {"paths are compared with case", "User-agent: *\nDisallow: /Shop", "/shop", "/Shop"},
    {"the query belongs to what is compared",
     "User-agent: *\nDisallow: /find?q=", "/find /find?p=1", "/find?q=1"},
    {"the longest match decides, whatever the order",
     "User-agent: *\nDisallow: /\nAllow: /open\nDisallow: /open/not\nAllow: /open/not/but",
     "/open /open/a /open/not/but/a", "/ /a /open/not /open/not/a"},
    {"allow wins if both are equally long", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", ""},
    {"what no rule matches is allowed", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/c / /a/b",
     "/a/c"},
    {"robots.txt itself is allowed", "User-agent: *\nDisallow: /", "/robots.txt", "/robots.html"},
    {"a path beyond ASCII and its escapes are the same",
     "User-agent: *\nDisallow: /caf\xC3\xA9\nDisallow: /%E6%9C%A8", "/cafe",
     "/caf%C3%A9 /caf\xC3\xA9 /\xE6\x9C\xA8 /%E6%9C%A8/a"},
    {"escapes are compared without case", "User-agent: *\nDisallow: /caf%c3%a9", "/", "/caf%C3%A9"},
    {"an escaped letter is the letter", "User-agent: *\nDisallow: /%62ook", "/cook",
     "/book /%62ook"},
    {"an escaped slash is not a slash", "User-agent: *\nDisallow: /a%2Fb", "/a/b", "/a%2Fb /a%2fb"},

    // 2.2.3: special characters
    {"* stands for any characters, also none", "User-agent: *\nDisallow: /a*c", "/ab /ba",
     "/ac /abc /a/b/c /acd"},
    {"several * are possible", "User-agent: *\nDisallow: /*/private*/x", "/private/x",
     "/a/private/x /a/b/private-1/x"},
    {"$ at the end is the end of the address", "User-agent: *\nDisallow: /*.gif$",
     "/a.gif?b /a.gifs", "/a.gif /b/c.gif"},
    {"$ elsewhere is a dollar", "User-agent: *\nDisallow: /a$b", "/a /ab", "/a$b"},
    {"an escaped * is an asterisk", "User-agent: *\nDisallow: /a%2Ab", "/acb", "/a*b /a%2Ab"},
    {"an escaped $ is a dollar", "User-agent: *\nDisallow: /a%24", "/a", "/a$ /a%24"},

    // 2.4, 2.5: what is read
    {"a byte order mark at the start does not count", "\xEF\xBB\xBFUser-agent: *\nDisallow: /a",
     "/b", "/a"},
    {"bytes that are no text cost only their line", "User-agent: *\n\xFF\xFE\x01: x\nDisallow: /a",
     "/b", "/a"},
};

void expect_all(const Case& c, const char* targets, bool allowed) {
  const RobotsRules rules = Robots::parse(c.robots).rules_for("dowser");
  std::string rest = targets;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string target = rest.substr(0, end);
    EXPECT_EQ(rules.allows(target), allowed) << c.rule << ": " << target << " with\n" << c.robots;
    rest.erase(0, end + 1);
  }
}

TEST(RobotsStandard, every_rule_of_rfc_9309_is_followed) {
  for (const Case& c : kCases) {
    expect_all(c, c.allowed, true);
    expect_all(c, c.forbidden, false);
  }
}

// 2.5: at least 500 KiB are read, and what is longer is cut at the end of a line.
TEST(RobotsStandard, a_rule_behind_half_a_megabyte_of_others_is_read) {
  std::string robots = "User-agent: *\n";
  while (robots.size() < 499 * 1024) robots += "Disallow: /filler\n";
  EXPECT_FALSE(Robots::parse(robots + "Disallow: /last\n").rules_for("dowser").allows("/last"));
}

}  // namespace
}  // namespace dowser
