#include "text/topic_coverage.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

// A hundred pages have "loop", ten "event", none "coroutine".
TopicCoverage crawl() {
  TopicCoverage coverage(TopicWords("loop event coroutine"));
  for (int i = 0; i < 100; ++i) coverage.add_page(i < 10 ? 0b011 : 0b001);
  return coverage;
}

TEST(TopicCoverage, finds_without_the_rare_words_are_suspicious) {
  const TopicCoverage coverage = crawl();
  const TopicCoverage::Finds finds = coverage.finds(std::vector<WordSet>(10, 0b011));
  EXPECT_TRUE(finds.is_suspicious()) << finds.share;
  EXPECT_EQ(coverage.names(finds.lacking), "\"coroutine\"");
}

TEST(TopicCoverage, a_fifth_of_the_finds_is_enough) {
  const TopicCoverage coverage = crawl();
  std::vector<WordSet> finds(10, 0b001);
  finds[0] = finds[1] = 0b111;
  EXPECT_EQ(coverage.finds(finds).share, 1);
  finds[1] = 0b001;
  EXPECT_TRUE(coverage.finds(finds).is_suspicious());
}

TEST(TopicCoverage, without_finds_or_words_nothing_is_suspicious) {
  EXPECT_FALSE(crawl().finds({}).is_suspicious());
  TopicCoverage none{TopicWords("")};
  none.add_page(0);
  EXPECT_FALSE(none.finds({0, 0}).is_suspicious());
}

}  // namespace
}  // namespace dowser
