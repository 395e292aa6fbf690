#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/warc_writer.h"
#include "base/shorten.h"
#include "parse/parse_page.h"
#include "run/run.h"
#include "tests/support.h"

// Pages that want to fill memory and disk: whatever is taken from a page has a limit.

namespace dowser {
namespace {

constexpr size_t kHuge = 1'200'000;

std::string long_text(size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "lighthouse w" + std::to_string(text.size()) + " ";
  return text;
}

std::string address(int page) { return "http://h.test/" + std::to_string(page); }

// Each of six ways to be too large, in turn.
std::string huge_page(int page) {
  const std::string next = "<a href='" + address(page + 1) + "'>next</a> ";
  std::string html;
  switch (page % 6) {
    case 0:
      return "<title>" + long_text(kHuge) + "</title>" + next;
    case 1:  // a base that makes every link long
      html = "<base href='http://h.test/" + std::string(20'000, 'b') + "/'><p>lighthouse" + next;
      for (int i = 0; i < 1000; ++i) html += "<a href=" + std::to_string(i) + ">word</a> ";
      return html;
    case 2:
      html = "<p>lighthouse" + next;
      for (int i = 0; i < 100; ++i) {
        html += "<a href='/" + std::string(12'000, 'l') + std::to_string(i) + "'>word</a> ";
      }
      return html;
    case 3: {
      const std::string text = long_text(kHuge / 4);
      return "<html lang='" + text + "'><meta name=description content='" + text +
             "'><meta name=keywords content='" + text + "'><link rel=canonical href='/" +
             std::string(kHuge / 4, 'c') + "'><p>lighthouse" + next;
    }
    case 4:  // never closed
      return next + "<p><a href='/x'>" + long_text(kHuge);
    default:
      return "<p>lighthouse" + next + "<a href='/y#" + std::string(kHuge, 'f') + "'>fragment</a>";
  }
}

TEST(Bounds, sixty_pages_of_a_megabyte_leave_a_small_catalogue_and_report_in_little_memory) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizers take memory of their own";
#endif
  constexpr int kPages = 60;
  TempDir dir;
  {
    WarcWriter writer({.folder = dir.path() / "web", .prefix = "web"});
    for (int i = 0; i < kPages; ++i) {
      Response page;
      page.url = *Url::parse(address(i));
      page.status = 200;
      page.headers.add("Content-Type", "text/html");
      page.fetched_at = Time{1'000'000'000'000'000};
      page.body = huge_page(i);
      ASSERT_TRUE(writer.write(response_record(page)).ok());
    }
  }
  CrawlConfig config;
  config.web = {dir / "web/web-00000.warc.gz"};
  config.seeds = {address(0)};
  config.topic = "lighthouse";
  config.strategy = "best-first";
  config.near_duplicates = false;
  config.out = dir / "out";
  const pid_t child = fork();
  if (child == 0) {
    const auto run = run_crawl(config);
    _exit(run.ok() && run->counters.fetched == kPages && run->counters.refused.contains("length")
              ? 0
              : 1);
  }
  int status = 0;
  rusage usage{};
  ASSERT_EQ(wait4(child, &status, 0, &usage), child);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_LT(usage.ru_maxrss, 200 << 10) << "kilobytes";
  EXPECT_LT(std::filesystem::file_size(dir / "out/catalogue.sqlite"), 3'000'000u);
  EXPECT_LT(std::filesystem::file_size(dir / "out/report.html"), 300'000u);
  EXPECT_LT(std::filesystem::file_size(dir / "out/crawl.log"), 100'000u);
}

TEST(Bounds, what_a_page_says_is_cut_and_what_it_links_to_is_left_out_where_it_is_too_long) {
  const auto parsed = [](int kind) { return parse_html(huge_page(kind), *Url::parse(address(0))); };
  EXPECT_EQ(parsed(0).title, cut_text(long_text(kHuge), 1000));
  EXPECT_EQ(parsed(1).base.href(), address(0)) << "a base that is too long is none";
  EXPECT_EQ(parsed(1).links.size(), 1001u);
  EXPECT_EQ(parsed(2).links.size(), 1u);
  EXPECT_EQ(parsed(2).overlong_links, 100u);
  EXPECT_TRUE(parsed(3).canonical.empty());
  EXPECT_LE(parsed(3).description.size(), 1000u);
  EXPECT_LE(parsed(3).keywords.size(), 1000u);
  EXPECT_LE(parsed(3).declared_language.size(), 35u);
  ASSERT_EQ(parsed(5).links.size(), 2u);
  EXPECT_EQ(parsed(5).links[1].url.href(), "http://h.test/y") << "without the long fragment";
  EXPECT_EQ(cut_text("a\u00e9\u00e9", 4), "a\u00e9") << "characters stay whole";
}

}  // namespace
}  // namespace dowser
