#include "library/snippet.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "text/search_words.h"

namespace dowser {
namespace {

// The snippet with its marks in brackets.
std::string shown(std::string_view text, std::string_view query, size_t characters = 60) {
  const ParsedQuery parsed = parse_query(query);
  EXPECT_TRUE(parsed.query);
  std::vector<const Query*> phrases;
  collect_wanted(*parsed.query, phrases);
  const MarkedText made = snippet(text, phrases, characters);
  std::string out;
  size_t at = 0;
  for (const auto& [begin, end] : made.marks) {
    EXPECT_LE(at, begin);
    EXPECT_LT(begin, end);
    out += made.text.substr(at, begin - at) + "[" + made.text.substr(begin, end - begin) + "]";
    at = end;
  }
  return out + made.text.substr(at);
}

TEST(Snippet, words_are_marked_as_they_are_written) {
  EXPECT_EQ(shown("The Swans, and one SWAN.", "swan"), "The Swans, and one [SWAN].");
  EXPECT_EQ(shown("The Swans, and one SWAN.", "swan*"), "The [Swans], and one [SWAN].");
  EXPECT_EQ(shown("In Zürich (Straße)", "zurich strasse"), "In [Zürich] ([Straße])");
  EXPECT_EQ(shown("an e-mail, not mail", "e-mail"), "an [e]-[mail], not mail");
}

TEST(Snippet, a_phrase_is_marked_only_where_it_stands_whole) {
  EXPECT_EQ(shown("deep sea, web, deep web", "\"deep web\""), "deep sea, web, [deep] [web]");
}

TEST(Snippet, a_phrase_does_not_go_across_two_blocks) {
  EXPECT_EQ(shown("black swan\nlake view", "\"swan lake\""), "black swan");
  EXPECT_EQ(shown("black swan\nlake view\nswan lake", "\"swan lake\""), "[swan] [lake]");
}

TEST(Snippet, a_phrase_that_is_too_long_to_be_shown_is_not_marked) {
  const std::string words = "a swan swims on a lake in the evening sun";
  EXPECT_EQ(shown(words, '"' + words + '"', 10), "a swan …");
}

TEST(Snippet, characters_without_spaces_are_marked_one_by_one) {
  EXPECT_EQ(shown("国立国会図書館は東京都にある", "図書館"), "国立国会[図][書][館]は東京都にある");
}

TEST(Snippet, what_stands_behind_not_is_not_marked) {
  EXPECT_EQ(shown("swan and duck", "swan NOT goose"), "[swan] and duck");
}

TEST(Snippet, the_part_with_the_most_words_is_shown) {
  const std::string text = "A swan stands here alone.\n" + std::string(200, 'x') +
                           "\nBut here a swan swims on a lake in the evening sun.";
  EXPECT_EQ(shown(text, "swan lake"), "But here a [swan] swims on a [lake] in the evening sun.");
}

TEST(Snippet, two_parts_are_shown_if_one_does_not_have_all) {
  const std::string text = "First a swan.\n" + std::string(100, 'x') + "\nLast a lake.";
  EXPECT_EQ(shown(text, "swan lake"), "First a [swan]. … Last a [lake].");
}

TEST(Snippet, a_long_block_is_cut_at_words) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "word ";
  text += "swan";
  for (int i = 0; i < 50; ++i) text += " word";
  const std::string cut = shown(text, "swan", 40);
  EXPECT_EQ(cut, "… word [swan] word word word word word …");
}

TEST(Snippet, without_a_match_the_beginning_is_shown) {
  EXPECT_EQ(shown("A heading\nThe first long paragraph says what this is about.", "title:x", 40),
            "The first long paragraph says what this …");
  EXPECT_EQ(shown("", "x"), "");
}

// The words of a snippet are found by a scanner of its own, those of the index by another.
TEST(Snippet, every_word_that_a_search_can_find_is_marked) {
  const std::string_view pieces[] = {
      "swan", "Don't", "'", " ", "-",       "\n",   "Zürich", "é",      "7",      "ﬁ", "図", "は",
      "ไทย",  "\xff",  "İ", ".", "e\u0301", "ABC9", "_",      "\u00ad", "\u2019", "ß", "Ω",  "a"};
  Random random(5);
  size_t tried = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t left = random.below(9); left > 0; --left) {
      text += pieces[random.below(std::size(pieces))];
    }
    for (const std::string& word : search_words(text)) {
      Query phrase;
      phrase.kind = Query::Kind::kPhrase;
      phrase.words = {word};
      EXPECT_FALSE(marked(text, {&phrase}, QueryField::kText).marks.empty())
          << text << ": " << word;
      ++tried;
    }
  }
  EXPECT_GT(tried, 3000u);
}

TEST(Snippet, a_title_is_marked_by_words_that_may_stand_in_it) {
  const ParsedQuery parsed = parse_query("title:swan lake text:bird");
  std::vector<const Query*> phrases;
  collect_wanted(*parsed.query, phrases);
  const MarkedText title = marked("Swan bird lake", phrases, QueryField::kTitle);
  using Marks = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(title.marks, (Marks{{0, 4}, {10, 14}}));
}

}  // namespace
}  // namespace dowser
