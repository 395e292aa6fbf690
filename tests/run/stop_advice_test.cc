#include "engine/stop_advice.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "base/file.h"
#include "base/random.h"
#include "engine/plugins.h"
#include "run/run.h"
#include "tests/support.h"

// Advice on made-up crawls, of which everything is known.

namespace dowser {
namespace {

std::unique_ptr<Judge> any_judge() {
  Topic topic;
  topic.words = "bird";
  return std::move(*make_judge("keyword", {topic}));
}

Visit visit_of(uint32_t id, double relevance) {
  Visit visit;
  visit.id = {id};
  visit.response.status = 200;
  visit.judgement.relevance = {relevance};
  return visit;
}

// What a crawl was told that met pages of these relevances; links wait.
std::optional<Advice> advice_on(const std::vector<double>& relevances) {
  const JudgeInUse judge(any_judge());
  StopAdvice advice(judge);
  for (uint32_t i = 0; i < relevances.size(); ++i) advice.learn(visit_of(i, relevances[i]));
  return advice.advise(1'000'000);
}

// A crawl that has left size / (1 + t / pace) of its targets after t fetches. Targets have
// relevances around 0.7, others below 0.25.
struct MadeCrawl {
  double size, pace;

  double left(size_t fetched) const { return size / (1 + static_cast<double>(fetched) / pace); }
  std::vector<double> relevances(size_t fetched, uint64_t seed) const {
    Random random(seed);
    std::vector<double> made;
    for (size_t t = 0; t < fetched; ++t) {
      const bool is_target = random.uniform() < left(t) - left(t + 1);
      made.push_back(is_target ? 0.45 + 0.5 * random.uniform() : 0.25 * random.uniform());
    }
    return made;
  }
};

TEST(StopAdvice, is_mostly_right_within_a_factor_of_two_where_a_harvest_falls) {
  int right = 0, covered = 0, all = 0;
  for (const double size : {60, 80, 100}) {
    for (const double pace : {80, 120, 180}) {
      for (const size_t fetched : {250, 500, 750}) {
        for (uint64_t seed = 1; seed <= 5; ++seed, ++all) {
          const MadeCrawl crawl{size, pace};
          const Advice advice = *advice_on(crawl.relevances(fetched, seed));
          const double truth = crawl.left(fetched);
          right += advice.remaining <= 2 * truth && truth <= 2 * advice.remaining;
          covered += advice.low <= truth && truth <= advice.high;
        }
      }
    }
  }
  // Their harvest falls more slowly than that of the crawls that the constants come from.
  EXPECT_GE(right, 0.7 * all);
  EXPECT_GE(covered, 0.95 * all);
}

TEST(StopAdvice, grows_with_the_topic_and_the_crawl) {
  for (const double times : {10, 100}) {
    const MadeCrawl crawl{100 * times, 100 * times};
    const auto fetched = static_cast<size_t>(500 * times);
    const Advice advice = *advice_on(crawl.relevances(fetched, 1));
    EXPECT_GT(advice.remaining, crawl.left(fetched) / 4) << times;
    EXPECT_LT(advice.remaining, crawl.left(fetched) * 4) << times;
  }
}

TEST(StopAdvice, counts_whole_pages) {
  for (const double pace : {300, 100, 30}) {
    const Advice advice = *advice_on(MadeCrawl{100, pace}.relevances(500, 3));
    EXPECT_EQ(advice.remaining, std::round(advice.remaining));
    EXPECT_LE(advice.low, advice.remaining);
    EXPECT_GE(advice.high, advice.remaining);
  }
}

TEST(StopAdvice, says_less_is_left_the_further_the_harvest_has_fallen) {
  double before = 1e9;
  for (const double pace : {1000, 300, 100, 30}) {
    const double left = advice_on(MadeCrawl{100, pace}.relevances(500, 3))->remaining;
    EXPECT_LT(left, before) << pace;
    before = left;
  }
}

TEST(StopAdvice, a_harvest_that_has_not_fallen_may_go_on_for_long) {
  std::vector<double> relevances;
  for (int i = 0; i < 1000; ++i) relevances.push_back(i % 5 == 0 ? 0.9 : 0.1);
  const Advice advice = *advice_on(relevances);
  EXPECT_GT(advice.high, 10 * advice.remaining);
}

TEST(StopAdvice, serves_judges_that_only_say_yes_or_no_and_seldom_yes) {
  for (const double relevant : {0.02, 0.3, 0.98}) {
    std::vector<double> steady, fallen;
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
      steady.push_back(random.uniform() < relevant);
      fallen.push_back(i < 500 * relevant);
    }
    EXPECT_GT(advice_on(steady)->remaining, 2 * advice_on(fallen)->remaining) << relevant;
  }
  EXPECT_GE(advice_on(std::vector<double>(300, 0.0))->remaining, 0);
  EXPECT_GE(advice_on(std::vector<double>(300, 1.0))->remaining, 50);
}

TEST(StopAdvice, is_silent_while_it_is_too_early) {
  EXPECT_FALSE(advice_on(std::vector<double>(StopAdvice::kLeastFetches - 1, 0.5)));
  EXPECT_TRUE(advice_on(std::vector<double>(StopAdvice::kLeastFetches, 0.5)));
}

TEST(StopAdvice, where_nothing_waits_nothing_is_left) {
  const JudgeInUse judge(any_judge());
  StopAdvice advice(judge);
  for (uint32_t i = 0; i < 200; ++i) advice.learn(visit_of(i, i % 3 == 0));
  const Advice none = *advice.advise(0);
  EXPECT_EQ(none.remaining, 0);
  EXPECT_EQ(none.high, 0);
  EXPECT_EQ(none.next_high, 0);
  EXPECT_EQ(none.recall(), 1);
}

TEST(StopAdvice, its_numbers_are_in_order_whatever_comes) {
  EXPECT_TRUE(rc::check([](std::vector<uint8_t> values, uint16_t more) {
    std::vector<double> relevances;
    for (const uint8_t value : values) relevances.push_back(value / 255.0);
    Random random(more);
    while (relevances.size() < 100 + more % 1500u) {
      relevances.push_back(more % 2 ? random.uniform() : std::round(random.uniform()));
    }
    const Advice a = *advice_on(relevances);
    RC_ASSERT(0 <= a.low && a.low <= a.remaining && a.remaining <= a.high);
    RC_ASSERT(0 <= a.next_low && a.next_low <= a.next_thousand && a.next_thousand <= a.next_high);
    RC_ASSERT(a.next_thousand <= a.remaining && a.next_high <= 1000);
    RC_ASSERT(0 <= a.least_recall() && a.least_recall() <= a.recall() && a.recall() <= 1);
  }));
}

TEST(StopAdvice, what_was_not_asked_for_or_has_been_had_before_is_no_find) {
  const JudgeInUse judge(any_judge());
  StopAdvice plain(judge), disturbed(judge);
  const std::vector<double> relevances = MadeCrawl{80, 100}.relevances(400, 1);
  for (uint32_t i = 0; i < relevances.size(); ++i) {
    plain.learn(visit_of(i, relevances[i] > 0.4 ? relevances[i] : 0));
    Visit visit = visit_of(i, relevances[i] > 0.4 ? relevances[i] : 0.9);
    if (relevances[i] <= 0.4) {
      if (i % 3 == 0) visit.near_duplicate_of = VisitId{0};
      if (i % 3 == 1) visit.soft_404 = true;
      if (i % 3 == 2) visit.response.status = 404;
    }
    disturbed.learn(visit);
  }
  EXPECT_EQ(plain.advise(1'000'000), disturbed.advise(1'000'000));
  // Visits that robots.txt forbids are no fetches.
  StopAdvice forbidden(judge);
  for (uint32_t i = 0; i < 300; ++i) {
    Visit visit = visit_of(i, 0);
    visit.response.failure = Failure::kRobots;
    forbidden.learn(visit);
  }
  EXPECT_FALSE(forbidden.advise(1'000'000));
}

// A judge whose trainer makes another of it at the 150th page, which goes by the term 7.
class LateJudge final : public Judge, public Learns {
 public:
  explicit LateJudge(bool has_learned) : has_learned_(has_learned) {}
  Judgement judge(const Page& page) const override {
    return {relevance(terms_of(page)), has_term(terms_of(page)), "", {}};
  }
  Relevance relevance(const PageTerms& page) const override {
    return {has_learned_ ? (has_term(page) ? 0.9 : 0.1) : 0.5};
  }
  Spec spec() const override { return {"late", {}}; }
  double threshold() const override { return 0.5; }
  std::unique_ptr<Trainer> trainer() const override;

