#include "fetch/robots.h"

#include <gtest/gtest.h>

#include "fetch/robots_target.h"
#include "tests/fetch/robots_cases.h"
#include "tests/support.h"

namespace dowser {
namespace {

using namespace std::chrono_literals;

// Is `target` open to the agent "dowser"?
bool open(std::string_view robots, std::string_view target) {
  return Robots::parse(robots).check("dowser", target).allowed;
}

struct Row {
  std::string_view robots, target;
  bool allowed;
};

void expect_rows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(open(row.robots, row.target), row.allowed) << row.robots << "\n-> " << row.target;
  }
}

TEST(Robots, verdicts_equal_those_of_the_reference) {
  const auto archive = test_data("robots.tar.gz");
  if (!archive) GTEST_SKIP() << kNoData;
  const RobotsCollection collection = read_robots_collection(*archive);
  ASSERT_GT(collection.cases.size(), 70'000u);
  std::map<std::pair<std::string, std::string>, RobotsRules> kept;
  size_t different = 0;
  for (const RobotsCase& c : collection.cases) {
    auto [it, fresh] = kept.try_emplace({c.file, c.agent});
    if (fresh) it->second = Robots::parse(collection.files.at(c.file)).rules_for(c.agent);
    const RobotsRules::Verdict verdict = it->second.check(robots_target(c.url));
    if (verdict.allowed == c.allowed) continue;
    if (++different <= 20) {
      ADD_FAILURE() << c.file << " " << c.agent << " " << c.url << ": " << verdict.rule
                    << " in line " << verdict.line;
    }
  }
  EXPECT_EQ(different, 0u);
}

TEST(RobotsGroups, without_rules_everything_is_allowed) {
  expect_rows({{"", "/a", true},
               {"User-agent: *", "/a", true},
               {"User-agent: *\nDisallow:", "/a", true},
               {"Disallow: /", "/a", true},  // belongs to no group
               {"User-agent: other\nDisallow: /", "/a", true}});
  EXPECT_TRUE(RobotsRules().allows("/a"));
  EXPECT_FALSE(RobotsRules::deny_all().allows("/a"));
}

TEST(RobotsGroups, the_own_group_replaces_that_of_everybody) {
  const std::string_view robots =
      "User-agent: *\nDisallow: /\n\nUser-agent: dowser\nDisallow: /private\n";
  expect_rows({{robots, "/a", true}, {robots, "/private", false}});
  expect_rows({{"User-agent: *\nDisallow: /\nUser-agent: dowser\n", "/a", true}});
}

TEST(RobotsGroups, agents_are_compared_without_case_and_by_product_token) {
  for (const std::string_view name : {"dowser", "DOWSER", "Dowser/2.1", "dowser (a crawler)"}) {
    EXPECT_FALSE(open("User-agent: " + std::string(name) + "\nDisallow: /", "/a")) << name;
  }
  for (const std::string_view name : {"dows", "dowser-images", "a dowser", "dowsers", ""}) {
    EXPECT_TRUE(open("User-agent: " + std::string(name) + "\nDisallow: /", "/a")) << name;
  }
  const Robots robots = Robots::parse("User-agent: dowser\nDisallow: /");
  EXPECT_FALSE(robots.check("Dowser/0.1 (+http://example.org)", "/a").allowed);
  EXPECT_TRUE(robots.check("", "/a").allowed);
}

TEST(RobotsGroups, a_star_with_a_remark_is_everybody) {
  expect_rows({{"User-agent: * (all)\nDisallow: /", "/a", false},
               {"User-agent: *all\nDisallow: /", "/a", true}});
}

TEST(RobotsGroups, groups_of_the_same_agent_are_one) {
  const std::string_view robots =
      "User-agent: dowser\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\n"
      "User-agent: dowser\nDisallow: /c\n";
  expect_rows({{robots, "/a", false}, {robots, "/b", true}, {robots, "/c", false}});
}

TEST(RobotsGroups, several_agents_share_the_rules_that_follow) {
  const std::string_view robots =
      "User-agent: one\nUser-agent: dowser\n\nUser-agent: two\nDisallow: /a\n"
      "User-agent: three\nDisallow: /b\n";
  expect_rows({{robots, "/a", false}, {robots, "/b", true}});
}

TEST(RobotsGroups, other_records_do_not_end_a_list_of_agents) {
  for (const std::string_view record :
       {"Sitemap: http://a/s.xml", "Crawl-delay: 5", "Host: a", ""}) {
    const std::string robots =
        "User-agent: dowser\n" + std::string(record) + "\nUser-agent: other\nDisallow: /a\n";
    EXPECT_FALSE(open(robots, "/a")) << record;
  }
}

TEST(RobotsMatch, the_longest_pattern_decides_and_allow_wins_a_tie) {
  const std::string_view robots =
      "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nDisallow: /x\nAllow: /x\n"
      "Allow: /p\nDisallow: /*.htm\nAllow: /p/q/r\n";
  expect_rows({{robots, "/a", false},
               {robots, "/a/b", true},
               {robots, "/a/bc", true},
               {robots, "/a/b/c", false},
               {robots, "/x", true},
               {robots, "/p", true},
               {robots, "/p.htm", false},
               {robots, "/p/q/r.htm", true}});
}

TEST(RobotsMatch, patterns_match_from_the_start_and_with_case) {
  const std::string_view robots = "User-agent: *\nDisallow: /fish\nDisallow: salmon\n";
  expect_rows({{robots, "/fish", false},
               {robots, "/fish.html", false},
               {robots, "/fishheads/yummy.html", false},
               {robots, "/fish?id=1", false},
               {robots, "/Fish", true},
               {robots, "/catfish", true},
               {robots, "/?id=fish", true},
               {robots, "/salmon", true}});
}

TEST(RobotsMatch, a_star_stands_for_any_characters_and_a_final_dollar_for_the_end) {
  const auto one = [](std::string_view pattern, std::string_view target) {
    return !open("User-agent: *\nDisallow: " + std::string(pattern), target);
  };
  for (const auto& [pattern, target] :
       std::vector<std::pair<std::string, std::string>>{{"/*.php", "/index.php"},
                                                        {"/*.php", "/folder/a.php?b"},
                                                        {"/*.php$", "/a.php"},
                                                        {"/*.php$", "/a.php/b.php"},
                                                        {"/a*b*c", "/axxbxxcxx"},
                                                        {"*", "/"},
                                                        {"*a", "/ba"},
                                                        {"/a*", "/a"},
                                                        {"/a**b", "/ab"},
                                                        {"/a*$", "/abc"},
                                                        {"/$", "/"},
                                                        {"/a$b", "/a$bc"},
                                                        {"/*a*ab$", "/aab"},
                                                        {"/fish*.php", "/fishes.phpx"}}) {
    EXPECT_TRUE(one(pattern, target)) << pattern << " " << target;
  }
  for (const auto& [pattern, target] :
       std::vector<std::pair<std::string, std::string>>{{"/*.php", "/"},
                                                        {"/*.php$", "/a.php?b"},
                                                        {"/*.php$", "/a.php5"},
                                                        {"/a*b*c", "/axxcxxb"},
                                                        {"/$", "/a"},
                                                        {"/a$", "/ab"},
                                                        {"/a$b", "/a"},
                                                        {"/ab*b$", "/ab"},
                                                        {"$", "/"},
                                                        {"/fish*.php", "/Fish.PHP"}}) {
    EXPECT_FALSE(one(pattern, target)) << pattern << " " << target;
  }
}

TEST(RobotsMatch, a_hostile_pattern_costs_no_more_than_a_pass) {
  std::string robots = "User-agent: *\n";
  for (int rule = 0; rule < 100; ++rule) {
    robots += "Disallow: /";
    for (int i = 0; i < 1000; ++i) robots += "*a";
    robots += "*b$\n";
  }
  const RobotsRules rules = Robots::parse(robots).rules_for("dowser");
  // Trying every way would outlast the sun.
  EXPECT_TRUE(rules.allows("/" + std::string(5000, 'a')));
}

TEST(RobotsMatch, an_allowed_index_page_opens_its_folder) {
  const std::string_view robots = "User-agent: *\nDisallow: /\nAllow: /a/index.html\n";
  expect_rows({{robots, "/a/index.html", true},
               {robots, "/a/", true},
               {robots, "/a/b", false},
               {robots, "/", false}});
  EXPECT_FALSE(open("User-agent: *\nAllow: /\nDisallow: /a/index.html\n", "/a/index.html"));
  EXPECT_TRUE(open("User-agent: *\nAllow: /\nDisallow: /a/index.html\n", "/a/"));
}

TEST(RobotsSpelling, a_crawler_sees_through_percent_encoding) {
  struct Pair {
    std::string_view pattern, target;
    bool same;
  };
  for (const Pair& p : std::initializer_list<Pair>{{"/a%3cd", "/a%3Cd", true},
                                                   {"/a%3Cd", "/a%3cd", true},
                                                   {"/%7ejoe", "/~joe", true},
                                                   {"/~joe", "/%7Ejoe", true},
                                                   {"/%62%61%7A", "/baz", true},
                                                   {"/baz", "/%62a%7a", true},
                                                   {"/\xE3\x83\x84", "/%E3%83%84", true},
                                                   {"/%E3%83%84", "/\xE3\x83\x84", true},
                                                   {"/a%2fb", "/a/b", false},
                                                   {"/a/b", "/a%2fb", false},
                                                   {"/100%", "/100%", true},
                                                   {"/a-%2A.htm", "/a-*.htm", true},
                                                   {"/a-%2A.htm", "/a-b.htm", false},
                                                   {"/a%24", "/a$", true},
                                                   {"/a%24", "/ab", false},
                                                   {"/a$b", "/a%24b", true}}) {
    const RobotsRules rules =
        Robots::parse("User-agent: *\nDisallow: " + std::string(p.pattern)).rules_for("dowser");
    EXPECT_EQ(!rules.allows(p.target), p.same) << p.pattern << " " << p.target;
  }
}

TEST(RobotsSpelling, a_check_takes_the_target_as_it_is_written) {
  const std::string_view robots = "User-agent: *\nDisallow: /a%2b\n";
  expect_rows({{robots, "/a%2B", false}, {robots, "/a%2b", true}});
}

TEST(RobotsSpelling, the_target_of_an_address_is_its_path_and_query) {
  for (const auto& [url, target] :
       std::vector<std::pair<std::string, std::string>>{{"http://example.org", "/"},
                                                        {"http://example.org/", "/"},
                                                        {"http://example.org/a?b#c", "/a?b"},
                                                        {"http://example.org?b", "/?b"},
                                                        {"http://example.org;b", "/;b"},
                                                        {"http://example.org#/a", "/"},
                                                        {"//example.org/a", "/a"},
                                                        {"example.org/a", "/a"},
                                                        {"example.org/http://b/c", "/http://b/c"},
                                                        {"/a/%7Eb", "/a/%7Eb"},
                                                        {"", "/"}}) {
    EXPECT_EQ(robots_target(url), target) << url;
  }
}

TEST(RobotsRules, robots_txt_itself_is_always_allowed) {
  EXPECT_TRUE(RobotsRules::deny_all().allows("/robots.txt"));
  EXPECT_FALSE(RobotsRules::deny_all().allows("/robots.txt?a"));
}

TEST(RobotsSyntax, lines_are_read_as_people_write_them) {
  for (const std::string_view robots :
       {"user-agent: dowser\ndisallow: /a\n", "USER-AGENT:dowser\r\nDISALLOW:/a\r\n",
        "User-agent : dowser\rDisallow\t:\t/a\r", "  User-agent: dowser # me\n\tDisallow: /a # no",
        "\xEF\xBB\xBFUser-agent: dowser\nDisallow: /a", "\xEFUser-agent: dowser\nDisallow: /a",
        "useragent: dowser\ndissallow: /a", "user agent: dowser\nDisalow: /a",
        "User-agent dowser\nDisallow /a", "<html>\n:\nUser-agent: dowser\n\xFF\xFE:\nDisallow: /a",
        "User-agent: dowser\nDisallow-all: /a"}) {
    EXPECT_FALSE(open(robots, "/a")) << robots;
    EXPECT_TRUE(open(robots, "/b")) << robots;
  }
}

TEST(RobotsSyntax, lines_that_mean_nothing_are_passed_over) {
  for (const std::string_view line : {"Disallow / and more", "# Disallow: /", "Disallow", ": /",
                                      "Noindex: /", "Disallow:", "Disallow: #/", "Dis\nallow: /"}) {
    EXPECT_TRUE(open("User-agent: *\n" + std::string(line), "/a")) << line;
  }
}

TEST(RobotsSyntax, a_line_ends_at_a_nul_and_behind_16663_bytes) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(open("User-agent: *\nDisallow: /a\0b"sv, "/a"));
  const std::string key = "Disallow: /", path(16663 - key.size(), 'a');
  EXPECT_FALSE(open("User-agent: *\n" + key + path + "bcd", "/" + path));
  EXPECT_TRUE(open("User-agent: *\n" + key + path, "/" + path.substr(1)));
}

