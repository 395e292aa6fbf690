#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "base/state.h"
#include "frontier/stored_links.h"
#include "run/run.h"
#include "tests/fetch/hostile_server.h"
#include "tests/support.h"

// A crawl that was killed does not know what it sent last, so its hosts rest before they are asked
// again. Delays are an hour long here, so that no test depends on how fast the machine is: what is
// sent at all was sent too early. A resume is stopped as soon as it says that it waits.

namespace dowser {
namespace {

using namespace std::chrono_literals;

class UncleanEnd : public testing::Test {
 protected:
  static std::string answer(std::string_view status, std::string_view type, std::string_view body) {
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", status,
                       type, body.size(), body);
  }

  // Pages that link to the next one, unless the test gives other answers.
  void serve(const std::string& robots, std::string page = {}) {
    server_.emplace(std::map<std::string, HostileServer::Behaviour>{
        {"/robots.txt",
         [=](HostileConnection& c, const std::string&) {
           return c.send(answer("200 OK", "text/plain", robots));
         }},
        {"/page", [=](HostileConnection& c, const std::string& request) {
           if (!page.empty()) return c.send(page);
           const int number = std::stoi(request.substr(request.find("/page/") + 6));
           return c.send(answer("200 OK", "text/html",
                                fmt::format("<p>bird number {} <a href=/page/{}>next</a>",
                                            number * 7919, number + 1)));
         }}});
  }

  std::vector<std::string> crawl(const std::string& delay, int pages) const {
    return {"crawl",         "--seed",      "http://a.test/page/1",         "--topic",
            "bird",          "--resolve",   "a.test=" + server_->address(), "--delay",
            delay,           "--max-pages", std::to_string(pages),          "--out",
            folder_.string()};
  }

  // Runs the program until `is_over`, and kills it.
  void kill_when(const std::vector<std::string>& arguments,
                 const std::function<bool()>& is_over) const {
    DowserProcess process(arguments);
    const auto give_up = std::chrono::steady_clock::now() + 5min;
    while (!is_over() && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(5ms);
    }
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait().code, 128 + SIGKILL);
  }

  // The number of requests that a resume sends before it waits. It ends in order.
  int requests_of_a_resume(Duration delay) const {
    const int before = server_->requests();
    Result<CrawlConfig> config = config_of(folder_);
    if (!config) return -1;
    config->delay = delay;
    config->max_pages = 100;
    bool waits = false;
    CrawlEvents events;
    events.subscribe([&](const CrawlEvent& event) {
      waits = waits || std::holds_alternative<CrawlWaits>(event);
    });
    const auto result = resume_crawl(*config, events, [&] { return waits; });
    EXPECT_TRUE(result.ok()) << result.error().message;
    EXPECT_TRUE(waits);
    return server_->requests() - before;
  }

  // What the state of a running crawl says about the host, if it can be read at this moment.
  std::optional<HostRecord> saved_host() const {
    const TempDir copy;
    std::error_code failed;
    std::filesystem::copy(folder_ / "state", copy.path() / "state",
                          std::filesystem::copy_options::recursive, failed);
    const auto state = State::open_read_only(copy.path() / "state");
    if (failed || !state) return std::nullopt;
    std::optional<HostRecord> host;
    StoredLinks(**state).each_host([&](std::string_view name, const HostRecord& record) {
      if (name == "a.test") host = record;
    });
    return host;
  }

  TempDir dir_;
  const std::filesystem::path folder_ = dir_.path() / "crawl";
  std::optional<HostileServer> server_;
};

TEST_F(UncleanEnd, a_host_that_was_asked_just_before_a_kill_rests_one_delay_after_the_resume) {
  serve("");
  kill_when(crawl("1h", 100), [&] { return server_->requests() == 1; });
  EXPECT_EQ(requests_of_a_resume(1h), 0);
}

TEST_F(UncleanEnd, hosts_rest_also_if_the_crawl_had_pages_and_was_killed_in_a_later_run) {
  serve("");
  ASSERT_EQ(run_dowser(crawl("0s", 3)).code, 0);
  ASSERT_EQ(server_->requests(), 4);
  kill_when({"resume", folder_.string(), "--delay", "1h", "--max-pages", "100"},
            [&] { return server_->requests() == 5; });
  EXPECT_EQ(requests_of_a_resume(1h), 0);
}

TEST_F(UncleanEnd, the_rest_continues_after_a_resume_that_was_stopped_in_it) {
  serve("");
  kill_when(crawl("1h", 100), [&] { return server_->requests() == 1; });
  EXPECT_EQ(requests_of_a_resume(1h), 0);
  EXPECT_EQ(requests_of_a_resume(1h), 0);
}

TEST_F(UncleanEnd, a_crawl_that_ended_in_order_asks_at_once_when_its_delays_are_over) {
  serve("");
  ASSERT_EQ(run_dowser(crawl("0s", 3)).code, 0);
  EXPECT_EQ(requests_of_a_resume(1h), 1) << "robots.txt";
  EXPECT_EQ(requests_of_a_resume(1h), 0) << "it was asked by the resume before";
}

TEST_F(UncleanEnd, a_crawl_delay_that_no_page_has_followed_yet_is_kept_after_a_kill) {
  serve("User-agent: *\nCrawl-delay: 3600\n");
  kill_when(crawl("0s", 100), [&] {
    const std::optional<HostRecord> host = saved_host();
    return host && host->delay == 1h;
  });
  EXPECT_EQ(server_->requests(), 1);
  EXPECT_EQ(requests_of_a_resume(0s), 0);
}

TEST_F(UncleanEnd, a_retry_after_that_no_page_has_followed_yet_is_kept_after_a_kill) {
  serve("", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n");
  kill_when(crawl("0s", 100), [&] {
    const std::optional<HostRecord> host = saved_host();
    return host && host->ready_at > wall_time() + 30min;
  });
  EXPECT_EQ(server_->requests(), 2) << "robots.txt and the page";
  EXPECT_EQ(requests_of_a_resume(0s), 0);
}

}  // namespace
}  // namespace dowser
