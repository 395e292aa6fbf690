#include "mine/usage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/compress.h"
#include "base/file.h"
#include "mine/agent.h"
#include "mine/referrer.h"
#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

constexpr std::string_view kFirefox = "Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/38.0";

// A line of a log at 10:00:00 and so many seconds.
struct Line {
  int seconds = 0;
  std::string target = "/";
  std::string referrer = "-";
  std::string host = "1.2.3.4";
  std::string agent = std::string(kFirefox);
  int status = 200;
  std::string method = "GET", zone = "+0000", user = "-";
  std::string cookie;
};

std::string text(const Line& l) {
  std::string line = fmt::format(
      "{} - {} [17/May/2015:{:02}:{:02}:{:02} {}] \"{} {} HTTP/1.1\" {} 100 \"{}\" \"{}\"", l.host,
      l.user, 10 + l.seconds / 3600, l.seconds / 60 % 60, l.seconds % 60, l.zone, l.method,
      l.target, l.status, l.referrer, l.agent);
  if (!l.cookie.empty()) line += fmt::format(" \"{}\"", l.cookie);
  return line + "\n";
}

std::string from(std::string_view page) { return fmt::format("http://example.org{}", page); }

class Usage : public testing::Test {
 protected:
  Usage() {
    options_.sites = {"example.org"};
    options_.rules.stay = 600;
  }

  void log(const std::vector<Line>& lines, const std::string& name = "log", int64_t offset = 0) {
    std::string all;
    for (const Line& line : lines) all += text(line);
    write(all, name, offset);
  }
  void write(const std::string& bytes, const std::string& name = "log", int64_t offset = 0) {
    ASSERT_TRUE(put_file(folder_ / name, bytes).ok());
    options_.logs.push_back({folder_ / name, offset});
  }

  UsageResult mine() {
    paths_.clear();
    UsageOutput output;
    output.database = folder_.path() / "usage.sqlite";
    output.session = [&](const UsageSession& session, const HitCounter& hits, const std::string&) {
      std::string path;
      for (const SessionView& view : session.views) {
        path += fmt::format("{}{}{}", path.empty() ? "" : " ", hits.pages().name(view.page),
                            view.inferred ? "*" : "");
      }
      paths_.push_back(path);
      return Status{};
    };
    auto run = mine_usage(options_, output, keep_going);
    EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
    if (!run.ok() || !*run) return {};
    warnings_ = (*run)->warnings;
    std::sort(paths_.begin(), paths_.end());
    return (*run)->result;
  }

  std::string error() {
    const auto run = mine_usage(options_, {}, keep_going);
    return run.ok() ? "" : run.error().message;
  }

  int64_t sql(const std::string& query) {
    Result<Database> database = Database::open(folder_.path() / "usage.sqlite");
    EXPECT_TRUE(database.ok());
    Result<Statement> statement = database->prepare(query);
    EXPECT_TRUE(statement.ok()) << query;
    const Result<bool> row = statement->step();
    return row.ok() && *row ? statement->integer(0) : -1;
  }

  static uint64_t count(const UsageResult& result, std::string_view table, std::string_view name) {
    for (const UsageCount& row : result.table(table)->rows) {
      if (row.name == name) return row.count;
    }
    return 0;
  }

  TempDir folder_;
  UsageOptions options_;
  std::vector<std::string> paths_, warnings_;
};

