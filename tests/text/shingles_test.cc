#include "text/shingles.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <string>

#include "text/tokens.h"

namespace dowser {
namespace {

size_t count(std::string_view text, size_t n) { return shingle_set(text, n).size(); }

TEST(Shingles, are_the_runs_of_n_words) {
  // The example of Küçük 2009, 2.1.5: five 3-grams.
  EXPECT_EQ(count("John went to school with his brother", 3), 5u);
  EXPECT_EQ(count("John went to school with his brother", 1), 7u);
  EXPECT_EQ(count("John went to school with his brother", 7), 1u);
}

TEST(Shingles, a_text_shorter_than_n_words_is_one_and_an_empty_text_none) {
  EXPECT_EQ(count("two words", 4), 1u);
  EXPECT_EQ(count("", 4), 0u);
  EXPECT_EQ(count(" .,; ", 4), 0u);
  EXPECT_NE(shingle_set("two words", 4), shingle_set("words two", 4));
}

TEST(Shingles, case_and_punctuation_make_no_difference_but_words_and_their_order_do) {
  const auto digest = [](std::string_view text) {
    return for_each_shingle(text, 4, [](uint64_t) {});
  };
  EXPECT_EQ(digest("The dog, the cat."), digest("the DOG the\ncat"));
  EXPECT_EQ(shingle_set("The dog, the cat."), shingle_set("the DOG the\ncat"));
  EXPECT_NE(digest("the dog the cat"), digest("the cat the dog"));
  EXPECT_NE(digest("a b"), digest("a b a b"));
  EXPECT_NE(digest("page 1"), digest("page 2"));
  EXPECT_EQ(digest(""), 0u);
}

TEST(Shingles, are_as_many_as_distinct_runs_of_words) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("a", "b", "c", "42"));
    const size_t n = *rc::gen::inRange<size_t>(1, 6);
    std::string text;
    for (const std::string& word : words) text += word + " ";
    std::set<std::vector<std::string>> runs;
    for (size_t i = 0; i + n <= words.size(); ++i) {
      runs.insert({words.begin() + i, words.begin() + i + n});
    }
    if (runs.empty() && !words.empty()) runs.insert(words);
    RC_ASSERT(shingle_set(text, n).size() == runs.size());
  }));
}

TEST(Jaccard, is_the_share_of_what_is_common) {
  const std::vector<uint64_t> a = {1, 2, 3, 4}, b = {3, 4, 5, 6}, none;
  EXPECT_DOUBLE_EQ(jaccard(a, b), 2.0 / 6);
  EXPECT_DOUBLE_EQ(jaccard(a, a), 1);
  EXPECT_DOUBLE_EQ(jaccard(a, none), 0);
  EXPECT_DOUBLE_EQ(jaccard(none, none), 0);
}

}  // namespace
}  // namespace dowser
