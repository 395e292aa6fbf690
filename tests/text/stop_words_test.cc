#include "text/stop_words.h"

#include <gtest/gtest.h>

#include "text/analyzer.h"
#include "text/stop_words_data.h"

namespace dowser {
namespace {

TEST(StopWords, english_is_the_list_of_the_cindi_robot) {
  const StopWords& english = stop_words("en");
  EXPECT_EQ(english.size(), 621u);  // 620 in print, and nbsp
  for (const std::string_view word :
       {"a",    "anyways", "contains", "entirely", "especially", "going", "i'd",     "latterly",
        "near", "nearly",  "reg",      "th",       "than",       "uucp",  "while",   "without",
        "zero", "nbsp",    "quot",     "can't",    "cant",       "z",     "whither", "value"}) {
    EXPECT_TRUE(english.contains(word)) << word;
  }
  for (const std::string_view word :
       {"", "crawler", "The", "web", "ca", "wither", "internationalization"}) {
    EXPECT_FALSE(english.contains(word)) << word;
  }
}

TEST(StopWords, other_languages_have_their_function_words) {
  const struct {
    std::string_view language, words;
  } rows[] = {
      {"ar", "من في على هذا"},    {"cs", "a je který pro"},  {"da", "og det ikke jeg"},
      {"de", "der und für über"}, {"el", "και της ο είναι"}, {"es", "el la de qué"},
      {"fi", "ja on että hän"},   {"fr", "le la des était"}, {"hu", "a az és hogy"},
      {"it", "il che è della"},   {"nl", "de het een niet"}, {"no", "og jeg ikke å"},
      {"nb", "og jeg ikke å"},    {"pl", "i w się że"},      {"pt", "o de não às"},
      {"ro", "și în este că"},    {"ru", "и в не что"},      {"sv", "och att är på"},
      {"tr", "ve bir için mı"},
  };
  for (const auto& [language, words] : rows) {
    EXPECT_GE(stop_words(language).size(), 80u) << language;
    for (const std::string& word : tokens(words)) {
      EXPECT_TRUE(stop_words(language).contains(word)) << language << " " << word;
    }
  }
  EXPECT_EQ(stop_word_languages().size(), std::size(rows) + 2);  // and en, nn
}

TEST(StopWords, an_unknown_language_has_none) {
  EXPECT_EQ(stop_words("xx").size(), 0u);
  EXPECT_FALSE(stop_words("").contains("the"));
}

// A word that no token can equal would never stop anything.
TEST(StopWords, every_stop_word_is_a_token_of_its_language) {
  for (const auto& [language, words] : stop_word_data()) {
    const TokenOptions options = token_options_for(language);
    const StopWords& list = stop_words(language);
    size_t found = 0;
    for (const std::string& token : tokens(words, options)) {
      EXPECT_TRUE(list.contains(token)) << language << " " << token;
      ++found;
    }
    EXPECT_EQ(found, list.size()) << language << ": no word twice";
  }
}

}  // namespace
}  // namespace dowser