TEST(RobotsSyntax, what_lies_behind_the_limit_is_not_read) {
  const std::string head = "User-agent: *\nDisallow: /a\n", tail = "Disallow: /bcd\n";
  for (size_t limit = 0; limit <= head.size() + tail.size(); ++limit) {
    const RobotsRules rules = Robots::parse(head + tail, limit).rules_for("dowser");
    EXPECT_EQ(rules.allows("/a"), limit + 1 < head.size()) << limit;
    EXPECT_EQ(rules.allows("/bcd"), limit + 1 < head.size() + tail.size()) << limit;
    EXPECT_TRUE(rules.allows("/b")) << "half a line was read at " << limit;
  }
  std::string large = "User-agent: *\n";
  while (large.size() < 499 * 1024) large += "# a comment\n";
  EXPECT_FALSE(open(large + "Disallow: /a\n", "/a"));
  while (large.size() < Robots::kLimit) large += "# a comment\n";
  EXPECT_TRUE(open(large + "Disallow: /a\n", "/a"));
}

TEST(RobotsRules, a_verdict_names_the_rule_and_its_line) {
  const RobotsRules rules = Robots::parse(
                                "# a comment\r\nUser-agent: *\r\n\r\nDisallow: /a # no\r\n"
                                "Disallow: /a\r\nAllow: /a/index.html\r\nAllow: /\xC3\xA4$\r\n")
                                .rules_for("dowser");
  EXPECT_EQ(rules.check("/ab").rule, "Disallow: /a");
  EXPECT_EQ(rules.check("/ab").line, 4u);
  EXPECT_EQ(rules.check("/a/").rule, "Allow: /a/index.html");
  EXPECT_EQ(rules.check("/a/").line, 6u);
  EXPECT_EQ(rules.check("/%C3%A4").rule, "Allow: /%C3%A4$");
  EXPECT_EQ(rules.check("/b").rule, "");
  EXPECT_EQ(rules.check("/b").line, 0u);
}

