#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/infospiders/spider_page.h"

namespace dowser {
namespace {

// Words point towards the topic as much as "owl" is among them; a page is relevant by its owls.
class OwlJudge final : public JudgeView {
 public:
  double threshold() const override { return 0.5; }
  uint64_t generation() const override { return generation_; }
  Relevance relevance(const PageTerms& page) const override {
    for (const TermCount& t : page.terms) {
      if (t.term == term_id("owl")) return {strength_};
    }
    return {0};
  }
  double direction_of(std::span<const TermId> terms) const override {
    for (const TermId term : terms) {
      if (term == term_id("owl")) return strength_;
    }
    return 0;
  }
  void learn(double strength) {
    strength_ = strength;
    ++generation_;
  }

 private:
  uint64_t generation_ = 0;
  double strength_ = 0.5;
};

class LearnedTest : public testing::Test {
 protected:
  std::unique_ptr<Strategy> make(std::string_view text = "learned") {
    const Topic topic{"owl", {}};
    return std::move(*make_learned(*Spec::parse(text), {.topic = topic, .judge = &judge_}));
  }

  Visit visit(uint32_t id, std::string_view name, std::string_view text, double relevance,
              std::optional<uint32_t> parent = {}) {
    Visit visit = spider_visit(id, name, text, parent);
    visit.page.tag_paths = {"p>a"};
    visit.response.url = visit.candidate.url;
    visit.response.status = 200;
    visit.judgement.relevance.value = relevance;
    return visit;
  }

  // Learns the visit, offers its links, and lets the strategy revise; the scores it gave.
  static std::vector<double> feed(Strategy& strategy, const Visit& visit, Frontier& frontier) {
    std::vector<double> scores;
    frontier.finish(visit.candidate.url, visit.id);
    strategy.learn(visit);
    for (const Link& link : visit.page.links) {
      const std::optional<Score> score = strategy.score(visit, link);
      scores.push_back(score->value());
      frontier.offer(link.url, *score, {visit.id, 1, link.position});
    }
    FrontierView view(frontier);
    strategy.revise(view);
    return scores;
  }

