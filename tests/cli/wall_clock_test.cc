#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/file.h"
#include "tests/hostile/hostile_web.h"
#include "tests/support.h"

// Crawls whose wall clock is set forward and back while they run: see tests/wall_clock.cc.

namespace dowser {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // the sanitizer's runtime must be loaded first
#else
constexpr bool kSanitized = false;
#endif

class WallClock : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer does not go with LD_PRELOAD";
    HostileOptions options;
    options.good_pages = 60;
    options.good_hosts = 3;
    options.exhibits = false;
    auto web = HostileWeb::start(options);
    ASSERT_TRUE(web.ok()) << web.error().message;
    web_ = std::move(*web);
    shift(0s);
    preload();
  }
  void TearDown() override { no_preload(); }

  void preload() const {
    setenv("DOWSER_WALL_CLOCK", (dir_ / "clock").c_str(), 1);
    setenv("LD_PRELOAD", (dowser_program().parent_path() / "wall_clock.so").c_str(), 1);
  }

  static void no_preload() {
    unsetenv("LD_PRELOAD");
    unsetenv("DOWSER_WALL_CLOCK");
  }

  // In place: the program has the file in its memory.
  void shift(std::chrono::microseconds by) {
    const int64_t micros = by.count();
    std::fstream file(dir_ / "clock", std::ios::binary | std::ios::in | std::ios::out);
    if (!file) file.open(dir_ / "clock", std::ios::binary | std::ios::out);
    file.write(reinterpret_cast<const char*>(&micros), sizeof micros);
  }

  // How far apart two requests are when a busy server notices them says nothing; how many fit into
  // the time since `start_` does.
  void expect_delays_kept(Duration delay) const {
    const auto took = std::chrono::steady_clock::now() - start_;
    for (const auto& [host, traffic] : traffic_by_host(web_->log())) {
      EXPECT_LE((traffic.requests - 1) * delay, took) << host;
    }
  }

  std::unique_ptr<DowserProcess> crawl(std::vector<std::string> more) {
    std::vector<std::string> all = {"crawl",      "--seed",     web_->start_url(),
                                    "--topic",    "lighthouse", "--out",
                                    dir_ / "out", "--json",     "--resolve"};
    for (const HostileWeb::Host& host : web_->hosts()) {
      all.push_back(host.name + "=" + host.address + ":" + std::to_string(host.port));
    }
    all.insert(all.end(), more.begin(), more.end());
    auto process = std::make_unique<DowserProcess>(all);
    no_preload();
    return process;
  }

  TempDir dir_;
  std::unique_ptr<HostileWeb> web_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TEST_F(WallClock, set_forward_and_back_it_changes_neither_delay_nor_time_limit) {
  const auto process = crawl({"--delay", "500ms", "--max-time", "6s", "--max-pages", "1000"});
  for (const auto by : {3600s, -3600s, 1800s, -86400s}) {
    std::this_thread::sleep_for(1s);
    shift(by);
  }
  const Ran ran = process->wait();
  ASSERT_EQ(ran.code, 0) << ran.err;
  // Set back by a day, a crawl that believes the clock would not end before that.
  EXPECT_GE(std::chrono::steady_clock::now() - start_, 6s)
      << "set forward, the time limit was over at once";
  EXPECT_GE(json::parse(ran.out)["fetched"], 1);
  expect_delays_kept(500ms);
}

// What a host must wait was once saved as a point in time, which lay an hour in the future when the
// clock was right again.
TEST_F(WallClock, a_clock_that_was_ahead_once_neither_holds_up_later_resumes_nor_ends_a_delay) {
  const auto resume = [&](int pages) {
    preload();
    const Ran ran = run_dowser({"resume", dir_ / "out", "--max-pages", std::to_string(pages),
                                "--max-time", "100s", "--json"});
    no_preload();
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? json::parse(ran.out)["fetched"].get<int>() : 0;
  };
  shift(3600s);
  ASSERT_EQ(crawl({"--delay", "700ms", "--max-pages", "6"})->wait().code, 0);
  shift(0s);
  EXPECT_EQ(resume(9), 9);
  EXPECT_EQ(resume(12), 12);
  shift(3600s);
  EXPECT_EQ(resume(15), 15);
  shift(-86400s);
  EXPECT_EQ(resume(18), 18);
  EXPECT_EQ(resume(21), 21);
  expect_delays_kept(700ms);
}

TEST_F(WallClock, dates_are_those_of_the_wall_clock) {
  shift(-10 * 365 * 86400s);
  const auto process = crawl({"--delay", "0s", "--max-pages", "3"});
  ASSERT_EQ(process->wait().code, 0);
  const std::string year = to_iso8601(wall_time() + -10 * 365 * 86400s).substr(0, 5);
  std::istringstream lines(run_dowser({"export", dir_ / "out"}).out);
  size_t pages = 0;
  for (std::string line; std::getline(lines, line); ++pages) {
    EXPECT_TRUE(json::parse(line)["fetched_at"].get<std::string>().starts_with(year)) << line;
  }
  EXPECT_EQ(pages, 3u);
}

}  // namespace
}  // namespace dowser