TEST_F(Usage, counts_hits_by_what_became_of_them) {
  log({{0, "/"},
       {1, "/style.css", from("/")},
       {2, "/a", from("/"), "1.2.3.4", std::string(kFirefox), 304},
       {3, "/old", from("/a"), "1.2.3.4", std::string(kFirefox), 301},
       {4, "/none", from("/a"), "1.2.3.4", std::string(kFirefox), 404},
       {5, "/secret", "-", "6.6.6.6", std::string(kFirefox), 401},
       {6, "/crash", "-", "6.6.6.6", std::string(kFirefox), 500},
       {7, "/a", "-", "7.7.7.7", "Googlebot/2.1"},
       {8, "/a", from("/"), "1.2.3.4", std::string(kFirefox), 200, "HEAD"}});
  const UsageResult r = mine();
  EXPECT_EQ(r.all.hits, 9u);
  EXPECT_EQ(r.all.bytes, 900u);
  EXPECT_EQ(r.successful, 4u);
  EXPECT_EQ(r.cached, 1u);
  EXPECT_EQ(r.redirected, 1u);
  EXPECT_EQ(r.failed, 3u);
  EXPECT_EQ(r.not_found, 1u);
  EXPECT_EQ(r.server_errors, 1u);
  EXPECT_EQ(r.cleaned.assets, 1u);
  EXPECT_EQ(r.cleaned.errors, 3u);
  EXPECT_EQ(r.cleaned.redirects, 1u);
  EXPECT_EQ(r.cleaned.robot_agents, 1u);
  EXPECT_EQ(r.cleaned.other, 1u);
  EXPECT_EQ(r.views, 2u);
  EXPECT_EQ(count(r, "not_found", "/none"), 1u);
  EXPECT_EQ(count(r, "unauthorised", "/secret"), 1u);
  EXPECT_EQ(count(r, "unauthorised_hosts", "6.6.6.6"), 1u);
  EXPECT_EQ(count(r, "server_errors", "/crash"), 1u);
  EXPECT_EQ(count(r, "statuses", "200"), 4u);
  EXPECT_EQ(count(r, "methods", "HEAD"), 1u);
  EXPECT_EQ(count(r, "robots", "Googlebot"), 1u);
  EXPECT_EQ(paths_, std::vector<std::string>{"/ /a"});
  EXPECT_EQ(sql("SELECT COUNT(*) FROM views"), 2);
}

TEST_F(Usage, each_kind_of_cleaning_can_be_switched_off) {
  const std::vector<Line> lines = {{0, "/"},
                                   {5, "/style.css", from("/")},
                                   {20, "/none", "-", "1.2.3.4", std::string(kFirefox), 404},
                                   {30, "/b", "-", "7.7.7.7", "Googlebot/2.1"},
                                   {40, "/robots.txt", "-", "8.8.8.8"},
                                   {41, "/c", "-", "8.8.8.8"}};
  log(lines);
  EXPECT_EQ(mine().views, 1u);
  EXPECT_EQ(mine().robot_sessions, 1u);
  options_.keep.assets = true;
  EXPECT_EQ(mine().views, 2u);
  options_.keep.errors = true;
  EXPECT_EQ(mine().views, 3u);
  options_.keep.robot_agents = true;
  EXPECT_EQ(mine().views, 4u);
  options_.keep.robot_behaviour = true;
  EXPECT_EQ(mine().views, 5u);
}

TEST_F(Usage, who_reads_ten_pages_without_pictures_and_referrers_is_a_robot) {
  std::vector<Line> lines = {{0, "/logo.png", from("/"), "9.9.9.9"}};
  for (int i = 0; i < 10; ++i) lines.push_back({i * 30, fmt::format("/{}", i)});
  for (int i = 0; i < 10; ++i) {
    lines.push_back(
        {i * 30, fmt::format("/{}", i), i ? from(fmt::format("/{}", i - 1)) : "-", "5.5.5.5"});
  }
  for (int i = 0; i < 25; ++i)
    lines.push_back({400 + i / 2, fmt::format("/{}", i), from("/"), "4.4.4.4"});
  log(lines);
  const UsageResult r = mine();
  EXPECT_EQ(r.robot_sessions, 2u);
  EXPECT_EQ(r.sessions, 1u);
  ASSERT_EQ(r.robot_reasons.size(), 2u);
}

TEST_F(Usage, logs_of_several_servers_are_merged_by_time_zone_and_offset) {
  // The second server's clock is two minutes fast and in another zone.
  log({{0, "/a"}, {100, "/c", from("/b")}}, "one.log");
  log({{3600 + 170, "/b", from("/a"), "1.2.3.4", std::string(kFirefox), 200, "GET", "+0100"}},
      "two.log", -120);
  const UsageResult r = mine();
  EXPECT_EQ(paths_, std::vector<std::string>{"/a /b /c"});
  ASSERT_EQ(r.logs.size(), 2u);
  EXPECT_EQ(r.last - r.first, 100);
}

