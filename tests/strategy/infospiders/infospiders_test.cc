#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/infospiders/spider_page.h"

namespace dowser {
namespace {

const Topic kTopic{"owl hawk", {}};

// Pages by name; what is not there comes back empty.
using Web = std::map<std::string, std::string>;

// 80 pages with links to others; every fourth is on the topic and links to its like.
Web tangled_web() {
  Random random(5);
  Web web;
  for (int i = 0; i < 80; ++i) {
    std::string text = i % 4 == 0 ? "owl hawk owl nest " : "stone iron glass ";
    for (int word = 0; word < 10; ++word)
      text += "w" + std::string(1, 'a' + random.below(26)) + " ";
    for (int link = 0; link < 6; ++link) {
      const bool is_like = i % 4 == 0 && link < 3;
      const uint64_t to = is_like ? 4 * random.below(20) : random.below(80);
      text += (to % 4 == 0 ? " owl [hawk>p" : " iron [stone>p") + std::to_string(to) + "] ";
    }
    web["p" + std::to_string(i)] = text;
  }
  return web;
}

// The engine in few lines: one page at a time.
struct SmallCrawl {
  const Web& web;
  Strategy& strategy;
  Frontier& frontier;
  uint32_t visits = 0;
  std::vector<std::string> order = {};
  std::vector<Visit> log = {};

