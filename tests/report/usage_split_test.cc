#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "mine/usage.h"
#include "report/usage_report.h"
#include "tests/support.h"

// However the lines of a log are distributed over files, the figures are the same.

namespace dowser {
namespace {

constexpr int64_t kMorning = 10 * 3600;
// Ten thousand cases, in parts that can run beside each other.
constexpr int kParts = 5, kLogs = 200, kSplitsOfALog = 10;

// A line with the time at which the server wrote it, which is when the request ended.
struct WrittenLine {
  int64_t written = 0;
  std::string text;
};

std::string line_at(int64_t time, std::string_view host, std::string_view target, int status,
                    std::string_view referrer, std::string_view agent) {
  const int64_t t = kMorning + time;
  return fmt::format(
      "{} - - [17/May/2015:{:02}:{:02}:{:02} +0000] \"GET {} HTTP/1.1\" {} 100 \"{}\" \"{}\"\n",
      host, t / 3600, t / 60 % 60, t % 60, target, status, referrer, agent);
}

// A few visitors of a site of a few pages, some of them robots, many requests in the same second.
std::vector<WrittenLine> made_log(Random& random) {
  static constexpr std::string_view kTargets[] = {"/",          "/index.html", "/a",
                                                  "/a?x=1&y=2", "/a?y=2&x=1",  "/b",
                                                  "/c/",        "/style.css",  "/robots.txt"};
  static constexpr std::string_view kReferrers[] = {"-", "http://example.org/",
                                                    "http://example.org/a", "http://example.org/b",
                                                    "http://www.google.com/search?q=owls"};
  static constexpr std::string_view kAgents[] = {"Firefox/38.0", "Opera/9", "Googlebot/2.1"};
  std::vector<WrittenLine> log;
  int64_t time = 0;
  for (size_t i = 0, n = 5 + random.below(60); i < n; ++i) {
    if (random.below(2)) time += static_cast<int64_t>(random.below(random.below(8) ? 20 : 1500));
    const std::string host = fmt::format("1.2.3.{}", random.below(3));
    const std::string_view target = kTargets[random.below(random.below(6) ? 7 : 9)];
    const int status = random.below(10) ? 200 : 404;
    log.push_back({time + static_cast<int64_t>(random.below(50)),
                   line_at(time, host, target, status, kReferrers[random.below(5)],
                           kAgents[random.below(random.below(9) ? 2 : 3)])});
  }
  std::stable_sort(log.begin(), log.end(), [](const WrittenLine& a, const WrittenLine& b) {
    return a.written < b.written;
  });
  return log;
}

class UsageOfSplitLogs : public testing::Test {
 protected:
  // Everything that is shown, and the sessions.
  std::string figures(const std::vector<std::string>& files) {
    UsageOptions options = options_;
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].empty()) continue;
      const std::string path = folder_ / fmt::format("log{}", i);
      std::ofstream(path) << files[i];  // put_file() would wait for the disk ten thousand times
      options.logs.push_back({path, 0});
    }
    std::string sessions;
    UsageOutput output;
    output.session = [&](const UsageSession& session, const HitCounter& hits, const std::string&) {
      sessions += fmt::format("{}:", session.start());
      for (const SessionView& view : session.views) sessions += hits.pages().name(view.page) + " ";
      return Status{};
    };
    const auto run = mine_usage(options, output, keep_going);
    if (!run.ok() || !*run) return "";
    nlohmann::json shown = nlohmann::json::parse(usage_json((*run)->result, 1));
    shown.erase("logs");
    return shown.dump() + "\n" + sessions;
  }

  TempDir folder_;
  UsageOptions options_;
};

class UsageOfManySplits : public UsageOfSplitLogs, public testing::WithParamInterface<int> {};

TEST_P(UsageOfManySplits, the_figures_are_the_same_for_two_thousand_splits) {
  Random random(static_cast<uint64_t>(35 + GetParam()));
  for (int i = 0; i < kLogs; ++i) {
    const std::vector<WrittenLine> log = made_log(random);
    options_ = {};
    if (i % 2 == 0) options_.sites = {"example.org"};
    options_.rules.stay = i % 3 == 0 ? std::nullopt : std::optional<int64_t>(600);
    if (i % 3 == 0) options_.rules.referrer = 10;
    options_.patterns.clusters = i % 10 == 0 ? 2 : 0;
    std::string whole;
    for (const WrittenLine& line : log) whole += line.text;
    const std::string expected = figures({whole});
    ASSERT_FALSE(expected.empty());
    for (int split = 0; split < kSplitsOfALog; ++split) {
      const size_t files = 2 + random.below(4);
      std::vector<std::string> parts(files);
      // One piece after the other, or each line anywhere; the files in any order.
      const bool in_pieces = split % 2 == 0;
      const size_t shift = random.below(files);
      for (size_t k = 0; k < log.size(); ++k) {
        const size_t part =
            in_pieces ? (k * files / log.size() + shift) % files : random.below(files);
        parts[part] += log[k].text;
      }
      ASSERT_EQ(figures(parts), expected) << "log " << i << ":\n" << whole;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, UsageOfManySplits, testing::Range(0, kParts));

TEST_F(UsageOfSplitLogs, robots_txt_counts_if_it_was_asked_for_before_the_session_ended) {
  const auto visit = [](int64_t robots_txt) {
    std::string log;
    for (int64_t time : {0, 60, 120}) {
      log += line_at(time, "1.2.3.4", fmt::format("/{}", time), 200, "-", "Firefox/38.0");
    }
    return std::pair(log, line_at(robots_txt, "1.2.3.4", "/robots.txt", 200, "-", "Firefox/38.0"));
  };
  options_.rules.stay = 600;
  const auto robots = [&](const std::string& shown) {
    return nlohmann::json::parse(shown.substr(0, shown.find('\n')))["robot_sessions"].get<int>();
  };
  for (const auto& [time, count] : {std::pair<int64_t, int>{90, 1}, {130, 0}, {3600, 0}}) {
    const auto [pages, asked] = visit(time);
    EXPECT_EQ(robots(figures({pages + asked})), count) << time;
    EXPECT_EQ(robots(figures({pages, asked})), count) << time;
    EXPECT_EQ(robots(figures({asked, pages})), count) << time;
  }
}

TEST_F(UsageOfSplitLogs, the_shown_form_of_an_address_does_not_depend_on_the_order) {
  const auto log = [](std::string_view first, std::string_view second) {
    return line_at(0, "1.2.3.4", first, 200, "-", "Firefox/38.0") +
           line_at(5, "1.2.3.4", second, 200, "-", "Firefox/38.0");
  };
  options_.rules.stay = 600;
  options_.sites = {"example.org"};
  for (const std::string& whole : {log("/index.html", "/"), log("/", "/index.html")}) {
    const std::string shown = figures({whole});
    EXPECT_NE(shown.find(":/ / "), std::string::npos) << shown;
  }
}

}  // namespace
}  // namespace dowser