TEST(RobotsRules, the_crawl_delay_is_that_of_the_group) {
  const Robots robots = Robots::parse(
      "Crawl-delay: 99\nUser-agent: *\nCrawl-delay: 10\n\nUser-agent: dowser\ncrawl-delay: .5 # s\n"
      "\nUser-agent: quick\nDisallow: /a\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: 1e300\n"
      "\nUser-agent: twice\nDisallow:\nCrawl-delay: 7\nCrawl-delay: 3\n");
  EXPECT_EQ(robots.crawl_delay("dowser"), Duration(500ms));
  EXPECT_EQ(robots.crawl_delay("other"), Duration(10s));
  EXPECT_EQ(robots.crawl_delay("quick"), std::nullopt);
  EXPECT_EQ(robots.crawl_delay("twice"), Duration(7s));
  EXPECT_EQ(RobotsRules().crawl_delay(), std::nullopt);
}

TEST(Robots, sitemaps_are_those_of_the_whole_file) {
  const Robots robots = Robots::parse(
      "Sitemap: http://a/1.xml\nUser-agent: x\nSitemap:http://a/2.xml?b=c\nsite-map: /3.xml # d\n");
  EXPECT_EQ(robots.sitemaps(),
            (std::vector<std::string_view>{"http://a/1.xml", "http://a/2.xml?b=c", "/3.xml"}));
}

TEST(RobotsRules, rules_outlive_the_file_and_are_small) {
  RobotsRules rules;
  {
    std::string text = "User-agent: *\nDisallow: /abcdefghijklmnopqrstuvwxyz\n";
    rules = Robots::parse(text).rules_for("dowser");
    text.assign(text.size(), 'x');
  }
  EXPECT_FALSE(rules.allows("/abcdefghijklmnopqrstuvwxyz/1"));
  EXPECT_LT(rules.memory(), 200u);
  EXPECT_EQ(RobotsRules().memory(), sizeof(RobotsRules));
}

}  // namespace
}  // namespace dowser