TEST_F(Usage, lines_out_of_order_within_the_window_are_put_right) {
  log({{0, "/a"}, {50, "/c", from("/b")}, {30, "/b", from("/a")}, {80, "/d", from("/c")}});
  EXPECT_EQ(mine().logs[0].late, 0u);
  EXPECT_EQ(paths_, std::vector<std::string>{"/a /b /c /d"});
}

TEST_F(Usage, lines_far_out_of_order_are_counted_and_said) {
  std::vector<Line> lines;
  for (int i = 0; i < 2000; ++i) lines.push_back({7200 + i, "/x", "-", fmt::format("h{}", i % 50)});
  lines.push_back({0, "/late"});
  lines.push_back({20, "/later", from("/late")});
  log(lines);
  const UsageResult r = mine();
  EXPECT_EQ(r.logs[0].late, 2u);
  EXPECT_NE(warnings_.at(0).find("out of order"), std::string::npos);
  EXPECT_NE(std::find(paths_.begin(), paths_.end(), "/late /later"), paths_.end());
}

// A log with a new visitor in every line must not fill the memory.
TEST_F(Usage, visitors_that_have_been_away_the_longest_are_counted_and_forgotten) {
  std::vector<Line> lines;
  for (int i = 0; i < 300; ++i) {
    Line line;
    line.seconds = i * 60;
    line.target = fmt::format("/page{}", i % 7);
    line.host = fmt::format("10.0.{}.{}", i / 200, i % 200 + 1);
    lines.push_back(line);
  }
  log(lines);
  const UsageResult all = mine();
  EXPECT_EQ(all.users, 300u);
  EXPECT_FALSE(all.tables_full);
  options_.most_visitors = 40;
  const UsageResult few = mine();
  EXPECT_EQ(few.users, 300u) << "they came only once";
  EXPECT_EQ(few.sessions, all.sessions);
  EXPECT_EQ(few.views, all.views);
  EXPECT_TRUE(few.tables_full);
  const auto browsers = [](const UsageResult& r) {
    for (const UsageTable& table : r.tables) {
      if (table.key == "browsers") return table.rows.at(0).count;
    }
    return uint64_t{0};
  };
  EXPECT_EQ(browsers(few), 300u);
}

TEST_F(Usage, a_cookie_or_a_name_tells_visitors_apart_else_address_and_agent) {
  options_.format = "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\" \"%{Cookie}i\"";
  options_.cookie = "id";
  const std::string agent(kFirefox);
  log({{0, "/a", "-", "1.1.1.1", agent, 200, "GET", "+0000", "-", "x=1; id=ann"},
       {10, "/b", from("/a"), "2.2.2.2", agent, 200, "GET", "+0000", "-", "id=ann; x=2"},
       {12, "/m", "-", "1.1.1.1", agent, 200, "GET", "+0000", "bob", "-"},
       {14, "/n", from("/m"), "3.3.3.3", agent, 200, "GET", "+0000", "bob", "-"},
       {16, "/p", "-", "1.1.1.1", agent, 200, "GET", "+0000", "-", "-"},
       {18, "/q", "-", "1.1.1.1", "Opera", 200, "GET", "+0000", "-", "-"}});
  const UsageResult r = mine();
  EXPECT_EQ(paths_, (std::vector<std::string>{"/a /b", "/m /n", "/p", "/q"}));
  EXPECT_EQ(r.users, 4u);
  EXPECT_EQ(r.identified_users, 2u);
}

TEST_F(Usage, addresses_of_one_page_and_named_views_are_one_page) {
  options_.pages.views = {{"/product/*", "product"}};
  log({{0, "/a/index.html"},
       {20, "/a/?utm_source=mail", from("/a/index.html")},
       {40, "/product/1", from("/a/")},
       {60, "/product/2?x=1", from("/product/1")},
       {80, "/b", from("/product/2?x=1")}});
  const UsageResult r = mine();
  EXPECT_EQ(paths_, std::vector<std::string>{"/a/ /a/ product product /b"});
  EXPECT_EQ(r.pages.size(), 3u);
}

