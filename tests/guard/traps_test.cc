#include "guard/traps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "archive/archive_index.h"
#include "base/random.h"
#include "guard/near_duplicates.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"
#include "tests/support.h"

namespace dowser {
namespace {

Url url(std::string_view text) { return *Url::parse(text); }

std::string reason(const TrapGuard& guard, std::string_view address) {
  const Verdict verdict = guard.may_follow(url(address));
  EXPECT_EQ(verdict.ok, verdict.reason.empty());
  return std::string(verdict.reason);
}

TEST(UrlShape, is_what_remains_without_what_a_machine_counts_up) {
  struct Row {
    const char *address, *shape;
    bool varies;
  };
  for (const Row& row :
       std::vector<Row>{{"/", "/", false},
                        {"/a/b.html", "/a/b.html", false},
                        {"/cal/2004/11/15/", "/cal/0/0/0/", true},
                        {"/cal?day=3&month=x", "/cal?day&month", true},
                        {"/cal?month=x&day=", "/cal?day&month", true},
                        {"/cal?20041115", "/cal?0", true},
                        {"/mp3/page12b7.html", "/mp0/page0b0.html", true},
                        {"/s/8f3a0b7c61d2e94f5a/x", "/s/~/x", true},
                        {"/s;k=8f3a0b7c61d2e94f5a/x", "/s;k=~/x", true},
                        {"/wiki/%D0%9F%D0%B8", "/wiki/%D0%9F%D0%B8", false},
                        {"/100%/%a", "/0%/%a", true},
                        {"/internationalisation/a", "/internationalisation/a", false},
                        {"/a?", "/a", false}}) {
    const UrlShape shape = url_shape(url(std::string("http://a.test") + row.address));
    EXPECT_EQ(shape.text, row.shape);
    EXPECT_EQ(shape.varies, row.varies) << row.address;
  }
}

TEST(TrapGuard, refuses_addresses_by_their_form) {
  struct Row {
    std::string address;
    const char* reason;
  };
  std::string deep, many, same;
  for (int i = 0; i < 21; ++i) deep += fmt::format("/{}x", i);
  for (int i = 0; i < 25; ++i) many += fmt::format("&p{}=1", i);
  for (int i = 0; i < 9; ++i) same += fmt::format("&f[]={}", i);
  const TrapGuard guard;
  for (const Row& row :
       std::vector<Row>{{"/a/b/c", ""},
                        {"/news/2004/04/04/", ""},
                        {"/1/1/1/1/x", ""},
                        {"/1/1/1/1/1/x", "repeated-segments"},
                        {"/doc/doc/x", ""},
                        {"/doc/doc/doc/x", "repeated-segments"},
                        {"/a/b/a/b/x", ""},
                        {"/a/b/a/b/a/b/a/b", ""},  // letters alone, four times
                        {"/a/b/a/b/a/b/a/b/a/b", "repeated-segments"},
                        {"/x/one/two/one/two/one/two", "repeated-segments"},
                        {"/one/two/three/one/two/three/one/two/three", "repeated-segments"},
                        {"/news/a/news/b/news/c/news/d", ""},
                        {"/news/a/news/b/news/c/news/d/news", "repeated-segments"},
                        {deep, ""},
                        {deep + "/x", "deep-path"},
                        {"/s?" + many.substr(6), ""},
                        {"/s?" + many.substr(1), "many-parameters"},
                        {"/s?" + same.substr(7), ""},
                        {"/s?" + same.substr(1), "many-parameters"}}) {
    EXPECT_EQ(reason(guard, "http://a.test" + row.address), row.reason) << row.address;
  }
}

TEST(TrapGuard, nothing_is_refused_for_what_another_host_does) {
  TrapGuard guard;
  for (int i = 0; i < 300; ++i) {
    guard.learn(url(fmt::format("http://a.test/cal/{}", i)), Worth::kNothing);
  }
  EXPECT_EQ(reason(guard, "http://a.test/cal/999"), "shape");
  EXPECT_EQ(reason(guard, "http://a.test/cal/about"), "");
  EXPECT_EQ(reason(guard, "http://a.test/other/999"), "");
  EXPECT_EQ(reason(guard, "http://b.test/cal/999"), "");
  EXPECT_EQ(reason(guard, "http://a.test:8080/cal/999"), "");
}

TEST(TrapGuard, a_good_shape_lives_on_its_harvest) {
  // One page in 200 is relevant, the others are new: for ever.
  TrapGuard wiki;
  for (int i = 0; i < 50'000; ++i) {
    const Url page = url(fmt::format("http://a.test/index.php?title=T{}", i));
    ASSERT_TRUE(wiki.may_follow(page)) << i;
    wiki.learn(page, i % 200 == 0 ? Worth::kRelevant : Worth::kNew);
  }
  // One in 20 relevant, the others nothing.
  TrapGuard poor;
  for (int i = 0; i < 50'000; ++i) {
    const Url page = url(fmt::format("http://a.test/item/{}", i));
    ASSERT_TRUE(poor.may_follow(page)) << i;
    poor.learn(page, i % 20 == 0 ? Worth::kRelevant : Worth::kNothing);
  }
}

TEST(TrapGuard, a_directory_may_hold_many_copies_as_long_as_it_holds_more_that_is_new) {
  TrapGuard guard;
  for (int i = 0; i < 20'000; ++i) {
    const Url page = url("http://a.test/manual/" + std::string(i % 50 + 1, 'x') + ".html");
    ASSERT_TRUE(guard.may_follow(page)) << i;
    guard.learn(page, i % 3 == 0 ? Worth::kNothing : Worth::kNew);
  }
}

TEST(TrapGuard, a_place_that_was_good_is_given_up_when_it_turns_bad) {
  TrapGuard guard;
  const auto page = [](int i) { return url(fmt::format("http://a.test/item/{}", i)); };
  for (int i = 0; i < 1000; ++i) guard.learn(page(i), Worth::kRelevant);
  int fetched = 0;
  for (; fetched < 10'000 && guard.may_follow(page(fetched)); ++fetched) {
    guard.learn(page(fetched), Worth::kNothing);
  }
  EXPECT_EQ(fetched, 400);  // twice the budget
}

// A trap makes address i; how many of them are fetched before no more are?
struct Trap {
  std::string name;
  std::function<std::string(int, Random&)> address;
  Worth worth;
  int most;
};

int fetches_until_cut(const Trap& trap) {
  TrapGuard guard;
  Random random(1);
  std::set<std::string> seen;  // the frontier's
  int fetched = 0, idle = 0;
  for (int i = 0; idle < 2'000 && fetched < 200'000; ++i) {
    const Url page = canonical(url(trap.address(i, random)));
    if (!guard.may_follow(page) || !seen.emplace(page.href()).second) {
      ++idle;
      continue;
    }
    idle = 0;
    guard.learn(page, trap.worth);
    ++fetched;
  }
  return fetched;
}

std::string letters(Random& random, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += static_cast<char>('a' + random.below(26));
  return out;
}

std::string hex(Random& random) {
  return fmt::format("{:016x}{:016x}", random.next(), random.next());
}

TEST(TrapGuard, every_trap_is_cut_after_a_bounded_number_of_fetches) {
  const std::vector<Trap> traps = {
      {"calendar by query",
       [](int i, Random&) {
         return fmt::format("http://a.test/cal.php?y={}&m={}", 2000 + i / 12, i % 12);
       },
       Worth::kNothing, 200},
      {"calendar by path",
       [](int i, Random&) {
         return fmt::format("http://a.test/cal/{}/{:02}/", 2000 + i / 12, i % 12);
       },
       Worth::kNothing, 200},
      {"calendar whose months all differ",
       [](int i, Random&) {
         return fmt::format("http://a.test/cal/{}/{:02}/", 2000 + i / 12, i % 12);
       },
       Worth::kNew, 2000},
      {"sessions of a known name",
       [](int, Random& r) { return "http://a.test/p?jsessionid=" + hex(r); }, Worth::kNothing, 1},
      {"sessions of unknown name",
       [](int i, Random& r) { return fmt::format("http://a.test/p{}?zk={}", i % 40, hex(r)); },
       Worth::kNothing, 200},
      {"sessions in the path of 26 pages",
       [](int i, Random& r) {
         return fmt::format("http://a.test/s/{}/{}.html", hex(r), char('a' + i % 26));
       },
       Worth::kNothing, 500},
      {"relative links that pile up",
       [](int i, Random&) {
         std::string path;
         for (int k = 0; k <= i % 30; ++k) path += "/news/today";
         return "http://a.test" + path;
       },
       Worth::kNothing, 2},
      {"pages that count on",
       [](int i, Random&) { return fmt::format("http://a.test/list/page-{}.html", i); },
       Worth::kNothing, 200},
      {"faceted search",
       [](int, Random& r) {
         std::string query;
         for (int k = 0; k < 12; ++k) {
           if (r.below(2)) query += fmt::format("&facet{}={}", char('a' + k), r.below(5));
         }
         return "http://a.test/shop?" + (query.empty() ? "x" : query.substr(1));
       },
       Worth::kNothing, 500},
      {"names of letters in one directory",
       [](int, Random& r) { return "http://a.test/maze/" + letters(r, 8); }, Worth::kNothing, 500},
      {"names of letters in ever new directories",
       [](int, Random& r) { return "http://a.test/" + letters(r, 8) + "/" + letters(r, 8); },
       Worth::kNothing, 2000},
      {"babble that is always new",
       [](int, Random& r) { return "http://a.test/" + letters(r, 8) + "/" + letters(r, 8); },
       Worth::kNew, 100'000},
      {"babble that is always new in one directory",
       [](int, Random& r) { return "http://a.test/maze/" + letters(r, 8); }, Worth::kNew, 25'000},
  };
  for (const Trap& trap : traps) {
    const int fetched = fetches_until_cut(trap);
    EXPECT_LE(fetched, trap.most) << trap.name;
    RecordProperty(trap.name, fetched);
  }
}

// A month without events: a frame of 80 words, the name of the month in three places, and the days.
std::string calendar_page(int month) {
  static const std::vector<std::string> kNames = {"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};
  const std::string name = fmt::format("{} {}", kNames[month % 12], 2000 + month / 12);
  std::string text = "events of " + name + " ";
  for (int i = 0; i < 80; ++i)
    text += fmt::format("frame{} ", static_cast<char>('a' + i % 26) + std::to_string(i));
  text += name + " mon tue wed thu fri sat sun ";
  for (int day = 1; day <= 30; ++day) text += fmt::format("{} ", day);
  return text + " no events in " + name;
}

TEST(TrapGuard, an_empty_calendar_is_cut_by_what_its_pages_say) {
  TrapGuard guard;
  NearDuplicates duplicates;
  uint32_t fetched = 0;
  for (; fetched < 10'000; ++fetched) {
    const Url page = url(fmt::format("http://a.test/cal?month={}", fetched));
    if (!guard.may_follow(page)) break;
    const bool repeats =
        duplicates.add({fetched}, calendar_page(static_cast<int>(fetched))).has_value();
    guard.learn(page, repeats ? Worth::kNothing : Worth::kNew);
  }
  RecordProperty("fetched", static_cast<int>(fetched));
  // Months differ by some 15 % and only a few are near duplicates of one before.
  EXPECT_LT(fetched, 1500u);
}

TEST(TrapGuard, an_empty_account_harms_hardly_any_other) {
  TrapLimits limits;
  limits.counters = 1 << 14;
  TrapGuard guard(limits);
  for (int host = 0; host < 100; ++host) {
    for (int i = 0; i < 200; ++i) {
      guard.learn(url(fmt::format("http://trap{}.test/{}", host, i)), Worth::kNothing);
    }
  }
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    refused += !guard.may_follow(url(fmt::format("http://good{}.test/a/{}", i, i)));
  }
  EXPECT_LE(refused, 20);  // 100 of 16,384 in each row: 4 in 100,000 times five accounts
}

// Honest webs, in the order of the archive, each page worth what it was: copies nothing, the others
// new, none on the topic. That is the hardest case for the guard: no credit at all.
struct Honest {
  size_t addresses = 0;
  std::vector<std::string> refused;
};

Honest walk(const std::filesystem::path& file) {
  const std::vector<std::filesystem::path> files = {file};
  Result<ArchiveSet> archive = ArchiveSet::open(files);
  EXPECT_TRUE(archive.ok());
  Honest honest;
  if (!archive) return honest;
  TrapGuard guard;
  NearDuplicates duplicates;
  for (const std::string& address : archive->urls()) {
    const Result<Url> page = Url::parse(address);
    if (!page) continue;
    ++honest.addresses;
    const Verdict verdict = guard.may_follow(canonical(*page));
    if (!verdict) {
      honest.refused.push_back(fmt::format("{} ({})", address, verdict.reason));
      continue;
    }
    const Result<Response> response = archive->load(*archive->find(address));
    // Redirects are other forms of an address: a crawler learns of their target.
    if (!response || !response->ok()) continue;
    ParseOptions options;
    options.detect_language = false;
    const std::string text = parse_page(*response, options).text;
    const bool repeats =
        duplicates.add({static_cast<uint32_t>(honest.addresses)}, text).has_value();
    guard.learn(canonical(*page), repeats ? Worth::kNothing : Worth::kNew);
  }
  return honest;
}

TEST(TrapGuard, honest_webs_lose_nothing) {
  bool any = false;
  for (const char* name : {"schools.warc.gz", "webkb.warc.gz", "miniweb/miniweb.warc.gz"}) {
    const auto file = test_data(name);
    if (!file) continue;
    any = true;
    const Honest honest = walk(*file);
    ASSERT_GT(honest.addresses, 1000u) << name;
    EXPECT_LT(honest.refused.size() * 1000, honest.addresses)
        << name << ", the first: " << honest.refused.front();
    RecordProperty(name, fmt::format("{} of {} refused", honest.refused.size(), honest.addresses));
  }
  if (!any) GTEST_SKIP() << kNoData;
}

}  // namespace
}  // namespace dowser
