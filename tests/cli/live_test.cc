#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/file.h"
#include "tests/support.h"

// Crawls of a live web: `dowser replay` on loopback plays the servers.

namespace dowser {
namespace {

using nlohmann::json;

class LiveCrawl : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path site = dir_.path() / "site";
    std::filesystem::create_directories(site);
    for (int i = 0; i < 8; ++i) {
      const std::string next = std::to_string(i + 1) + ".html";
      ASSERT_TRUE(put_file(site / (std::to_string(i) + ".html"),
                           "<p>birds build a nest <a href=" + next +
                               ">next</a> <a href=" + std::to_string(i + 2) +
                               ".html>over</a> number " + std::to_string(i * 7919))
                      .ok());
    }
    const std::string web = dir_ / "web.warc.gz";
    ASSERT_EQ(run_dowser({"pack", site.string(), site.string(), "--host", "a.test", "--host",
                          "b.test", "--to", web})
                  .code,
              0);
    server_ = std::make_unique<DowserProcess>(
        std::vector<std::string>{"replay", web, "--listen", "127.0.0.1:0", "--json"});
    const std::string listening = json::parse(server_->first_line())["listening"];
    address_ = listening.substr(listening.find("127.0.0.1"));
  }
  void TearDown() override {
    server_->signal(SIGTERM);
    EXPECT_EQ(server_->wait().code, 0);
  }

  std::vector<std::string> crawl(const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> all = {"crawl",
                                    "--seed",
                                    "http://a.test/0.html",
                                    "--topic",
                                    "bird nest",
                                    "--resolve",
                                    "a.test=" + address_,
                                    "b.test=" + address_,
                                    "--out",
                                    dir_ / out,
                                    "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::vector<json> pages(const std::string& out) {
    std::vector<json> rows;
    std::istringstream lines(run_dowser({"export", dir_ / out}).out);
    for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
    return rows;
  }

  // Until a running crawl has kept its first page.
  void wait_for_a_page(const std::string& out) const {
    std::error_code failed;
    for (uintmax_t size = 0; size == 0 || failed;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      size = std::filesystem::file_size(dir_.path() / out / "index.unsorted", failed);
    }
  }

  TempDir dir_;
  std::unique_ptr<DowserProcess> server_;
  std::string address_;
};

TEST_F(LiveCrawl, fetches_every_page_once_and_archives_it) {
  const Ran ran = run_dowser(crawl("out", {"--delay", "0s", "--seed", "http://b.test/0.html"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["statuses"]["200"], 16);
  EXPECT_EQ(result["relevant"], 8) << "the two hosts have the same pages";
  EXPECT_EQ(result["near_duplicates"], 8);
  const json archive = json::parse(
      run_dowser({"inspect", "archive", dir_ / "out/archive/crawl-00000.warc.gz", "--json"}).out);
  EXPECT_TRUE(archive["errors"].empty());
}

TEST_F(LiveCrawl, waits_between_two_requests_to_a_host) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_dowser(crawl("out", {"--delay", "300ms", "--max-pages", "4"})).code, 0);
  // robots.txt, then four pages, three tenths of a second between any two of these
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1200));
}

TEST_F(LiveCrawl, a_page_is_cut_at_the_size_that_is_set) {
  ASSERT_EQ(run_dowser(crawl("out", {"--delay", "0s", "--max-page-size", "50"})).code, 0);
  const json first = pages("out").at(0);
  EXPECT_EQ(first["bytes"], 50);
  EXPECT_EQ(first["truncated"], 1);
}

TEST_F(LiveCrawl, a_private_address_is_refused_unless_it_is_allowed) {
  const std::string seed = "http://" + address_ + "/";
  const std::vector<std::string> common = {"--seed", seed,        "--topic",
                                           "bird",   "--contact", "me@a.test"};
  std::vector<std::string> refused = {"crawl", "--out", dir_ / "refused"};
  refused.insert(refused.end(), common.begin(), common.end());
  ASSERT_EQ(run_dowser(refused).code, 0);
  ASSERT_EQ(pages("refused").size(), 1u);
  EXPECT_EQ(pages("refused")[0]["failure"], "forbidden-address");

  std::vector<std::string> allowed = {"crawl", "--out", dir_ / "allowed", "--allow-host",
                                      "127.0.0.1"};
  allowed.insert(allowed.end(), common.begin(), common.end());
  ASSERT_EQ(run_dowser(allowed).code, 0);
  ASSERT_EQ(pages("allowed").size(), 1u);
  EXPECT_EQ(pages("allowed")[0]["status"], 404) << "the server was asked";
}

