#include "judge/senses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "text/terms.h"

namespace dowser {
namespace {

using Words = std::vector<TermCount>;

Words page(const std::string& text) { return count_terms({text}, "en"); }

// Twenty pages on planets and ten on metals, all with the word of the topic; each page lacks some
// of the words of its subject.
std::vector<Words> mercury() {
  const std::vector<std::string> planet = {"orbit", "planet", "crater", "sun", "probe", "surface"},
                                 metal = {"liquid", "metal", "compound", "toxic", "ore", "alloy"};
  std::vector<Words> pages;
  for (size_t i = 0; i < 30; ++i) {
    const auto& words = i < 20 ? planet : metal;
    std::string text = fmt::format("mercury page{}", i);
    for (size_t k = 0; k < words.size(); ++k) {
      if (k != i % words.size()) text += " " + words[k];
    }
    pages.push_back(page(text));
  }
  return pages;
}

std::vector<Words> others() {
  const std::vector<std::string> words = {"king", "river", "poem", "railway", "football", "bread"};
  std::vector<Words> pages;
  for (size_t i = 0; i < 60; ++i) {
    pages.push_back(
        page(words[i % 6] + " " + words[(i / 6) % 6] + " surface" + (i % 10 == 0 ? " metal" : "")));
  }
  return pages;
}

TEST(Senses, finds_that_share_only_the_word_of_the_topic_have_several_meanings) {
  const auto senses = senses_of(mercury(), others(), TopicWords("mercury"));
  ASSERT_EQ(senses.size(), 2u);
  ASSERT_EQ(senses[0].pages.size(), 20u);
  ASSERT_EQ(senses[1].pages.size(), 10u);
  EXPECT_LT(*std::max_element(senses[0].pages.begin(), senses[0].pages.end()), 20u);
  EXPECT_GE(*std::min_element(senses[1].pages.begin(), senses[1].pages.end()), 20u);
}

TEST(Senses, a_meaning_is_named_by_words_that_the_others_have_not) {
  const auto senses = senses_of(mercury(), others(), TopicWords("mercury"));
  ASSERT_EQ(senses.size(), 2u);
  const auto has = [](const Sense& sense, std::string_view word) {
    return std::count(sense.words.begin(), sense.words.end(), term_id(word)) > 0;
  };
  EXPECT_TRUE(has(senses[0], "orbit"));
  EXPECT_FALSE(has(senses[0], "alloi"));
  EXPECT_TRUE(has(senses[1], "liquid"));
  EXPECT_FALSE(has(senses[1], "mercuri"));
}

TEST(Senses, groups_that_share_two_words_of_the_topic_have_one_meaning) {
  std::vector<Words> finds;
  for (Words& one : mercury()) {
    Words more = page("bird wing");
    one.insert(one.end(), more.begin(), more.end());
    std::sort(one.begin(), one.end(), [](auto& a, auto& b) { return a.term < b.term; });
    finds.push_back(std::move(one));
  }
  EXPECT_TRUE(senses_of(finds, others(), TopicWords("bird wing mercury")).empty());
}

TEST(Senses, finds_that_are_alike_have_one_meaning) {
  std::vector<Words> finds = mercury();
  finds.resize(20);
  EXPECT_TRUE(senses_of(finds, others(), TopicWords("mercury")).empty());
}

TEST(Senses, few_finds_empty_pages_and_no_other_pages_are_no_trouble) {
  std::vector<Words> finds = mercury();
  EXPECT_EQ(senses_of(finds, {}, TopicWords("mercury")).size(), 2u);
  EXPECT_TRUE(senses_of(std::span(finds).first(11), others(), TopicWords("mercury")).empty());
  EXPECT_TRUE(senses_of({}, others(), TopicWords("mercury")).empty());
  finds.assign(20, {});
  EXPECT_TRUE(senses_of(finds, others(), TopicWords("mercury")).empty());
}

}  // namespace
}  // namespace dowser
