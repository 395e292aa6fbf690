#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "base/clock.h"
#include "base/compress.h"
#include "base/file.h"
#include "mine/usage.h"
#include "tests/support.h"

// Sessions of people (Wikispeedia, West and Leskovec 2012) written as the log that a server would
// have of them, mined again, and compared with what the people did. Times of single clicks are not
// known: they are spread evenly over a session.

namespace dowser {
namespace {

constexpr std::string_view kSite = "http://schools-wikipedia.org";

struct TrueSession {
  std::string user;
  int64_t started = 0, seconds = 0;
  std::vector<std::string> path;  // what the person saw, as paths, without backs at the end
  bool second_click = false, ends_with_back = false;
  struct Request {
    std::string page, referrer;
    size_t click = 0;
  };
  std::vector<Request> requests;
  size_t clicks = 0;
};

TrueSession read_session(const std::string& line) {
  std::istringstream columns(line);
  TrueSession session;
  std::string started, seconds, goal, clicks;
  std::getline(columns, session.user, '\t');
  std::getline(columns, started, '\t');
  std::getline(columns, seconds, '\t');
  std::getline(columns, goal, '\t');
  std::getline(columns, clicks, '\t');
  session.started = std::stoll(started);
  session.seconds = std::stoll(seconds);
  std::vector<std::string> history;
  std::set<std::string> seen;
  size_t backs = 0;
  std::istringstream words(clicks);
  for (std::string word; words >> word; ++session.clicks) {
    if (word == "<") {
      if (history.size() > 1) history.pop_back();
      session.path.push_back(history.back());
      ++backs;
      continue;
    }
    const std::string page = word.substr(kSite.size());
    session.path.push_back(page);
    if (seen.insert(page).second) {
      session.requests.push_back({page, history.empty() ? "" : history.back(), session.clicks});
      backs = 0;
    } else {
      session.second_click = true;
    }
    history.push_back(page);
  }
  session.ends_with_back = backs > 0;
  session.path.resize(session.path.size() - backs);
  return session;
}

std::string log_line(const std::string& host, int64_t time, const std::string& page,
                     const std::string& referrer) {
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string iso = to_iso8601(Time{time * 1'000'000});
  return fmt::format("{} - - [{}/{}/{}:{} +0000] \"GET {} HTTP/1.1\" 200 1000 \"{}\" \"Firefox\"\n",
                     host, iso.substr(8, 2), kMonths[std::stoi(iso.substr(5, 2)) - 1],
                     iso.substr(0, 4), iso.substr(11, 8), page,
                     referrer.empty() ? "-" : std::string(kSite) + referrer);
}

class RestoredSessions : public testing::Test {
 protected:
  void SetUp() override {
    const auto file = test_data("schools-sessions.tsv.gz");
    if (!file) GTEST_SKIP() << kNoData;
    const auto packed = read_file(*file);
    const auto text = gunzip_member(*packed, 100 << 20);
    ASSERT_TRUE(text.ok());
    std::istringstream lines(text->bytes);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) truth_.push_back(read_session(line));
    options_.sites = {"schools-wikipedia.org"};
    options_.keep.robot_behaviour = true;
    options_.patterns.clusters = 0;
    options_.patterns.support = 1'000'000;
  }

  // What the log shows of a session: the host it comes from is a name for the session, or for the
  // person.
  void write_log(bool host_per_session) {
    std::multimap<int64_t, std::string> lines;
    for (size_t i = 0; i < truth_.size(); ++i) {
      const TrueSession& session = truth_[i];
      const std::string host = host_per_session ? fmt::format("s{}", i) : session.user;
      const double step = std::max(
          2.0, static_cast<double>(session.seconds) / static_cast<double>(session.clicks + 1));
      for (const auto& request : session.requests) {
        const int64_t time =
            session.started + static_cast<int64_t>(step * static_cast<double>(request.click));
        lines.emplace(time, log_line(host, time, request.page, request.referrer));
      }
    }
    std::string all;
    for (const auto& [time, line] : lines) all += line;
    ASSERT_TRUE(put_file(folder_ / "log", all).ok());
    options_.logs = {{folder_ / "log", 0}};
  }