  bool step() {
    FrontierView view(frontier);
    std::vector<Candidate> chosen = strategy.select(view);
    if (chosen.empty()) return false;
    const std::string name(chosen.front().url.path().substr(1));
    const auto at = web.find(name);
    Visit visit;
    visit.id = {visits++};
    visit.candidate = chosen.front();
    if (at != web.end()) visit.page = spider_page(name, at->second);
    frontier.finish(visit.candidate.url, visit.id);
    tell(visit, strategy);
    for (const Link& link : visit.page.links) {
      const auto score = scores[link.position];
      frontier.offer(link.url, *score, {visit.id, 1, link.position});
    }
    order.push_back(name);
    log.push_back(visit);
    return true;
  }
  void tell(const Visit& visit, Strategy& to) {
    to.learn(visit);
    scores.clear();
    for (const Link& link : visit.page.links) scores.push_back(to.score(visit, link));
  }
  std::vector<std::optional<Score>> scores = {};
};

std::unique_ptr<Strategy> make(const std::string& text, const StrategyContext& context) {
  const Spec spec = *Spec::parse(text);
  auto made = spec.name == "infospiders" ? make_infospiders(spec, context)
                                         : make_infospiders_db(spec, context);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
  return std::move(*made);
}

std::vector<std::string> crawl(const std::string& text, uint64_t seed, int pages) {
  const Web web = tangled_web();
  const auto strategy = make(text, {kTopic, seed});
  Frontier frontier{FrontierOptions{}};
  frontier.offer(spider_address("p1"), Score::seed(), {});
  SmallCrawl crawl{web, *strategy, frontier};
  while (pages-- > 0 && crawl.step()) {
  }
  return crawl.order;
}

class BothSpiders : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Infospiders, BothSpiders, testing::Values("infospiders", "infospiders-db"),
                         [](const auto& info) { return info.param.size() == 11 ? "own" : "db"; });

TEST_P(BothSpiders, the_same_seed_gives_the_same_crawl_and_another_another) {
  EXPECT_EQ(crawl(GetParam(), 1, 50), crawl(GetParam(), 1, 50));
  EXPECT_NE(crawl(GetParam(), 1, 50), crawl(GetParam(), 2, 50));
}

TEST_P(BothSpiders, a_crawl_does_not_end_while_links_wait) {
  // All that the start page leads to.
  EXPECT_EQ(crawl(GetParam(), 1, 1000).size(), crawl(GetParam() + "(cost=5)", 3, 1000).size());
  EXPECT_GT(crawl(GetParam(), 1, 1000).size(), 70u);
}

TEST_P(BothSpiders, pages_on_the_topic_come_first) {
  const auto order = crawl(GetParam(), 1, 40);
  const auto good = std::count_if(order.begin(), order.end(), [](const std::string& name) {
    return std::stoi(name.substr(1)) % 4 == 0;
  });
  EXPECT_GE(good, 15);  // of 20; by chance 10
}

// As after a kill: what was saved is loaded, the visits since are told again, select() is not.
TEST_P(BothSpiders, goes_on_from_what_it_saved_as_if_nothing_had_happened) {
  const Web web = tangled_web();
  const auto strategy = make(GetParam(), {kTopic, 9});
  Frontier frontier{FrontierOptions{}};
  frontier.offer(spider_address("p1"), Score::seed(), {});
  SmallCrawl crawl{web, *strategy, frontier};
  std::string saved;
  for (int i = 0; i < 45; ++i) {
    if (i == 25) {
      ByteWriter out;
      saves(*strategy).save(out);
      saved = out.bytes();
    }
    ASSERT_TRUE(crawl.step());
  }
  const auto again = make(GetParam(), {kTopic, 9});
  ByteReader in(saved);
  ASSERT_TRUE(saves(*again).load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (size_t i = 25; i < 45; ++i) crawl.tell(crawl.log[i], *again);
  ByteWriter one, other;
  saves(*strategy).save(one);
  saves(*again).save(other);
  EXPECT_EQ(one.bytes(), other.bytes());

  // Both go on with the same frontier as it would have been.
  Frontier copy{FrontierOptions{}};
  copy.offer(spider_address("p1"), Score::seed(), {});
  const auto fresh = make(GetParam(), {kTopic, 9});
  SmallCrawl twin{web, *fresh, copy};
  for (int i = 0; i < 45; ++i) ASSERT_TRUE(twin.step());
  SmallCrawl resumed{web, *again, copy, 45};
  while (crawl.step() && resumed.step()) {
  }
  EXPECT_EQ(std::vector(crawl.order.begin() + 45, crawl.order.end()), resumed.order);
}

TEST_P(BothSpiders, what_was_saved_and_cut_short_is_an_error) {
  const Web web = tangled_web();
  const auto strategy = make(GetParam(), {kTopic, 9});
  Frontier frontier{FrontierOptions{}};
  frontier.offer(spider_address("p1"), Score::seed(), {});
  SmallCrawl crawl{web, *strategy, frontier};
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(crawl.step());
  ByteWriter out;
  saves(*strategy).save(out);
  for (size_t size = 0; size < out.bytes().size(); size += 97) {
    ByteReader in(std::string_view(out.bytes()).substr(0, size));
    EXPECT_FALSE(saves(*make(GetParam(), {kTopic, 9})).load(in).ok()) << size;
  }
}

TEST(InfospidersDb, starts_also_from_the_best_pages_of_earlier_crawls) {
  const std::vector<EarlierFind> earlier = {
      {spider_address("p8"), 0.9}, {spider_address("p4"), 0.8}, {spider_address("p12"), 0.1}};
  const Web web = tangled_web();
  StrategyContext context{kTopic, 1};
  context.earlier = earlier;
  const auto strategy = make("infospiders-db(most=2)", context);
  Frontier frontier{FrontierOptions{}};
  frontier.offer(spider_address("p1"), Score::seed(), {});
  for (const Url& seed : dynamic_cast<const BringsSeeds&>(*strategy).seeds()) {
    frontier.offer(seed, Score::seed(), {});
  }
  SmallCrawl crawl{web, *strategy, frontier};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(crawl.step());
  EXPECT_EQ(crawl.order, (std::vector<std::string>{"p1", "p8", "p4"}));
}

TEST(Infospiders, refuses_what_makes_no_sense) {
  const auto made = make_infospiders(*Spec::parse("infospiders(alpha=2)"), {kTopic});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().message, "alpha of infospiders must be from 0 to 1");
}

}  // namespace
}  // namespace dowser