TEST_F(Usage, events_are_counted_with_what_came_before_them) {
  options_.pages.events = {{"/order/done*", "buy"}, {"/cart", "cart"}};
  log({{0, "/", "http://www.google.com/search?q=red+shoes"},
       {20, "/cart", from("/")},
       {50, "/order/done?id=1", from("/cart")},
       {0, "/", "-", "2.2.2.2"},
       {30, "/cart", from("/"), "2.2.2.2"},
       {0, "/x", "-", "3.3.3.3"}});
  const UsageResult r = mine();
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_EQ(r.events[0].name, "buy");
  EXPECT_EQ(r.events[0].tally.sessions, 1u);
  EXPECT_EQ(r.events[0].tally.views_before, 2u);
  EXPECT_EQ(r.events[0].tally.seconds_before, 50u);
  EXPECT_EQ(r.events[1].tally.sessions, 2u);
  EXPECT_EQ(r.sources.at("search engines").converted[0], 1u);
  EXPECT_EQ(r.sources.at("direct").sessions, 2u);
  EXPECT_EQ(count(r, "search_engines", "Google"), 1u);
  EXPECT_EQ(count(r, "keywords", "red shoes"), 1u);
  EXPECT_EQ(sql("SELECT converted FROM conversion WHERE event='cart' AND source='direct'"), 1);
}

TEST_F(Usage, page_statistics_follow_the_sessions) {
  log({{0, "/"}, {30, "/a", from("/")}, {90, "/b", from("/a")}, {0, "/a", "-", "2.2.2.2"}});
  const UsageResult r = mine();
  EXPECT_DOUBLE_EQ(r.mean_view_seconds, 45);
  EXPECT_DOUBLE_EQ(r.mean_views, 2);
  EXPECT_EQ(r.single, 1u);
  for (const UsagePage& page : r.pages) {
    if (page.name != "/a") continue;
    EXPECT_EQ(page.tally.views, 2u);
    EXPECT_EQ(page.tally.entries, 1u);
    EXPECT_EQ(page.tally.exits, 1u);
    EXPECT_EQ(page.tally.single, 1u);
    EXPECT_EQ(page.tally.seconds, 60u);
    EXPECT_EQ(page.tally.timed, 1u);
    EXPECT_EQ(page.url, "http://example.org/a");
  }
  EXPECT_EQ(sql("SELECT COUNT(*) FROM sessions"), 2);
  EXPECT_EQ(sql("SELECT seconds FROM sessions WHERE views = 3"), 90);
  EXPECT_EQ(sql("SELECT views FROM pages WHERE name = '/a'"), 2);
  EXPECT_EQ(sql("SELECT CAST(value AS INTEGER) FROM totals WHERE name = 'hits'"), 4);
}

TEST_F(Usage, the_site_is_told_from_the_referrers_where_nobody_names_it) {
  options_.sites.clear();
  std::vector<Line> lines;
  for (int i = 0; i < 20; ++i) {
    lines.push_back({i * 10, "/p", "http://elsewhere.net/links.html"});
    lines.push_back({i * 10 + 1, "/pic.png", "https://www.example.org/p"});
  }
  log(lines);
  const UsageResult r = mine();
  EXPECT_EQ(r.site, "https://www.example.org");
  EXPECT_TRUE(r.site_guessed);
  EXPECT_EQ(count(r, "referring_sites", "elsewhere.net"), 20u);
}

TEST_F(Usage, patterns_are_those_of_the_sessions) {
  std::vector<Line> lines;
  for (int i = 0; i < 10; ++i) {
    const std::string host = fmt::format("h{}", i);
    lines.push_back({i * 100, "/", "-", host});
    lines.push_back({i * 100 + 20, "/a", from("/"), host});
    lines.push_back({i * 100 + 40, i % 2 ? "/b" : "/c", from("/a"), host});
  }
  log(lines);
  options_.patterns.support = 4;
  const UsageResult r = mine();
  EXPECT_EQ(r.patterns.sessions, 10u);
  ASSERT_FALSE(r.patterns.sets.empty());
  EXPECT_EQ(r.patterns.sets[0].support, 10u);
  ASSERT_EQ(r.patterns.paths.size(), 2u);
  EXPECT_EQ(r.patterns.paths[0].support, 5u);
  EXPECT_GT(sql("SELECT COUNT(*) FROM patterns WHERE kind = 'rule'"), 0);
}

