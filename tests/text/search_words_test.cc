#include "text/search_words.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "text/compatibility.h"
#include "text/utf8.h"

namespace dowser {
namespace {

using Words = std::vector<std::string>;

TEST(SearchWords, case_accents_and_punctuation_make_no_difference) {
  EXPECT_EQ(search_words("Zürich, ZURICH; Straße"), (Words{"zurich", "zurich", "strasse"}));
  EXPECT_EQ(search_words("Łódź Æsop Việt Nam naïve"),
            (Words{"lodz", "aesop", "viet", "nam", "naive"}));
  EXPECT_EQ(search_words("e-mail mp3 2004"), (Words{"e", "mail", "mp3", "2004"}));
}

// Otherwise a word that the index holds could not be searched for.
TEST(SearchWords, the_words_of_a_word_are_the_word_itself) {
  EXPECT_EQ(search_words("Ǽ ǿ"), (Words{"ae", "o"}));
  for (char32_t c = 0xC0; c < 0x2000; ++c) {
    std::string text;
    append_utf8(text, c);
    for (const std::string& word : search_words(text)) {
      EXPECT_EQ(search_words(word), Words{word}) << std::hex << static_cast<uint32_t>(c);
    }
  }
  EXPECT_EQ(search_words("\u3bc0\u302f"), Words{"\u3bc0"});  // a mark behind an ideograph
  EXPECT_EQ(search_words("l'\u0308homme"), (Words{"l", "homme"}));
}

TEST(SearchWords, the_four_turkish_letters_i_are_one) {
  EXPECT_EQ(search_words("İstanbul ISTANBUL istanbul ıstanbul"),
            (Words{"istanbul", "istanbul", "istanbul", "istanbul"}));
}

TEST(SearchWords, composed_and_decomposed_letters_are_the_same) {
  EXPECT_EQ(search_words("Zu\u0308rich"), search_words("Z\u00fcrich"));
}

TEST(SearchWords, marks_of_other_scripts_stay) {
  EXPECT_EQ(search_words("й"), Words{"й"});  // no accent: another letter
  EXPECT_NE(search_words("й"), search_words("и"));
}

TEST(SearchWords, an_apostrophe_separates) {
  EXPECT_EQ(search_words("l'homme Ankara'da can't"),
            (Words{"l", "homme", "ankara", "da", "can", "t"}));
}

TEST(SearchWords, each_ideograph_is_a_word_wherever_a_dictionary_would_split) {
  EXPECT_EQ(search_words("東京都庁"), (Words{"東", "京", "都", "庁"}));
  EXPECT_EQ(search_words("Linuxの本"), (Words{"linux", "の", "本"}));
}

TEST(SearchWords, characters_that_unicode_has_twice_are_one) {
  EXPECT_EQ(search_words("\u00b5m"), search_words("\u03bcm"));  // micro sign and mu
  EXPECT_EQ(search_words("ﬁnal oﬃce"), (Words{"final", "office"}));
  EXPECT_EQ(search_words("ＡＢＣ１２３"), Words{"abc123"});
  EXPECT_EQ(search_words("5㎏ 𝐱 Ⅳ"), (Words{"5kg", "x", "iv"}));
  EXPECT_EQ(search_words("ｶﾞ"), search_words("ガ"));
  // These would join the word or number before them.
  EXPECT_EQ(search_words("Java™ 2½").front(), "java");
  EXPECT_NE(search_words("2½").front(), "212");
}

// A text in which many characters have another shape that Unicode says is the same.
TEST(SearchWords, ten_thousand_texts_have_the_words_of_their_folded_forms) {
  static constexpr std::string_view kPieces[] = {
      "a", "Nest", "é",  "e\u0301", "µ", "μ", "ﬁ", "ﬀ",      "ﬃ",      "Ａ",     "ｚ", "７", "ｶ",
      "ﾞ", "ガ",   "東", "㎏",      "℃", "Ⅷ", "𝐱", "ﺑ",      "ß",      "İ",      "ı",  "'",  "’",
      "-", " ",    ".",  "™",       "²", "½", "①", "\u00ad", "\u200b", "\u3000", "ſ",  "ﷺ"};
  Random random(8);
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (size_t n = 1 + random.below(12); n > 0; --n) {
      if (random.below(8)) {
        text += kPieces[random.below(std::size(kPieces))];
        continue;
      }
      char32_t c = static_cast<char32_t>(0x20 + random.below(0x1FFFF));
      if (c >= 0xD800 && c < 0xE000) c = 'x';
      append_utf8(text, c);
    }
    std::string scratch, again;
    const std::string folded(fold_compatibility(text, scratch));
    const Words words = search_words(text);
    ASSERT_EQ(search_words(folded), words) << text;
    ASSERT_EQ(fold_compatibility(folded, again), folded) << text;
    for (const std::string& word : words) ASSERT_EQ(search_words(word), Words{word}) << text;
  }
}

TEST(SearchWords, appended_with_a_blank_behind_each) {
  std::string words = "x ";
  EXPECT_EQ(append_search_words("Two Words", words), 2u);
  EXPECT_EQ(words, "x two words ");
}

}  // namespace
}  // namespace dowser