TEST_F(LiveCrawl, ctrl_c_ends_it_soon_with_everything_written) {
  DowserProcess process(crawl("out", {"--delay", "1s"}));
  wait_for_a_page("out");
  process.signal(SIGINT);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 130);
  const size_t fetched = json::parse(ran.out)["fetched"];
  EXPECT_GE(fetched, 1u);
  EXPECT_LT(fetched, 8u) << "it went on";
  EXPECT_EQ(pages("out").size(), fetched);
  EXPECT_TRUE(std::filesystem::exists(dir_ / "out/report.html"));
}

TEST_F(LiveCrawl, killed_it_goes_on_and_has_every_page_once) {
  const std::vector<std::string> both = {"--delay", "60ms", "--seed", "http://b.test/0.html"};
  {
    DowserProcess process(crawl("out", both));
    wait_for_a_page("out");
    process.signal(SIGKILL);
    process.wait();
  }
  for (int i = 0; i < 3; ++i) {
    DowserProcess process({"resume", dir_ / "out", "--json"});
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    process.signal(SIGKILL);
    process.wait();
  }
  const Ran ran = run_dowser({"resume", dir_ / "out", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["statuses"]["200"], 16);
  std::set<std::string> urls;
  for (const json& page : pages("out")) EXPECT_TRUE(urls.insert(page["url"]).second);
  const json archive = json::parse(
      run_dowser({"inspect", "archive", dir_ / "out/archive/crawl-00000.warc.gz", "--json"}).out);
  EXPECT_TRUE(archive["errors"].empty());
}

TEST_F(LiveCrawl, a_second_ctrl_c_ends_it_at_once_and_it_can_go_on) {
  DowserProcess process(crawl("out", {"--delay", "200ms"}));
  wait_for_a_page("out");
  process.signal(SIGINT);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().code, 130);
  EXPECT_EQ(run_dowser({"resume", dir_ / "out", "--delay", "0s"}).code, 0);
  EXPECT_GE(pages("out").size(), 8u);
}

TEST_F(LiveCrawl, what_is_wrong_with_a_resume_is_said_in_a_sentence) {
  const Ran nothing = run_dowser({"resume", dir_ / "nowhere"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.err.find("does not contain a crawl"), std::string::npos) << nothing.err;
  const Ran strategy = run_dowser({"resume", dir_ / "out", "--strategy", "breadth-first"});
  EXPECT_EQ(strategy.code, 2) << "it would be another crawl";
  const Ran metrics = run_dowser(crawl("out", {"--metrics", "0.0.0.0:0"}));
  EXPECT_EQ(metrics.code, 2);
  EXPECT_NE(metrics.err.find("this machine only"), std::string::npos) << metrics.err;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "out"));
}

TEST_F(LiveCrawl, the_token_of_the_metrics_is_shown_at_the_start_and_kept_nowhere) {
  const Ran random = run_dowser(crawl("random", {"--metrics", "127.0.0.1:0", "--max-pages", "1"}));
  ASSERT_EQ(random.code, 0) << random.err;
  const std::string before = "/metrics?token=";
  const size_t at = random.err.find(before);
  ASSERT_TRUE(random.err.starts_with("metrics at http://127.0.0.1:")) << random.err;
  ASSERT_NE(at, std::string::npos) << random.err;
  const std::string made = random.err.substr(at + before.size(), 32);
  EXPECT_EQ(made.find_first_not_of("0123456789abcdef"), std::string::npos) << random.err;

  const Ran given = run_dowser(crawl(
      "given", {"--metrics", "127.0.0.1:0", "--metrics-token", "my-secret", "--max-pages", "1"}));
  ASSERT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(given.err.find("my-secret"), std::string::npos) << "who gave it knows it";
  for (const std::string file : {"/crawl.toml", "/catalogue.sqlite", "/crawl.log"}) {
    EXPECT_EQ(read_file(dir_ / ("random" + file))->find(made), std::string::npos) << file;
    EXPECT_EQ(read_file(dir_ / ("given" + file))->find("my-secret"), std::string::npos) << file;
  }
  const Ran resumed = run_dowser({"resume", dir_ / "given", "--max-pages", "2"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(before), std::string::npos) << "a new one: " << resumed.err;

  const Ran odd = run_dowser(crawl("odd", {"--metrics-token", "a b"}));
  EXPECT_EQ(odd.code, 2);
  EXPECT_NE(odd.err.find("metrics-token may contain only letters"), std::string::npos) << odd.err;
}

}  // namespace
}  // namespace dowser