 private:
  static bool has_term(const PageTerms& page) {
    return !page.terms.empty() && page.terms.front().term == 7;
  }

  const bool has_learned_;
};

class LateTrainer final : public Trainer {
 public:
  std::unique_ptr<Judge> learn(const Visit& visit) override {
    return visit.id.value == 150 ? std::make_unique<LateJudge>(true) : nullptr;
  }
  void save(ByteWriter&) const override {}
  Result<std::unique_ptr<Judge>> load(ByteReader&) override { return std::unique_ptr<Judge>(); }
};

std::unique_ptr<Trainer> LateJudge::trainer() const { return std::make_unique<LateTrainer>(); }

TEST(StopAdvice, pages_are_judged_again_when_the_judge_has_learned) {
  JudgeInUse learning(std::make_unique<LateJudge>(false));
  const JudgeInUse knowing(std::make_unique<LateJudge>(true));
  StopAdvice advice(learning), of_knowing(knowing);
  for (uint32_t i = 0; i < 300; ++i) {
    Visit visit = visit_of(i, 0);
    visit.page.terms = {{i % 10 == 0 || i < 60 ? 7u : 8u, 1}};
    visit.judgement = learning.judge(visit.page);
    learning.learn(visit);
    advice.learn(visit);
    visit.judgement = knowing.judge(visit.page);
    of_knowing.learn(visit);
  }
  EXPECT_EQ(advice.advise(1'000'000), of_knowing.advise(1'000'000));
}

TEST(StopAdvice, goes_on_as_though_nothing_had_happened) {
  const JudgeInUse judge(any_judge());
  for (const uint32_t visits : {0u, 150u, 2500u}) {
    StopAdvice whole(judge), resumed(judge);
    const std::vector<double> relevances = MadeCrawl{100, 100}.relevances(4000, 1);
    for (uint32_t i = 0; i < visits; ++i) whole.learn(visit_of(i, relevances[i]));
    size_t read = 0;
    resumed.restore(visits, visits, [&](VisitId id) -> Result<Visit> {
      ++read;
      return visit_of(id.value, relevances[id.value]);
    });
    EXPECT_LE(read, 1000u);
    EXPECT_EQ(resumed.advise(1'000'000), whole.advise(1'000'000));
    for (uint32_t i = visits; i < relevances.size(); ++i) {
      whole.learn(visit_of(i, relevances[i]));
      resumed.learn(visit_of(i, relevances[i]));
    }
    EXPECT_EQ(resumed.advise(1'000'000), whole.advise(1'000'000));
  }
}

TEST(ReasonToStop, goes_by_the_bounds_and_never_early) {
  Advice advice;
  advice.found = 90;
  advice.remaining = 4, advice.low = 1, advice.high = 10;
  advice.next_thousand = 3, advice.next_low = 1, advice.next_high = 8;
  EXPECT_EQ(reason_to_stop({}, advice, 1000), "") << "no rule, no reason";
  EXPECT_EQ(reason_to_stop({.recall = 0.91}, advice, 1000), "") << "surely found is 90 of 100";
  EXPECT_EQ(reason_to_stop({.recall = 0.9}, advice, 1000),
            "about 96 % of the reachable relevant pages have been found, and at least 90 %");
  EXPECT_EQ(reason_to_stop({.harvest = 0.007}, advice, 1000), "");
  EXPECT_EQ(reason_to_stop({.harvest = 0.008}, advice, 1000),
            "the next thousand fetches would find about 3 relevant pages, and at most 8");
  EXPECT_EQ(reason_to_stop({.recall = 0.5, .harvest = 1}, advice, 199), "");
}

TEST(Recommendation, says_what_to_do) {
  Advice few{80, 2, 0, 8, 1, 0, 5}, many{80, 900, 300, 3000, 600, 150, 1000},
      unknown{80, 40, 10, 2000, 20, 5, 1000}, half{16, 25, 10, 60, 12, 5, 30};
  EXPECT_NE(recommendation(few).find("time to stop"), std::string::npos);
  EXPECT_NE(recommendation(many).find("It is worth continuing"), std::string::npos);
  EXPECT_NE(recommendation(unknown).find("look again"), std::string::npos);
  EXPECT_EQ(advice_text(few), "about 2 left (0 to 8)");
  EXPECT_EQ(advice_text(unknown), "cannot tell yet how many are left");
  EXPECT_EQ(recommendation(half).find("Most pages have been found"), std::string::npos);
  EXPECT_NE(recommendation(half).find("about 39 % have been found"), std::string::npos);
}

TEST(Advice, says_nothing_of_what_is_left_while_links_wait_on_several_sites) {
  const JudgeInUse judge(any_judge());
  StopAdvice of_crawl(judge);
  for (uint32_t i = 0; i < 400; ++i) of_crawl.learn(visit_of(i, i < 50 ? 0.8 : 0.1));
  const Advice one = *of_crawl.advise(1000, 133, 1), two = *of_crawl.advise(1000, 133, 2);
  ASSERT_TRUE(one.can_tell());
  EXPECT_FALSE(two.can_tell());
  EXPECT_EQ(two.next_high, one.next_high) << "what comes next can be seen";
  EXPECT_EQ(advice_text(two), "cannot tell how many are left");
  EXPECT_NE(recommendation(two).find("links wait on 2 sites"), std::string::npos);
  const StopRule rule{.recall = one.least_recall()};
  EXPECT_NE(reason_to_stop(rule, one, 1000), "");
  EXPECT_EQ(reason_to_stop(rule, two, 1000), "");
  EXPECT_EQ(of_crawl.advise(0, 133, 0)->sites, 1) << "everything was fetched";
}

TEST(Advice, bounds_do_not_exceed_what_waits) {
  const JudgeInUse judge(any_judge());
  StopAdvice advice(judge);
  for (uint32_t i = 0; i < 400; ++i) advice.learn(visit_of(i, i % 3 == 0 ? 0.8 : 0.1));
  for (const size_t waiting : {1u, 7u, 300u}) {
    const Advice told = *advice.advise(waiting, 133);
    EXPECT_LE(told.high, static_cast<double>(waiting));
    EXPECT_LE(told.remaining, told.high);
    EXPECT_LE(told.low, told.remaining);
    EXPECT_LE(told.next_high, told.high);
    EXPECT_EQ(told.found, 133);
    EXPECT_DOUBLE_EQ(told.recall(), 133 / (133 + told.remaining));
  }
}

// 60 pages about birds that link to each other, then 900 about stones.
class StopRuleTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path site = dir_.path() / "site";
    std::filesystem::create_directories(site);
    for (int i = 0; i < kPages; ++i) {
      std::string html = i < 60 ? "<p>birds build a nest" : "<p>stones lie in the water";
      html += " w" + std::to_string(i * 7919 % 5003) + " v" + std::to_string(i * 104729 % 7001);
      for (int link = i + 1; link < i + 5; ++link) {
        html += " <a href=" + std::to_string(link) + ".html>on</a>";
      }
      ASSERT_TRUE(put_file(site / (std::to_string(i) + ".html"), html).ok());
    }
    const Ran packed = run_dowser({"pack", site.string(), "--host", "web.test", "--to", web_});
    ASSERT_EQ(packed.code, 0) << packed.err;
    config_.web = {web_};
    config_.seeds = {"http://web.test/0.html"};
    config_.topic = "bird nest";
    config_.strategy = "best-first";
    config_.near_duplicates = false;
    config_.out = dir_ / "out";
  }

  static RunResult run(const CrawlConfig& config, bool resume) {
    const auto result = resume ? resume_crawl(config) : run_crawl(config);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? *result : RunResult{};
  }

  static constexpr int kPages = 960;
  TempDir dir_;
  std::string web_ = dir_ / "web.warc.gz";
  CrawlConfig config_;
};