  struct Mined {
    std::string host;
    int64_t start = 0;
    std::vector<std::string> path, requests;
  };

  std::vector<Mined> mine(SessionRules rules) {
    options_.rules = rules;
    std::vector<Mined> mined;
    UsageOutput output;
    output.session = [&](const UsageSession& session, const HitCounter& hits, const std::string&) {
      Mined one{std::string(hits.hosts.text(hits.users.at(session.looks_like).host)),
                session.start(),
                {},
                {}};
      for (const SessionView& view : session.views) {
        one.path.push_back(hits.pages().name(view.page));
        if (!view.inferred) one.requests.push_back(one.path.back());
      }
      mined.push_back(std::move(one));
      return Status{};
    };
    const auto run = mine_usage(options_, output, keep_going);
    EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
    return mined;
  }

  TempDir folder_;
  UsageOptions options_;
  std::vector<TrueSession> truth_;
};

TEST_F(RestoredSessions, with_their_bounds_given_are_complete_again) {
  write_log(true);
  size_t restored = 0, expected = 0, with_second_click = 0, ending_with_back = 0;
  const std::vector<Mined> mined = mine({{}, {}, 10});
  EXPECT_EQ(mined.size(), truth_.size());
  for (const Mined& one : mined) {
    const TrueSession& session = truth_[std::stoul(one.host.substr(1))];
    const bool same = one.path == session.path;
    if (session.second_click) {
      with_second_click += same;
      continue;
    }
    ++expected;
    restored += same;
    ending_with_back += session.ends_with_back;
  }
  EXPECT_EQ(expected, 12'542u);
  EXPECT_EQ(restored, expected);
  std::printf(
      "restored %zu of %zu without a second click (%zu of them but for a back at the end, which no "
      "log shows), and %zu of the %zu with one\n",
      restored, expected, ending_with_back, with_second_click, truth_.size() - expected);
}

TEST_F(RestoredSessions, of_one_person_are_cut_apart_by_each_rule) {
  write_log(false);
  // A bound is a moment at which a person begins a session; the first of a person is no find.
  std::map<std::string, std::set<int64_t>> begins;
  std::map<std::pair<std::string, int64_t>, std::vector<std::string>> whole;
  size_t bounds = 0;
  for (const TrueSession& session : truth_) {
    bounds += !begins[session.user].empty() && !begins[session.user].contains(session.started);
    begins[session.user].insert(session.started);
    for (const auto& request : session.requests) {
      whole[{session.user, session.started}].push_back(request.page);
    }
  }
  const std::pair<const char*, SessionRules> kRules[] = {{"total=30m", {1800, {}, {}}},
                                                         {"stay=10m", {{}, 600, {}}},
                                                         {"referrer=10s", {{}, {}, 10}},
                                                         {"all three", {1800, 600, 10}}};
  std::map<std::string, double> share;
  for (const auto& [name, rules] : kRules) {
    std::map<std::string, std::set<int64_t>> found;
    size_t exact = 0, sessions = 0;
    for (const Mined& one : mine(rules)) {
      found[one.host].insert(one.start);
      ++sessions;
      const auto it = whole.find({one.host, one.start});
      exact += it != whole.end() && it->second == one.requests;
    }
    size_t right = 0, wrong = 0;
    for (const auto& [host, starts] : found) {
      for (const int64_t start : starts) {
        if (start == *begins[host].begin()) continue;
        begins[host].contains(start) ? ++right : ++wrong;
      }
    }
    share[name] = static_cast<double>(right) / static_cast<double>(bounds);
    std::printf("%-13s finds %zu of %zu bounds and %zu that are none; %zu of %zu sessions exact\n",
                name, right, bounds, wrong, exact, truth_.size());
  }
  EXPECT_GT(share["referrer=10s"], 0.94);
  EXPECT_GT(share["stay=10m"], 0.46);
  EXPECT_GT(share["total=30m"], 0.42);
}

}  // namespace
}  // namespace dowser