TEST_F(Usage, damaged_lines_are_counted_and_named) {
  const std::string good = text({0, "/a"});
  write(good + "rubbish\n" + good.substr(0, good.find(" 100 ") + 4) + "\n" + good);
  const UsageResult r = mine();
  EXPECT_EQ(r.all.hits, 3u);
  EXPECT_EQ(r.logs[0].lines, 4u);
  EXPECT_EQ(r.logs[0].cut, 1u);
  EXPECT_EQ(r.logs[0].broken, 1u);
  EXPECT_NE(warnings_.at(0).find("rubbish"), std::string::npos);
}

TEST_F(Usage, a_log_without_a_line_that_can_be_read_is_an_error) {
  write("no log\n");
  EXPECT_NE(error().find("give --format"), std::string::npos);
  options_.format = "common";
  EXPECT_NE(error().find("no line in the format"), std::string::npos);
  options_ = {};
  write("", "empty");
  EXPECT_NE(error().find("has no lines"), std::string::npos);
}

TEST_F(Usage, a_stop_leaves_no_file) {
  std::vector<Line> lines;
  for (int i = 0; i < 3000; ++i) lines.push_back({i, "/x"});
  log(lines);
  UsageOutput output;
  output.database = folder_.path() / "usage.sqlite";
  int calls = 0;
  const auto run = mine_usage(options_, output, [&](const Progress&) { return ++calls < 2; });
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(run->has_value());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "usage.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "usage.sqlite.new"));
}

TEST(Agent, browsers_systems_and_robots_are_known) {
  struct Row {
    std::string_view header, browser, system;
    bool robot;
  };
  for (const Row& row : std::vector<Row>{
           {"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0 "
            "Safari/537.36",
            "Chrome", "Windows", false},
           {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9) AppleWebKit/537 (KHTML, like Gecko) "
            "Version/7.0 Safari/537",
            "Safari", "macOS", false},
           {"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/90 Safari/537 Edg/90", "Edge",
            "Windows", false},
           {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1)", "Internet Explorer", "Windows",
            false},
           {"Mozilla/5.0 (iPhone; CPU iPhone OS 6_0) AppleWebKit/536 (KHTML, like Gecko) "
            "Mobile/10A5376e Safari/8536 (compatible; Googlebot/2.1)",
            "Googlebot", "iOS", true},
           {"curl/7.26", "Program", "Other", true},
           {"UniversalFeedParser/4.2", "Feed reader", "Other", true},
           {"", "Other", "Other", false}}) {
    const Agent agent = read_agent(row.header);
    EXPECT_EQ(agent.browser, row.browser) << row.header;
    EXPECT_EQ(agent.system, row.system) << row.header;
    EXPECT_EQ(agent.robot, row.robot) << row.header;
  }
}

TEST(Referrer, search_engines_tell_what_was_searched_for) {
  const Referrer google =
      read_referrer("https://www.google.co.uk/search?hl=en&q=hello%20w%C3%B6rld");
  EXPECT_EQ(google.engine, "Google");
  EXPECT_EQ(google.keywords, "hello wörld");
  EXPECT_EQ(google.site, "google.co.uk");
  EXPECT_EQ(read_referrer("http://search.yahoo.com/search?p=a+b").keywords, "a b");
  EXPECT_EQ(read_referrer("http://notgoogle.example/?q=x").engine, "");
  EXPECT_EQ(read_referrer("http://yandex.ru/?text=%FF").keywords, "\xEF\xBF\xBD");
  EXPECT_FALSE(read_referrer("-").is_address);
  EXPECT_FALSE(read_referrer("http://").is_address);
  EXPECT_EQ(read_referrer("HTTP").site, "");
}

}  // namespace
}  // namespace dowser
