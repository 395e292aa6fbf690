#include <gtest/gtest.h>

#include <cmath>

#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

// The topic is "gold silver copper iron", as in shark_search_test.cc: a text of m different words,
// k of them of the topic, has the cosine k / (2 √m).

namespace dowser {
namespace {

constexpr double kExact = 1e-9;
const Topic kTopic{"gold silver copper iron", {}};

std::unique_ptr<Strategy> make(const std::string& text) {
  auto made = make_url_combined(*Spec::parse(text), {kTopic});
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

// Words of the addresses: "mines" and "copper" and "ores"; none; "example" and "house". The host
// w.test has a single letter to tell, which is none.
Visit visit() {
  return written_visit(0, {}, 0.6,
                       written_page("http://w.test/",
                                    "[gold ring|http://w.test/mines/copper_ores.html] "
                                    "[the iron|http://w.test/7.html] "
                                    "[more|http://www.example.org/House]"));
}

TEST(UrlCombined, a_link_has_half_its_page_and_a_quarter_each_of_words_and_address) {
  auto combined = make("url-combined");
  const Visit v = visit();
  combined->learn(v);
  // 0.5 · 0.6 + 0.25 · 1 / (2 √2) + 0.25 · 1 / (2 √3)
  EXPECT_NEAR(combined->score(v, v.page.links[0])->value(),
              0.3 + 0.25 / (2 * std::sqrt(2.0)) + 0.25 / (2 * std::sqrt(3.0)), kExact);
  EXPECT_NEAR(combined->score(v, v.page.links[0])->value(), 0.46055713135169486, kExact);
  const auto parts = explains(*combined).explain(v, v.page.links[0]);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "page");
  EXPECT_NEAR(parts[0].value, 0.3, kExact);
  EXPECT_EQ(parts[1].name, "anchor");
  EXPECT_NEAR(parts[1].value, 0.25 / (2 * std::sqrt(2.0)), kExact);
  EXPECT_EQ(parts[2].name, "url");
  EXPECT_NEAR(parts[2].value, 0.25 / (2 * std::sqrt(3.0)), kExact);
  // "the" is a stop word, and the address has no words: 0.3 + 0.25 · 1 / (2 √1) + 0.
  EXPECT_NEAR(combined->score(v, v.page.links[1])->value(), 0.3 + 0.125, kExact);
  // The page alone.
  EXPECT_NEAR(combined->score(v, v.page.links[2])->value(), 0.3, kExact);
}

TEST(UrlCombined, the_words_of_an_address_are_stemmed_as_others_are) {
  auto combined = make("url-combined(page=0, anchor=0, url=1)");
  const Visit v = written_visit(
      0, {}, 0.6, written_page("http://w.test/", "[on|http://w.test/IronsAndCoppers.html]"));
  // irons and coppers, "and" being a stop word: 2 / (2 √2).
  EXPECT_NEAR(combined->score(v, v.page.links[0])->value(), 1 / std::sqrt(2.0), kExact);
}

TEST(UrlCombined, weights_are_those_that_are_given) {
  auto combined = make("url-combined(page=0.1, anchor=2, url=0)");
  const Visit v = visit();
  EXPECT_NEAR(combined->score(v, v.page.links[1])->value(), 0.1 * 0.6 + 2 * 0.5, kExact);
  EXPECT_EQ(combined->spec().text(), "url-combined(anchor=2, page=0.1, url=0)");
  EXPECT_FALSE(make_url_combined(*Spec::parse("url-combined(page=-1)"), {kTopic}).ok());
}

}  // namespace
}  // namespace dowser
