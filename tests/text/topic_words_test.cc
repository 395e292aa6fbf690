#include "text/topic_words.h"

#include <gtest/gtest.h>

#include "text/terms.h"

namespace dowser {
namespace {

TEST(TopicWords, lose_the_stop_words_of_their_language) {
  EXPECT_EQ(without_stop_words("the history of old maps"), "history maps");
  EXPECT_EQ(without_stop_words("die Geschichte der Karten und der Kompass"),
            "Geschichte Karten Kompass");
}

TEST(TopicWords, without_stop_words_stay_as_they_are) {
  EXPECT_EQ(without_stop_words("full text search"), "full text search");
  EXPECT_EQ(without_stop_words("SQLite FTS5"), "SQLite FTS5");
}

TEST(TopicWords, of_stop_words_alone_are_left_for_the_judge_to_refuse) {
  EXPECT_EQ(without_stop_words("the of and"), "the of and");
  EXPECT_EQ(without_stop_words(""), "");
}

TEST(TopicWords, are_found_by_their_stems_in_every_language) {
  const TopicWords topic("coroutine loop Vogel");
  ASSERT_EQ(topic.size(), 3u);
  EXPECT_EQ(topic.word(0), "coroutine");
  EXPECT_EQ(topic.in("loops of many coroutines", "en"), 0b011);
  EXPECT_EQ(topic.in("die Vögel", "de"), 0b100);
  EXPECT_EQ(topic.in("nothing of the kind", "en"), 0);
  const std::vector<TermCount> terms = count_terms({"a loop in a loop"}, "en");
  EXPECT_EQ(topic.in(terms), 0b010);
}

TEST(TopicWords, with_one_stem_are_one_word) {
  const TopicWords topic("bird birds nest");
  ASSERT_EQ(topic.size(), 2u);
  EXPECT_EQ(topic.in("nests", "en"), 0b10);
}

TEST(TopicWords, beyond_the_sixteenth_are_ignored) {
  const std::string text =
      "stone river window garden engine paper winter lamp bridge castle mirror forest candle "
      "silver "
      "pocket marble hunter basket";
  EXPECT_EQ(TopicWords(text).size(), TopicWords::kMost);
  EXPECT_TRUE(TopicWords("").empty());
}

}  // namespace
}  // namespace dowser
