#include "model/crawl_statistics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace dowser {
namespace {

Url url(std::string_view text) { return *Url::parse(text); }

const Profile::Statistics kRules;

// Four sites, small enough to compute everything by hand.
CrawlStatistics four_sites() {
  CrawlStatistics s(kRules, true);
  int64_t now = 1'000'000;
  const auto page = [&](std::string_view address, bool relevant) {
    s.add_page(url(address), relevant, Time{now += 1'000'000});
  };
  page("http://a.test/", true);
  page("http://a.test/papers/1.html", true);
  page("http://a.test/papers/2.html", true);
  for (int i = 0; i < 3; ++i) page(fmt::format("http://a.test/news/{}.html", i), false);
  s.add_document(url("http://a.test/papers/x.pdf"), true);
  s.add_document(url("http://a.test/papers/y.pdf"), false);
  for (int i = 0; i < 12; ++i) page(fmt::format("http://b.test/old/news/{}.html", i), false);
  page("http://c.test/index.html", true);
  s.add_document(url("http://d.test/files/z.pdf"), false);
  s.add_reference("a.test", url("http://c.test/index.html"));
  s.add_reference("b.test", url("http://c.test./other"));
  s.add_reference("c.test", url("http://c.test/inside"));
  s.add_reference("a.test", url("http://never-crawled.test/"));
  return s;
}

// Fourteen documents, all accepted, beside three hundred pages about something else.
CrawlStatistics site_of_documents(const Profile::Statistics& rules) {
  CrawlStatistics s(rules, true);
  for (int i = 0; i < 14; ++i) {
    s.add_document(url("http://a.test/papers/" + std::to_string(i) + ".pdf"), true);
  }
  for (int i = 0; i < 300; ++i) {
    s.add_page(url("http://a.test/papers/" + std::to_string(i) + ".html"), false, Time{i});
  }
  return s;
}

TEST(CrawlStatistics,
     a_directory_whose_documents_are_accepted_is_kept_unless_the_rule_is_as_printed) {
  Profile::Statistics rules;
  const CrawlStatistics kept = site_of_documents(rules);
  EXPECT_EQ(kept.sites().front().not_again, "");
  EXPECT_FALSE(kept.sites().front().is_trap);
  EXPECT_EQ(kept.directories().back().path, "/papers/");
  EXPECT_EQ(kept.directories().back().avoid, "");
  rules.adr_vetoes_prr = false;
  const CrawlStatistics printed = site_of_documents(rules);
  EXPECT_EQ(printed.sites().front().not_again, "trap");
  EXPECT_EQ(printed.directories().back().avoid, "prr");
}

TEST(CrawlStatistics, a_bad_share_of_accepted_documents_keeps_nothing) {
  CrawlStatistics s(Profile::Statistics(), true);
  for (int i = 0; i < 12; ++i) {
    s.add_page(url("http://a.test/x/" + std::to_string(i) + ".html"), false, Time{i});
  }
  for (int i = 0; i < 30; ++i) {
    s.add_document(url("http://a.test/x/" + std::to_string(i) + ".pdf"), i == 0);
  }
  EXPECT_EQ(s.directories().back().avoid, "prr");
}

TEST(CrawlStatistics, of_four_sites_are_those_computed_by_hand) {
  const CrawlStatistics s = four_sites();
  const std::vector<SiteRow> sites = s.sites();
  ASSERT_EQ(sites.size(), 4u);
  std::map<std::string, SiteRow> by_host;
  for (const SiteRow& site : sites) by_host[site.host] = site;
  const SiteRow &a = by_host["a.test"], &b = by_host["b.test"], &c = by_host["c.test"],
                &d = by_host["d.test"];
  EXPECT_EQ(a.counts, (DirectoryCounts{6, 3, 2, 1}));
  EXPECT_EQ(a.counts.prr(), 3.0 / 6);
  EXPECT_EQ(a.counts.ddr(), 2.0 / 6);
  EXPECT_EQ(a.counts.adr(), 1.0 / 2);
  EXPECT_EQ(a.not_again, "");
  EXPECT_EQ(a.entrance, "http://a.test/");
  EXPECT_EQ(a.references, 0u);
  EXPECT_EQ(b.counts, (DirectoryCounts{12, 0, 0, 0}));
  EXPECT_EQ(b.not_again, "prr");
  EXPECT_FALSE(b.is_trap);
  EXPECT_EQ(c.counts.prr(), 1.0);
  EXPECT_EQ(c.counts.ddr(), 0.0);
  EXPECT_EQ(c.counts.adr(), std::nullopt);  // nothing, not 0
  EXPECT_EQ(c.not_again, "ddr");
  EXPECT_EQ(c.references, 2u);
  EXPECT_EQ(d.counts.prr(), std::nullopt);
  EXPECT_EQ(d.counts.ddr(), std::nullopt);
  EXPECT_EQ(d.counts.adr(), 0.0);
  EXPECT_EQ(d.not_again, "adr");

  const std::vector<DirectoryRow> expected = {
      {"a.test", "/", {6, 3, 2, 1}, ""},
      {"a.test", "/news/", {3, 0, 0, 0}, ""},  // bad, but of too few pages
      {"a.test", "/papers/", {2, 2, 2, 1}, ""},
      {"b.test", "/", {12, 0, 0, 0}, ""},  // the site as a whole is no directory to avoid
      {"b.test", "/old/", {12, 0, 0, 0}, "prr"},
      {"b.test", "/old/news/", {12, 0, 0, 0}, "prr"},
      {"c.test", "/", {1, 1, 0, 0}, ""},
      {"d.test", "/", {0, 0, 1, 0}, ""},
      {"d.test", "/files/", {0, 0, 1, 0}, ""},
  };
  EXPECT_EQ(s.directories(), expected);

  const std::vector<StopDirectoryRow> names = {
      {"files", "documents", {"d.test"}, false},
      {"news", "pages", {"a.test", "b.test"}, false},
      {"old", "pages", {"b.test"}, false},
  };
  EXPECT_EQ(s.stop_directories(), names);
}

TEST(CrawlStatistics, tell_what_is_known_of_an_address) {
  const CrawlStatistics s = four_sites();
  EXPECT_EQ(s.site_counts(url("http://a.test/anything")), (DirectoryCounts{6, 3, 2, 1}));
  EXPECT_EQ(s.directory_counts(url("http://a.test/papers/new.html")),
            (DirectoryCounts{2, 2, 2, 1}));
  // An unknown directory is like the nearest one above it; an unknown site has nothing.
  EXPECT_EQ(s.directory_counts(url("http://a.test/papers/2008/x.html")),
            (DirectoryCounts{2, 2, 2, 1}));
  EXPECT_EQ(s.directory_counts(url("http://unknown.test/")), DirectoryCounts());
  EXPECT_EQ(s.site_counts(url("http://unknown.test/")).prr(), std::nullopt);
}

TEST(CrawlStatistics, without_documents_nothing_follows_from_their_rates) {
  CrawlStatistics s(kRules, false);
  for (int i = 0; i < 20; ++i) s.add_page(url(fmt::format("http://a.test/x/{}", i)), true, Time{1});
  EXPECT_EQ(s.sites()[0].not_again, "");
  EXPECT_EQ(s.sites()[0].counts.ddr(), std::nullopt);
  for (const DirectoryRow& row : s.directories()) EXPECT_EQ(row.avoid, "");
}

TEST(CrawlStatistics, a_site_is_a_trap_at_the_200th_page_below_five_percent) {
  CrawlStatistics nine(kRules), ten(kRules), late(kRules);
  const auto page = [](int i) { return url(fmt::format("http://t.test/{}", i)); };
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(nine.is_trap(page(0))) << i;
    nine.add_page(page(i), i < 9, Time{1});
    ten.add_page(page(i), i < 10, Time{1});
  }
  EXPECT_TRUE(nine.is_trap(page(0)));  // 4.5 %
  EXPECT_FALSE(ten.is_trap(page(0)));  // 5 %
  // It is looked at again after 100 more pages, and not before.
  for (int i = 200; i < 299; ++i) ten.add_page(page(i), false, Time{1});
  EXPECT_FALSE(ten.is_trap(page(0)));
  ten.add_page(page(299), false, Time{1});
  EXPECT_TRUE(ten.is_trap(page(0)));
  EXPECT_EQ(ten.sites()[0].not_again, "trap");
  EXPECT_FALSE(late.is_trap(page(0)));
}