TEST_F(StopRuleTest, ends_a_crawl_with_a_reason_and_a_resumed_one_at_once) {
  config_.stop_at_harvest = 0.02;
  const CrawlCounters stopped = run(config_, false).counters;
  EXPECT_GE(stopped.fetched, StopRule::kLeastFetches);
  EXPECT_LT(stopped.fetched, size_t{kPages} - 100);
  EXPECT_EQ(stopped.relevant, 60u);
  EXPECT_NE(stopped.enough.find("the next thousand fetches would find"), std::string::npos);

  CrawlConfig again = *config_of(config_.out);
  EXPECT_EQ(again.stop_at_harvest, 0.02);
  const CrawlCounters still = run(again, true).counters;
  EXPECT_EQ(still.fetched, stopped.fetched) << "the rule is kept, and so is what it goes by";
  EXPECT_EQ(still.advice, stopped.advice);
  EXPECT_EQ(still.waiting, stopped.waiting);
  EXPECT_EQ(still.enough, stopped.enough);

  again.stop_at_harvest = 0;
  const CrawlCounters whole = run(again, true).counters;
  EXPECT_EQ(whole.fetched, size_t{kPages});
  EXPECT_EQ(whole.enough, "");
}

TEST_F(StopRuleTest, recall_ends_it_too) {
  config_.stop_at_recall = 0.6;
  const CrawlCounters stopped = run(config_, false).counters;
  EXPECT_LT(stopped.fetched, size_t{kPages});
  EXPECT_NE(stopped.enough.find("reachable relevant pages have been found"), std::string::npos);
}

TEST_F(StopRuleTest, the_report_says_what_is_left) {
  config_.max_pages = 300;
  const RunResult result = run(config_, false);
  ASSERT_TRUE(result.counters.advice);
  EXPECT_EQ(result.counters.enough, "");
  const std::string html = *read_file(result.report);
  EXPECT_NE(html.find("<h2>Continue or stop?</h2>"), std::string::npos);
  EXPECT_NE(html.find("the next thousand fetches should find"), std::string::npos);
}

}  // namespace
}  // namespace dowser
