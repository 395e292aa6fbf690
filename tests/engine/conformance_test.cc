#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "engine/crawl.h"
#include "engine/make_page.h"
#include "engine/plugins.h"
#include "fetch/memory_web.h"
#include "learn/hmm_file.h"
#include "learn/signature/signature_files.h"
#include "tests/made_browsing.h"
#include "text/terms.h"

// The promises that every strategy and every judge of the lists keeps on a web with all that a
// crawl meets: a topic and examples, a judge that learns, redirects, sitemaps, feeds, copies, pages
// that are "not found" with status 200, and pages that fail. (The scenarios test the order; the
// program is killed and resumed in tests/run/same_bytes_test.cc.)

namespace dowser {
namespace {

constexpr int kPages = 120;
constexpr int kHosts = 4;

std::string host(int page) { return fmt::format("http://h{}.test", page % kHosts); }
std::string address(int page) { return fmt::format("{}/{}.html", host(page), page); }

Response made(int status, std::string_view type, std::string body, std::string location = "") {
  Response response;
  response.status = status;
  response.reason = "-";
  response.headers.add("Content-Type", std::string(type));
  if (!location.empty()) response.headers.add("Location", std::move(location));
  response.body = std::move(body);
  return response;
}

void add_page(MemoryWeb& web, int page, Random& random) {
  std::string body = fmt::format("<title>page {}</title><p>", page);
  for (int word = 0; word < 60; ++word) {
    const bool of_topic = random.below(page % 5 == 0 ? 3 : 20) == 0;
    body += of_topic ? (random.below(2) ? "lighthouse " : "beacon ")
                     : fmt::format("w{} ", random.below(900));
  }
  if (page % 10 == 7) {  // all of these are copies of each other
    body =
        "<title>copy</title><p>the keeper of the lighthouse walks up the stairs every evening and "
        "lights the lamp that shows the ships their way between the rocks ";
    for (const int to : {11, 22, 33}) body += fmt::format("<a href='{}'>on</a> ", address(to));
    web.add(address(page), made(200, "text/html", body));
    return;
  }
  for (int link = 0; link < 6; ++link) {
    const auto to = static_cast<int>(random.below(kPages));
    const std::string words = random.below(4) ? fmt::format("to {}", to) : "the lighthouse";
    switch (random.below(8)) {
      case 0:
        body += fmt::format("<a href='{}/old/{}'>{}</a> ", host(to + 1), to, words);
        break;
      case 1:
        body += fmt::format("<a href='{}/missing/{}'>{}</a> ", host(0), to, words);
        break;
      case 2:
        body += fmt::format("<a href='{}/broken/{}'>{}</a> ", host(to), to, words);
        break;
      default:
        body += fmt::format("<p><a href='{}'>{}</a> ", address(to), words);
    }
  }
  web.add(address(page), made(200, "text/html", body));
}

MemoryWeb made_web() {
  MemoryWeb web;
  Random random(5);
  for (int n = 0; n < kHosts; ++n) {
    web.add(host(n) + "/robots.txt",
            made(200, "text/plain",
                 fmt::format("User-agent: *\nDisallow: /private/\nSitemap: "
                             "{}/sitemap.xml\n",
                             host(n))));
    std::string sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
    for (int page = n; page < kPages; page += 3 * kHosts) {
      sitemap += fmt::format("<url><loc>{}</loc></url>", address(page));
    }
    web.add(host(n) + "/sitemap.xml", made(200, "application/xml", sitemap + "</urlset>"));
  }
  for (int page = 0; page < kPages; ++page) {
    add_page(web, page, random);
    web.add(fmt::format("{}/old/{}", host(page + 1), page),
            made(301, "text/html", "", address(page)));
    web.add(fmt::format("{}/broken/{}", host(page), page), made(500, "text/html", "no"));
  }
  // Host 0 never says 404.
  web.answer_all(host(0) + "/", [](const Url&) {
    return made(200, "text/html", "<title>Sorry</title><p>We could not find what you asked for");
  });
  return web;
}

Page page_at(MemoryWeb& web, int page) {
  return make_page(web.get(*Url::parse(address(page))), {}, false);
}

// A signature so wide that the order of words, which the terms of a page do not tell, does not
// matter: it hits wherever its head has company.
std::string made_library() {
  Signature s;
  s.name = "tr_lighthouse_beacon_keeper_1";
  s.words = {"lighthouse", "beacon", "keeper"};
  s.centroid[0] = 1;
  s.angle = 2;
  s.evidence = {3, 4, 1, 10};
  return library_text({s});
}

// What a strategy and a judge are made of.
struct Setting {
  MemoryWeb web = made_web();
  Topic topic;
  HmmFile hmm = made_browsing(
      {{"lighthouse", "beacon", "beacon", "w1", "w2"}, {{1, 0}, {2, 0}, {3, 4}, {4, 3}}});
  std::string library = made_library();
  std::vector<EarlierFind> earlier = {{*Url::parse(address(10)), 0.9}};
  std::vector<Page> neighbours;