  OwlJudge judge_;
};

// One link, no page fetched behind any: hub, near, group are what is expected, 0.7 · 0.2 + 0.015 =
// 0.155, for the page is the only one visited and has 0.2. So are tag and directory, but the page's
// own fetch counts in the directory: (0.2 + 3 · 0.155) / 4 = 0.16625.
//
//   anchor "owl" 0.5: (8 + 6) · 0.5 = 7      context "owl" 0.5: (3 + 4) · 0.5 = 3.5     address: 0
//   page 0.2: 0.2 + 0.2 + 0.3 · ln 1.2       hub: 2 · 0.155     near: 3.7 · 0.155
//   group 0.155, tag 0.155, directory 0.16625
//   topic: the word of the topic in the anchor has led nowhere, so its yield is what is expected;
//   one of two addresses is linked to with it: 20 · ln(1 + 2/2) / ln(1 + 2)
TEST_F(LearnedTest, a_score_is_the_weighted_sum_of_the_evidence) {
  const auto strategy = make();
  Frontier frontier({});
  const std::vector<double> scores =
      feed(*strategy, visit(0, "s", "[owl>a] of the", 0.2), frontier);
  ASSERT_EQ(scores.size(), 1u);
  const double expected = 7 + 3.5 + 0.4 + 0.3 * std::log(1.2) + 2 * 0.155 + 3.7 * 0.155 +
                          2 * 0.155 + 0.16625 + 20 * std::log(2) / std::log(3);
  EXPECT_NEAR(scores[0], expected, 1e-6);
}

// Two words of the topic, of which one has led to nothing and the other to what was meant. The
// judge cannot tell them apart.
TEST_F(LearnedTest, a_word_of_the_topic_counts_by_what_links_with_it_have_led_to) {
  const Topic topic{"heron crane", {}};
  const auto strategy =
      std::move(*make_learned(*Spec::parse("learned"), {.topic = topic, .judge = &judge_}));
  Frontier frontier({});
  feed(*strategy, visit(0, "s", "[crane>a] far away [crane>b] far away [heron>c] far [heron>d]", 0),
       frontier);
  for (const auto& [id, name, relevance] :
       {std::tuple(1u, "a", 0.0), std::tuple(2u, "b", 0.0), std::tuple(3u, "c", 1.0)}) {
    ASSERT_TRUE(FrontierView(frontier).take(spider_address(name)));
    feed(*strategy, visit(id, name, "machines and birds", relevance, 0), frontier);
  }
  const std::vector<double> scores =
      feed(*strategy, visit(4, "t", "[crane>x] of the and [heron>y]", 0), frontier);
  EXPECT_GT(scores[1], scores[0] + 5);
}

TEST_F(LearnedTest, sites_are_explored_unless_that_is_left_out) {
  const auto explores = make(), leaves_out = make("learned(without=sites)");
  EXPECT_TRUE(dynamic_cast<const ExploresHosts&>(*explores).exploration().is_on());
  EXPECT_FALSE(dynamic_cast<const ExploresHosts&>(*leaves_out).exploration().is_on());
}

TEST_F(LearnedTest, neighbours_of_a_link_that_paid_go_first) {
  const auto strategy = make();
  Frontier frontier({});
  feed(*strategy, visit(0, "s", "[x>a] y [x>b] y [x>c] y [x>d] y [x>e] y [x>f] y [x>g] y [x>h]", 0),
       frontier);
  ASSERT_TRUE(FrontierView(frontier).take(spider_address("e")));
  feed(*strategy, visit(1, "e", "much of owls", 1, 0), frontier);
  EXPECT_EQ(FrontierView(frontier).take()->url, spider_address("d"));
  EXPECT_EQ(FrontierView(frontier).take()->url, spider_address("f"));
}

TEST_F(LearnedTest, when_the_judge_has_learned_everything_that_waits_is_scored_again) {
  const auto strategy = make("learned");
  Frontier frontier({});
  feed(*strategy, visit(0, "s", "[owl>a] far far [other>b]", 0), frontier);
  const double before = FrontierView(frontier).best_score()->value();
  judge_.learn(0.9);
  feed(*strategy, visit(1, "t", "nothing", 0), frontier);
  EXPECT_GT(FrontierView(frontier).best_score()->value(), before + 5);
}

TEST_F(LearnedTest, where_very_many_wait_the_best_are_scored_again) {
  const auto strategy = make("learned");
  Frontier frontier({});
  std::string text;
  for (int i = 0; i < 21'000; ++i)
    text += fmt::format("[{}>p{}] far far ", i == 9 ? "owl" : "x", i);
  feed(*strategy, visit(0, "s", text, 0), frontier);
  const double before = FrontierView(frontier).best_score()->value();
  judge_.learn(0.9);
  feed(*strategy, visit(1, "t", "nothing", 0), frontier);
  EXPECT_GT(FrontierView(frontier).best_score()->value(), before + 5);
  EXPECT_EQ(FrontierView(frontier).take()->url, spider_address("p9"));
}

TEST_F(LearnedTest, saved_and_loaded_in_the_middle_it_scores_alike) {
  const std::string page = "[owl>a] of [b>b] and [owl nest>c] or [d>d]";
  const auto whole = make();
  Frontier frontier({}), other({});
  feed(*whole, visit(0, "s", page, 0.3), frontier);
  feed(*whole, visit(1, "a", "owl [x>c] [y>e]", 0.8, 0), frontier);
  ByteWriter out;
  saves(*whole).save(out);
  const auto again = make();
  ByteReader in(out.bytes());
  ASSERT_TRUE(saves(*again).load(in).ok());
  judge_.learn(0.7);
  for (Strategy* strategy : {whole.get(), again.get()}) {
    feed(*strategy, visit(2, "b", "owl [x>d] [y>f]", 0.6, 0),
         strategy == whole.get() ? frontier : other);
  }
  const Visit last = visit(3, "z", page, 0.1);
  whole->learn(last);
  again->learn(last);
  for (const Link& link : last.page.links) {
    EXPECT_NEAR(whole->score(last, link)->value(), again->score(last, link)->value(), 1e-6);
  }
}

TEST_F(LearnedTest, goes_on_when_its_memory_is_full) {
  const auto strategy = make("learned(links=1000)");
  Frontier frontier({});
  for (uint32_t id = 0; id < 300; ++id) {
    std::string text;
    for (int i = 0; i < 20; ++i) text += fmt::format("[owl>p{}] and ", (id * 7 + i * 13) % 900);
    const auto scores = feed(*strategy, visit(id, fmt::format("v{}", id), text, 0.5), frontier);
    for (const double score : scores) EXPECT_TRUE(std::isfinite(score));
  }
}

TEST_F(LearnedTest, a_kind_of_evidence_can_be_left_out) {
  Frontier frontier({}), other({});
  const Visit page = visit(0, "s", "[owl>a] of the", 0.2);
  const double all = feed(*make(), page, frontier)[0];
  EXPECT_NEAR(feed(*make("learned(without=anchor)"), page, other)[0], all - 7, 1e-6);
  EXPECT_FALSE(make_learned(*Spec::parse("learned(without=luck)"), {.topic = {}}).ok());
}

}  // namespace
}  // namespace dowser
