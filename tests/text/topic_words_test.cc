#include "text/topic_words.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dowser
