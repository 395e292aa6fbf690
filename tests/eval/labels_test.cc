#include "eval/labels.h"

#include "eval/comparison.h"
#include "eval/match.h"
#include "tests/eval/made_web.h"

namespace dowser {
namespace {

const HeldWeb& web() {
  static const HeldWeb web = bird_web();
  return web;
}

class LabelFile : public testing::Test {
 protected:
  Result<Labels> read(std::string_view text) {
    EXPECT_TRUE(put_file(dir_ / "labels.tsv", text).ok());
    return Labels::read(dir_ / "labels.tsv", web());
  }
  TempDir dir_;
};

TEST_F(LabelFile, lines_name_an_address_and_a_topic) {
  const auto labels = read(
      "url\ttopic\n# a remark\n\n"
      "http://web.test/bird1.html\tbird\tsure\r\n"
      "http://web.test/bird0.html\tbird\n"
      "http://web.test/bird0.html#wing\tbird\n"
      "http://web.test/bird0.html\tfirst pages\n"
      "http://web.test/none.html\tbird\n"
      "no address\tbird\n");
  ASSERT_TRUE(labels.ok()) << labels.error().message;
  EXPECT_EQ(labels->topics(),
            (std::map<std::string, Nodes>{{"bird", nodes(web(), {"bird0.html", "bird1.html"})},
                                          {"first pages", nodes(web(), {"bird0.html"})}}));
  EXPECT_EQ(labels->missing(), 2u);
}

TEST_F(LabelFile, a_broken_line_is_named_in_one_sentence) {
  for (const char* line : {"http://web.test/bird1.html bird", "http://web.test/bird1.html\t",
                           "http://web.test/bird1.html\t\tbird"}) {
    const auto labels = read("http://web.test/bird0.html\tbird\n" + std::string(line) + "\n");
    ASSERT_FALSE(labels.ok()) << line;
    EXPECT_EQ(labels.error().message,
              "line 2 of " + (dir_ / "labels.tsv") +
                  " is not a label: it must be an address, a tab and a topic");
  }
}

TEST_F(LabelFile, labels_of_another_web_are_refused) {
  const auto labels = read("http://elsewhere.test/\tbird\n");
  ASSERT_FALSE(labels.ok());
  EXPECT_EQ(labels.error().message,
            (dir_ / "labels.tsv") + " has no label for any page in the archive");
  EXPECT_FALSE(Labels::read(dir_ / "none.tsv", web()).ok());
}

// The promise of every comparison: what a strategy fetches does not depend on the labels. Each gets
// the same examples and start pages with right labels and with wrong ones.
TEST(LabelsAreUnseen, no_strategy_goes_another_way_when_the_labels_change_but_the_oracle_does) {
  CompareOptions options;
  options.budget = 20;
  std::vector<Contestant> contestants;
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    contestants.push_back(*parse_contestant(plugin.name));
  }
  contestants.push_back({std::string(kOracle), std::string(kOracle), "cosine"});
  const std::vector<uint32_t> points = {20};
  const MatchSetting setting{web(),  contestants,       options,
                             points, popularity(web()), in_link_popularity(web())};

  DrawOptions draw_options;
  draw_options.examples = 3;
  draw_options.seed_count = 2;
  Draw right = *make_draw(web(), "bird", pages_about(web(), "bird"), 0, draw_options);
  // Somebody looked for the examples from the start page.
  right.session_pages = nodes(web(), {"start.html", "dull0.html", "dull7.html", "bird0.html"});
  for (const Node example : right.examples) right.session_pages.push_back(example);
  Draw wrong = right;
  std::fill(wrong.is_target.begin(), wrong.is_target.end(), 0);
  for (const Node stone : pages_about(web(), "stone")) wrong.is_target[stone] = true;
  wrong.reachable = 10;

  const auto with_right = play_match(setting, "bird", right, true);
  const auto with_wrong = play_match(setting, "bird", wrong, true);
  ASSERT_TRUE(with_right.ok() && with_wrong.ok());
  for (size_t i = 0; i + 1 < contestants.size(); ++i) {
    EXPECT_EQ((*with_right)[i].pages, (*with_wrong)[i].pages) << contestants[i].name;
    // These follow links of relevant pages only, so they may come to an end.
    if (contestants[i].name != "hard-focus" && contestants[i].name != "intel-crawl") {
      EXPECT_EQ((*with_right)[i].pages.size(), 20u) << contestants[i].name;
    }
  }
  EXPECT_NE(with_right->back().pages, with_wrong->back().pages);
}

}  // namespace
}  // namespace dowser