  Setting() {
    topic.words = "lighthouse beacon";
    for (const int page : {5, 15, 25}) topic.examples.push_back(page_at(web, page));
    for (const int page : {1, 2, 3, 4}) neighbours.push_back(page_at(web, page));
  }

  std::unique_ptr<JudgeInUse> judge(std::string_view text) const {
    const bool is_signatures = text.starts_with("signatures");
    auto judge = make_judge(
        text, {topic, {}, is_signatures ? std::string_view(library) : std::string_view(), &hmm});
    EXPECT_TRUE(judge.ok()) << text << ": " << judge.error().message;
    return std::make_unique<JudgeInUse>(std::move(*judge));
  }

  std::unique_ptr<Strategy> strategy(std::string_view text, const JudgeInUse& judge) const {
    StrategyContext context{topic, 7};
    context.layers_around_examples = [this](size_t layers, size_t, bool) {
      PageLayers found(layers);
      for (size_t i = 0; i < neighbours.size(); ++i) {
        found[i % layers].push_back(&neighbours[i]);
      }
      return found;
    };
    context.earlier = earlier;
    context.judge = &judge;
    context.hmm = &hmm;
    auto strategy = make_strategy(text, context);
    EXPECT_TRUE(strategy.ok()) << text << ": " << strategy.error().message;
    return std::move(*strategy);
  }
};

// A visit as a resumed crawl has it: without the reasons, and with the links that were scored.
struct Kept {
  Visit visit;
  std::vector<size_t> scored;
};

struct Crawled {
  std::vector<Kept> kept;
  std::vector<std::string> saved_strategy, saved_judge;  // after each visit; "" if not saved
  CrawlCounters counters;
};

Crawled crawl_web(Setting& setting, Strategy& strategy, JudgeInUse& judge) {
  Crawled crawled;
  SimulatedClock clock(Time{0});
  Frontier frontier({});
  GuardOptions guard_options;
  guard_options.soft_404 = true;
  auto guards = Guards::make(guard_options);
  WorkOptions work;
  work.sketches = work.sitemaps = true;
  InlineWorkers workers(setting.web, clock, judge, work);
  const auto keep = [&](KeptVisit given, const CrawlCounters&, const SavedFlight*) {
    Kept& kept = crawled.kept.emplace_back();
    for (size_t i = 0; i < given.links.size(); ++i) {
      if (given.links[i].refused.empty()) kept.scored.push_back(i);
    }
    kept.visit = std::move(given.visit);
    kept.visit.judgement.reasons.clear();
    ByteWriter of_strategy, of_judge;
    if (const auto* saves = dynamic_cast<const SavesState*>(&strategy)) saves->save(of_strategy);
    judge.save(of_judge);
    crawled.saved_strategy.push_back(of_strategy.bytes());
    crawled.saved_judge.push_back(of_judge.bytes());
    return Status{};
  };
  CrawlParts parts{clock, frontier, strategy, workers, [](const Url&) { return true; }, keep};
  parts.guards = &*guards;
  parts.judge = &judge;
  CrawlLimits limits;
  limits.max_pages = 150;
  limits.sitemaps = true;
  const std::vector<Url> seeds = {*Url::parse(address(0)), *Url::parse(address(1))};
  const auto counters = crawl(parts, limits, seeds, CrawlEvents());
  EXPECT_TRUE(counters.ok());
  if (counters) crawled.counters = *counters;
  return crawled;
}

// Gives the visit as a resumed crawl does; the scores.
std::vector<std::optional<Score>> give(const Kept& kept, Strategy& strategy, JudgeInUse& judge) {
  judge.learn(kept.visit);
  strategy.learn(kept.visit);
  std::vector<std::optional<Score>> scores;
  for (const size_t i : kept.scored) {
    scores.push_back(strategy.score(kept.visit, kept.visit.page.links[i]));
  }
  return scores;
}

std::string test_name(std::string_view plugin) {
  std::string name(plugin);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryStrategyOnARichWeb : public testing::TestWithParam<StrategyPlugin> {};

TEST_P(EveryStrategyOnARichWeb, meets_everything_and_fetches_no_page_twice) {
  Setting setting;
  const auto judge = setting.judge(GetParam().judge);
  const auto strategy = setting.strategy(GetParam().name, *judge);
  const Crawled crawled = crawl_web(setting, *strategy, *judge);
  EXPECT_GT(crawled.counters.relevant, 0u);
  EXPECT_GT(crawled.counters.redirected, 0u);
  EXPECT_GT(crawled.counters.near_duplicates, 0u);
  EXPECT_GT(crawled.counters.failed, 0u);
  std::map<std::string, int> times;
  for (const Kept& kept : crawled.kept) ++times[std::string(kept.visit.candidate.url.href())];
  for (const auto& [url, count] : times) EXPECT_EQ(count, 1) << url;
}

// Whatever it has learned can be had again: from all visits, or from what it saved in the middle
// and the visits since. Then it scores the links of further pages like the strategy that never
// stopped.
TEST_P(EveryStrategyOnARichWeb, scores_alike_after_a_replay_and_after_save_and_load) {
  Setting setting;
  auto judge = setting.judge(GetParam().judge);
  auto strategy = setting.strategy(GetParam().name, *judge);
  const Crawled crawled = crawl_web(setting, *strategy, *judge);
  const size_t n = crawled.kept.size(), middle = n / 2, end = n - 10;

  const auto check = [&](size_t saved_at, const char* how) {
    // One that never stopped, as a replay of everything: select() and revise() change nothing.
    auto whole_judge = setting.judge(GetParam().judge);
    auto whole = setting.strategy(GetParam().name, *whole_judge);
    auto other_judge = setting.judge(GetParam().judge);
    auto other = setting.strategy(GetParam().name, *other_judge);
    if (saved_at > 0) {
      auto* saves = dynamic_cast<SavesState*>(other.get());
      if (!saves) return;
      ByteReader of_strategy(crawled.saved_strategy[saved_at - 1]);
      ByteReader of_judge(crawled.saved_judge[saved_at - 1]);
      if (!of_strategy.at_end()) {
        ASSERT_TRUE(saves->load(of_strategy).ok());
        EXPECT_TRUE(of_strategy.at_end());
      }
      if (!of_judge.at_end()) {
        ASSERT_TRUE(other_judge->load(of_judge).ok());
      }
    }
    for (size_t i = 0; i < n; ++i) {
      const auto expected = give(crawled.kept[i], *whole, *whole_judge);
      if (i < saved_at) continue;
      const auto got = give(crawled.kept[i], *other, *other_judge);
      if (i >= end) {
        ASSERT_EQ(got, expected) << how << ", visit " << i;
      }
    }
  };
  check(0, "replayed");
  check(middle, "saved and loaded");
}

// Strategies whose scores are not sums explain them by facts alone.
TEST_P(EveryStrategyOnARichWeb, explains_each_score_by_terms_that_add_up_to_it) {
  Setting setting;
  auto judge = setting.judge(GetParam().judge);
  auto strategy = setting.strategy(GetParam().name, *judge);
  const Crawled crawled = crawl_web(setting, *strategy, *judge);
  judge = setting.judge(GetParam().judge);
  strategy = setting.strategy(GetParam().name, *judge);
  const auto* explains = dynamic_cast<const ExplainsScores*>(strategy.get());
  if (!explains) return;
  for (const Kept& kept : crawled.kept) {
    judge->learn(kept.visit);
    strategy->learn(kept.visit);
    for (const size_t i : kept.scored) {
      const Link& link = kept.visit.page.links[i];
      const std::optional<Score> score = strategy->score(kept.visit, link);
      if (!score || *score == Score::last()) continue;
      double sum = 0;
      size_t terms = 0;
      for (const ScorePart& part : explains->explain(kept.visit, link)) {
        if (part.kind == ScorePart::kFact) continue;
        sum += part.value;
        ++terms;
      }
      if (terms > 0) {
        ASSERT_NEAR(sum, score->value(), 1e-9) << link.url.href();
      }
    }
  }
}

TEST_P(EveryStrategyOnARichWeb, refuses_what_was_saved_and_is_cut_short) {
  Setting setting;
  const auto judge = setting.judge(GetParam().judge);
  const auto strategy = setting.strategy(GetParam().name, *judge);
  if (!dynamic_cast<const SavesState*>(strategy.get())) return;
  const Crawled crawled = crawl_web(setting, *strategy, *judge);
  const std::string& saved = crawled.saved_strategy.back();
  if (saved.empty()) return;
  const auto other = setting.strategy(GetParam().name, *judge);
  ByteReader in(std::string_view(saved).substr(0, saved.size() - 1));
  EXPECT_FALSE(dynamic_cast<SavesState&>(*other).load(in).ok());
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryStrategyOnARichWeb,
                         testing::ValuesIn(strategy_plugins()),
                         [](const auto& info) { return test_name(info.param.name); });

class EveryJudge : public testing::TestWithParam<JudgePlugin> {
 protected:
  std::string name() const { return std::string(GetParam().name); }
};

TEST_P(EveryJudge, round_trips_through_its_text_form_and_refuses_other_parameters) {
  Setting setting;
  const std::string text = setting.judge(name())->spec().text();
  EXPECT_EQ(setting.judge(text)->spec().text(), text);
  const auto wrong = make_judge(name() + "(no-such-parameter=1)", {setting.topic, {}, {}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find(name()), std::string::npos);
}

// Also a judge that has learned: the relevance is that of the terms alone, from 0 to 1.
TEST_P(EveryJudge, gives_a_page_and_its_terms_the_same_relevance) {
  Setting setting;
  const auto judge = setting.judge(name());
  const auto strategy = setting.strategy("best-first", *judge);
  const auto compare = [&] {
    for (int i = 0; i < kPages; ++i) {
      const Page page = page_at(setting.web, i);
      const double relevance = judge->judge(page).relevance.value;
      EXPECT_EQ(judge->relevance(terms_of(page)).value, relevance) << i;
      EXPECT_EQ(judge->relevance(KeptTerms(page)).value, relevance) << i;
      EXPECT_GE(relevance, 0);
      EXPECT_LE(relevance, 1);
    }
  };
  compare();
  crawl_web(setting, *strategy, *judge);
  compare();
}

TEST_P(EveryJudge, judges_alike_after_a_replay_and_after_save_and_load) {
  Setting setting;
  const auto judge = setting.judge(name());
  const auto strategy = setting.strategy("best-first", *judge);
  const Crawled crawled = crawl_web(setting, *strategy, *judge);
  const size_t middle = crawled.kept.size() / 2;
  const auto replayed = setting.judge(name()), loaded = setting.judge(name());
  ByteReader in(crawled.saved_judge[middle - 1]);
  ASSERT_TRUE(loaded->load(in).ok());
  for (size_t i = 0; i < crawled.kept.size(); ++i) {
    replayed->learn(crawled.kept[i].visit);
    if (i >= middle) loaded->learn(crawled.kept[i].visit);
  }
  EXPECT_EQ(replayed->generation(), judge->generation());
  EXPECT_EQ(loaded->generation(), judge->generation());
  for (int i = 0; i < kPages; ++i) {
    const Page page = page_at(setting.web, i);
    const double relevance = judge->judge(page).relevance.value;
    EXPECT_EQ(replayed->judge(page).relevance.value, relevance) << i;
    EXPECT_EQ(loaded->judge(page).relevance.value, relevance) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryJudge, testing::ValuesIn(judge_plugins()),
                         [](const auto& info) { return test_name(info.param.name); });

}  // namespace
}  // namespace dowser