TEST(CrawlStatistics, a_name_without_relevant_pages_on_six_sites_is_a_stop_directory) {
  CrawlStatistics s(kRules);
  const auto visit = [&](int site, std::string_view path, bool relevant = false) {
    s.add_page(url(fmt::format("http://s{}.test{}", site, path)), relevant, Time{1});
  };
  for (int site = 0; site < 5; ++site) {
    visit(site, "/Login/a.html");
    visit(site, "/login/b.html");  // the same name, the same site
  }
  EXPECT_FALSE(s.stop_directory("/login/x"));
  visit(5, "/a/l%6Fgin/c.html");
  EXPECT_EQ(s.stop_directory("/b/LOGIN/x"), "login");
  EXPECT_FALSE(s.stop_directory("/logins/x"));  // whole names only
  EXPECT_FALSE(s.stop_directory("/login"));     // a file
  visit(6, "/login/c.html", true);
  EXPECT_FALSE(s.stop_directory("/login/x"));
  for (const StopDirectoryRow& row : s.stop_directories()) EXPECT_NE(row.name, "login");
}

TEST(CrawlStatistics, candidates_count_across_crawls_each_site_once) {
  CrawlStatistics first(kRules);
  for (int site = 0; site < 4; ++site) {
    first.add_page(url(fmt::format("http://s{}.test/help/x", site)), false, Time{1});
    first.add_document(url(fmt::format("http://s{}.test/slides/x.pdf", site)), false);
  }
  EarlierLists lists{first.stop_directories(), {{"s1.test", "/private/"}}, {"s9.test"}};
  CrawlStatistics second(kRules);
  second.use(lists);
  for (int site = 2; site < 5; ++site) {
    second.add_page(url(fmt::format("http://s{}.test/help/y", site)), false, Time{1});
  }
  EXPECT_FALSE(second.stop_directory("/help/x"));  // s0 to s4 are five
  second.add_page(url("http://s5.test/help/y"), false, Time{1});
  EXPECT_TRUE(second.stop_directory("/help/x"));
  EXPECT_TRUE(second.is_to_avoid(url("http://s1.test/private/deep/x.html")));
  EXPECT_FALSE(second.is_to_avoid(url("http://s1.test/privateer/x.html")));
  EXPECT_FALSE(second.is_to_avoid(url("http://s2.test/private/x.html")));
  EXPECT_TRUE(second.is_not_again(url("http://s9.test/x")));
  EXPECT_FALSE(second.is_not_again(url("http://s1.test/x")));
  // A site that was only named has no row.
  for (const SiteRow& site : second.sites()) EXPECT_NE(site.host, "s9.test");
}

