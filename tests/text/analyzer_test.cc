#include "text/analyzer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace dowser {
namespace {

using Words = std::vector<std::string>;

TEST(Stemmer, algorithms_go_by_code_or_name) {
  const struct {
    std::string_view algorithm, word, stem;
  } rows[] = {
      {"en", "crawling", "crawl"},
      {"english", "generously", "generous"},
      {"porter", "generously", "gener"},
      {"porter", "relational", "relat"},
      {"de", "häuser", "haus"},
      {"fr", "continuellement", "continuel"},
      {"ru", "книгами", "книг"},
      {"tr", "kitapları", "kitap"},
      {"es", "bibliotecas", "bibliotec"},
      {"nb", "bøkene", "bøk"},
      {"xx", "crawling", "crawling"},
      {"", "crawling", "crawling"},
      {"en", "", ""},
  };
  for (const auto& [algorithm, word, stem] : rows) {
    Stemmer stemmer(algorithm);
    EXPECT_EQ(stemmer.stem(word), stem) << algorithm << " " << word;
    EXPECT_EQ(stemmer.stem(word), stem) << "from the cache";
  }
}

RC_GTEST_PROP(Stemmer, the_cache_changes_nothing, (const std::vector<std::string>& words)) {
  Stemmer cached("en");
  for (int round = 0; round < 2; ++round) {
    for (const std::string& word : words) {
      Stemmer fresh("en");
      const std::string stem(cached.stem(word));
      RC_ASSERT(stem == fresh.stem(word));
      RC_ASSERT(stem.empty() == word.empty());
    }
  }
}

TEST(Stemmer, words_that_share_a_slot_do_not_mix) {
  Stemmer cached("en");
  std::vector<std::string> words;
  for (int i = 0; i < 30000; ++i) {
    std::string word;
    for (int n = i; n > 0; n /= 26) word += static_cast<char>('a' + n % 26);
    words.push_back(word + "ing");
  }
  for (const std::string& word : words) ASSERT_FALSE(cached.stem(word).empty());
  Stemmer other("en");
  for (size_t i = 0; i < words.size(); i += 7) {
    const std::string stem(cached.stem(words[i]));
    ASSERT_EQ(stem, other.stem(words[i]));
  }
}

TEST(Analyzer, english_is_the_default) {
  Analyzer analyzer;
  EXPECT_EQ(analyzer.terms("The crawlers aren't crawling the universities' sites; it's 2004!"),
            (Words{"crawler", "crawl", "univers", "site"}));
  AnalyzerOptions unnamed;
  unnamed.language = "";
  EXPECT_EQ(Analyzer(unnamed).terms("The crawlers"), Words{"crawler"});
}

TEST(Analyzer, each_step_can_be_switched) {
  AnalyzerOptions options;
  const std::string_view text = "The relational crawlers generously";
  options.stemming = Stemming::kPorter;
  EXPECT_EQ(Analyzer(options).terms(text), (Words{"relat", "crawler", "gener"}));
  options.stemming = Stemming::kNone;
  EXPECT_EQ(Analyzer(options).terms(text), (Words{"relational", "crawlers", "generously"}));
  options.remove_stop_words = false;
  EXPECT_EQ(Analyzer(options).terms(text), (Words{"the", "relational", "crawlers", "generously"}));
  options.tokens.max_length = 4;
  EXPECT_EQ(Analyzer(options).terms(text), (Words{"the", "rela", "craw", "gene"}));
}

TEST(Analyzer, the_language_brings_its_rules) {
  const struct {
    std::string_view language, text;
    Words terms;
  } rows[] = {
      {"de", "Die Häuser und das Haus", {"haus", "haus"}},
      {"fr", "L'homme et les hommes d'aujourd'hui", {"homm", "homm", "hui"}},
      {"tr", "Ankara'da kitaplar ve ISPARTA", {"ankar", "kitap", "ıspar"}},
      {"ja", "日本語の文章", {"日本語", "の", "文章"}},
  };
  for (const auto& [language, text, terms] : rows) {
    AnalyzerOptions options;
    options.language = language;
    EXPECT_EQ(Analyzer(options).terms(text), terms) << language;
    Words told;
    Analyzer().for_each_term(text, language,
                             [&](std::string_view term) { told.emplace_back(term); });
    EXPECT_EQ(told, terms) << language;
  }
}

TEST(Analyzer, auto_looks_at_each_text) {
  AnalyzerOptions options;
  options.language = "auto";
  Analyzer analyzer(options);
  EXPECT_EQ(analyzer.terms("Alle Menschen sind frei und gleich an Rechten geboren"),
            (Words{"mensch", "frei", "gleich", "recht", "gebor"}));
  EXPECT_EQ(analyzer.terms("All human beings are born free and equal in dignity and rights"),
            (Words{"human", "be", "born", "free", "equal", "digniti", "right"}));
  EXPECT_EQ(analyzer.terms("crawlers"), Words{"crawler"}) << "English where unsure";
}

TEST(Analyzer, copies_work_on_their_own_threads) {
  Analyzer analyzer;
  const std::string text =
      "Focused crawlers follow promising links; 日本語の文章, ผู้ใช้, naïve cafés.";
  const Words expected = analyzer.terms(text);
  std::vector<std::thread> threads;
  std::vector<Words> found(4);
  for (Words& words : found) {
    threads.emplace_back([copy = analyzer, &words, &text]() mutable {
      for (int i = 0; i < 200; ++i) words = copy.terms(text);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Words& words : found) EXPECT_EQ(words, expected);
}

}  // namespace
}  // namespace dowser
