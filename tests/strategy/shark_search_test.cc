#include <gtest/gtest.h>

#include <cmath>

#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

// The topic is "gold silver copper iron": four words, so each weighs 1/2 in a vector of length 1. A
// text of m different words, each once, k of them of the topic, has the cosine k / (2 √m).

namespace dowser {
namespace {

constexpr double kExact = 1e-9;

class SharkSearchTest : public testing::Test {
 protected:
  std::unique_ptr<Strategy> make(const std::string& text) const {
    const Spec spec = *Spec::parse(text);
    auto made = spec.name == "shark-search" ? make_shark_search(spec, {topic_})
                                            : make_shark_search_n(spec, {topic_});
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }
  static double score(Strategy& strategy, const Visit& visit, size_t link) {
    const auto score = strategy.score(visit, visit.page.links[link]);
    EXPECT_TRUE(score.has_value());
    return score ? score->value() : NAN;
  }

  // Words that are in no topic and not stop words, so that nothing else reaches a link's context.
  static std::string far() { return " aa bb cc dd ee ff gg hh jj kk "; }

  const Topic topic_{"gold silver copper iron", {}};
};

TEST_F(SharkSearchTest, a_link_is_scored_by_equations_3_2_to_3_5) {
  auto shark = make("shark-search(gamma=0.4, delta=0.5, beta=0.8)");
  const Visit visit =
      written_visit(0, {}, 0.6,
                    written_page("http://w.test/", "[gold ring|http://w.test/1]" + far() + far() +
                                                       "silver [wedding ring|http://w.test/2] box" +
                                                       far() + far() + "[wood|http://w.test/3]"));
  shark->learn(visit);
  // inherited = δ · sim(q, p) = 0.5 · 0.6 = 0.3 for all three.

  // "gold ring": anchor = 1 / (2 √2) > 0, so context = 1;
  // neighbourhood = 0.8 · 0.35355… + 0.2 · 1 = 0.48284…; score = 0.4 · 0.3 + 0.6 · 0.48284…
  const double anchor = 1 / (2 * std::sqrt(2.0));
  EXPECT_NEAR(score(*shark, visit, 0), 0.4 * 0.3 + 0.6 * (0.8 * anchor + 0.2), kExact);
  EXPECT_NEAR(score(*shark, visit, 0), 0.4097056274847714, kExact);

  // "wedding ring": anchor 0. Ten words before it: bb cc dd ee ff gg hh jj kk silver; ten behind:
  // box aa bb cc dd ee ff gg hh jj. With its own two, once: kk silver wedding ring box aa (6);
  // twice: bb cc dd ee ff gg hh jj (8), each with 1 + ln 2. One word of the topic, of weight 1/2.
  const double twice = 1 + std::log(2.0);
  const double context = 0.5 / std::sqrt(6 + 8 * twice * twice);
  EXPECT_NEAR(score(*shark, visit, 1), 0.4 * 0.3 + 0.6 * (0.2 * context), kExact);

  // "wood": nothing of the topic in it or around it.
  EXPECT_NEAR(score(*shark, visit, 2), 0.4 * 0.3, kExact);
  const auto parts = explains(*shark).explain(visit, visit.page.links[2]);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "inherited");
  EXPECT_NEAR(parts[0].value, 0.4 * 0.3, kExact);
  EXPECT_EQ(parts[1].name, "anchor");
  EXPECT_EQ(parts[1].value, 0);
  EXPECT_EQ(parts[2].name, "context");
  EXPECT_EQ(parts[2].value, 0);
}

TEST_F(SharkSearchTest, a_page_without_merit_passes_on_half_of_what_it_inherited) {
  auto shark = make("shark-search(gamma=1, depth=5)");
  const auto page = [](uint32_t id, std::optional<uint32_t> parent, double relevance) {
    return written_visit(id, parent, relevance,
                         written_page("http://w.test/", "[on|http://w.test/on]"));
  };
  const Visit seed_without = page(0, {}, 0);
  shark->learn(seed_without);
  EXPECT_EQ(score(*shark, seed_without, 0), 0);  // 0.5 · 0: seeds inherit nothing

  const Visit good = page(1, 0, 0.8);
  shark->learn(good);
  EXPECT_NEAR(score(*shark, good, 0), 0.5 * 0.8, kExact);

  const Visit child = page(2, 1, 0);
  shark->learn(child);
  EXPECT_NEAR(score(*shark, child, 0), 0.5 * 0.5 * 0.8, kExact);

  const Visit grandchild = page(3, 2, 0);
  shark->learn(grandchild);
  EXPECT_NEAR(score(*shark, grandchild, 0), 0.5 * 0.5 * 0.5 * 0.8, kExact);

  const Visit other_child = page(4, 1, 0.2);  // what it has itself counts, however little
  shark->learn(other_child);
  EXPECT_NEAR(score(*shark, other_child, 0), 0.5 * 0.2, kExact);
}

TEST_F(SharkSearchTest, links_are_not_offered_where_the_depth_is_used_up) {
  auto shark = make("shark-search(depth=2)");
  const auto offers = [&](uint32_t id, std::optional<uint32_t> parent, double relevance) {
    const Visit visit = written_visit(id, parent, relevance,
                                      written_page("http://w.test/", "[on|http://w.test/on]"));
    shark->learn(visit);
    return shark->score(visit, visit.page.links[0]).has_value();
  };
  EXPECT_TRUE(offers(0, {}, 0));    // a seed has 2
  EXPECT_TRUE(offers(1, 0, 0));     // 1
  EXPECT_FALSE(offers(2, 1, 0));    // 0
  EXPECT_FALSE(offers(3, 1, 0.9));  // 0: relevant, but too late
  EXPECT_TRUE(offers(4, 0, 0.1));   // 1
  EXPECT_TRUE(offers(5, 4, 0));     // a child of a page with merit has 2 again
  EXPECT_TRUE(offers(6, 5, 0));     // 1
  EXPECT_FALSE(offers(7, 6, 0));    // 0
}

TEST_F(SharkSearchTest, similarities_up_to_relevant_above_count_as_none) {
  auto shark = make("shark-search(gamma=0.5, depth=1, relevant_above=0.4)");
  const Visit seed =
      written_visit(0, {}, 0.4,
                    written_page("http://w.test/", "[gold ring|http://w.test/1]" + far() + far() +
                                                       "[iron|http://w.test/2]"));
  shark->learn(seed);
  // The page has no merit of its own: inherited = 0.5 · 0. "gold ring" has 0.354, not above 0.4, so
  // its context is sim(gold ring aa … kk) = 1 / (2 √12). "iron" has 0.5: context 1.
  const double anchor = 1 / (2 * std::sqrt(2.0)), context = 1 / (2 * std::sqrt(12.0));
  EXPECT_NEAR(score(*shark, seed, 0), 0.5 * (0.8 * anchor + 0.2 * context), kExact);
  EXPECT_NEAR(score(*shark, seed, 1), 0.5 * (0.8 * 0.5 + 0.2), kExact);
  // And its children have what is left of the depth: nothing.
  const Visit child =
      written_visit(1, 0, 1, written_page("http://w.test/1", "[on|http://w.test/on]"));
  shark->learn(child);
  EXPECT_FALSE(shark->score(child, child.page.links[0]).has_value());
}

TEST_F(SharkSearchTest, goes_on_with_what_was_saved) {
  const std::string text = "shark-search-n(depth=2)";
  auto before = make(text);
  before->learn(written_visit(0, {}, 0.8, written_page("http://w.test/", "")));
  before->learn(written_visit(1, 0, 0, written_page("http://w.test/1", "")));
  before->learn(written_visit(2, 1, 0, written_page("http://w.test/2", "")));
  ByteWriter saved;
  saves(*before).save(saved);

  auto after = make(text);
  ByteReader in(saved.bytes());
  ASSERT_TRUE(saves(*after).load(in).ok());
  EXPECT_TRUE(in.at_end());
  for (const uint32_t parent : {0u, 1u, 2u}) {
    const Visit visit =
        written_visit(3, parent, 0, written_page("http://w.test/3", "[on|http://w.test/on]"));
    before->learn(visit);
    after->learn(visit);
    EXPECT_EQ(before->score(visit, visit.page.links[0]), after->score(visit, visit.page.links[0]));
  }
  ByteReader cut(std::string_view(saved.bytes()).substr(0, saved.bytes().size() - 1));
  EXPECT_FALSE(saves(*make(text)).load(cut).ok());
}

TEST_F(SharkSearchTest, refuses_parameters_that_mean_nothing) {
  for (const char* text :
       {"shark-search(gamma=1.1)", "shark-search(delta=-0.1)", "shark-search(beta=2)",
        "shark-search(depth=0)", "shark-search(relevant_above=-1)", "shark-search(n=3)"}) {
    EXPECT_FALSE(make_shark_search(*Spec::parse(text), {topic_}).ok()) << text;
  }
  EXPECT_FALSE(make_shark_search_n(*Spec::parse("shark-search-n(n=0)"), {topic_}).ok());
}

}  // namespace
}  // namespace dowser