TEST(CrawlStatistics, stop_directories_by_documents_are_used_from_the_next_crawl_on) {
  CrawlStatistics first(kRules, true);
  for (int site = 0; site < 6; ++site) {
    first.add_document(url(fmt::format("http://s{}.test/slides/x.pdf", site)), false);
  }
  EXPECT_FALSE(first.stop_directory("/slides/y.pdf"));
  ASSERT_EQ(first.stop_directories().size(), 1u);
  EXPECT_TRUE(first.stop_directories()[0].is_stop);
  CrawlStatistics second(kRules, true);
  second.use({first.stop_directories(), {}, {}});
  EXPECT_TRUE(second.stop_directory("/slides/y.pdf"));
  second.add_document(url("http://s7.test/slides/good.pdf"), true);
  EXPECT_FALSE(second.stop_directory("/slides/y.pdf"));
}

TEST(CrawlStatistics, take_bounded_memory_and_lose_no_page) {
  StatisticsLimits limits;
  limits.directories = 50;
  limits.site_directories = 20;
  CrawlStatistics s(kRules, false, limits);
  for (int i = 0; i < 1000; ++i) {
    s.add_page(url(fmt::format("http://t{}.test/{}/x/{}/p", i % 2, i, std::string(200, 'n'))), true,
               Time{1});
  }
  EXPECT_LE(s.directory_count(), 50u);
  EXPECT_GT(s.folded(), 900u);
  EXPECT_EQ(s.sites()[0].counts.pages + s.sites()[1].counts.pages, 1000u);
}

TEST(CrawlStatistics, are_the_same_after_saving_and_learn_on) {
  std::mt19937 random(3);
  CrawlStatistics whole(kRules, true), first(kRules, true);
  const auto feed = [&](CrawlStatistics& s, uint32_t r) {
    const Url page = url(fmt::format("http://s{}.test/d{}/e{}/f", r % 7, r / 7 % 5, r / 35 % 4));
    r % 11 == 0 ? s.add_document(page, r % 2) : s.add_page(page, r % 13 == 0, Time{r});
    s.add_reference("s1.test", page);
  };
  std::vector<uint32_t> numbers;
  for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<uint32_t>(random()));
  for (const uint32_t r : numbers) feed(whole, r);
  for (int i = 0; i < 1700; ++i) feed(first, numbers[i]);
  ByteWriter out;
  first.save(out);
  CrawlStatistics second(kRules, true);
  second.use({{{"help", "pages", {"x.test"}, false}}, {{"x.test", "/a/"}}, {"x.test"}});
  ByteReader in(out.bytes());
  ASSERT_TRUE(second.load(in).ok());
  EXPECT_FALSE(second.is_to_avoid(url("http://x.test/a/b")));
  for (int i = 1700; i < 3000; ++i) feed(second, numbers[i]);
  EXPECT_EQ(second.sites(), whole.sites());
  EXPECT_EQ(second.directories(), whole.directories());
  EXPECT_EQ(second.stop_directories(), whole.stop_directories());

  ByteWriter nothing;
  CrawlStatistics(kRules).save(nothing);
  EXPECT_TRUE(nothing.bytes().empty());
}

TEST(CrawlStatistics, refuse_damaged_bytes) {
  ByteWriter out;
  four_sites().save(out);
  const std::string& bytes = out.bytes();
  for (size_t size = 0; size < bytes.size(); size += 7) {
    CrawlStatistics s(kRules);
    ByteReader in(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(s.load(in).ok()) << size;
  }
}

}  // namespace
}  // namespace dowser
