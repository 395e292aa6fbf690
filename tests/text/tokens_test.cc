#include "text/tokens.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/uchar.h>

#include <string>
#include <vector>

#include "text/charset.h"
#include "text/utf8.h"

namespace dowser {
namespace {

using Words = std::vector<std::string>;

TEST(Tokens, words_of_several_scripts_are_found) {
  const struct {
    std::string_view text;
    Words words;
  } rows[] = {
      {"", {}},
      {" .,;!\n\t", {}},
      {"The quick brown fox", {"the", "quick", "brown", "fox"}},
      {"snake_case and file.name", {"snake", "case", "and", "file", "name"}},
      {"Straße in MÜNCHEN", {"straße", "in", "münchen"}},
      {"İstanbul'da", {"istanbul'da"}},
      {"ΟΔΟΣ ΣΟΦΙΑΣ, Ελλάδα σας", {"οδος", "σοφιας", "ελλάδα", "σας"}},
      {"Привет, МИР!", {"привет", "мир"}},
      {"مرحبا بالعالم، كيف", {"مرحبا", "بالعالم", "كيف"}},
      {"日本語の文章を分ける。", {"日本語", "の", "文章", "を", "分ける"}},
      {"コンピュータとPCを買う", {"コンピュータ", "と", "pc", "を", "買う"}},
      {"我们喜欢北京", {"我们", "喜欢", "北京"}},
      {"สวัสดีชาวโลก", {"สวัสดี", "ชาว", "โลก"}},
      {"안녕하세요 세계", {"안녕하세요", "세계"}},
      {"हिन्दी भाषा", {"हिन्दी", "भाषा"}},
      {"ＦＵＬＬ　ｗｉｄｔｈ", {"full", "width"}},
      {"Donau\u00ADdampf\u00ADschiff", {"donaudampfschiff"}},
      {"A\u0308rger e\u0302\u0323", {"ärger", "ệ"}},
      {"می\u200Cخواهم", {"می\u200Cخواهم"}},
      {"😀 fun😀fun", {"fun", "fun"}},
      {"bad\xFF"
       "bytes \xC3",
       {"bad", "bytes"}},
      {"“quoted” – ‘dash’…end", {"quoted", "dash", "end"}},
  };
  for (const auto& [text, words] : rows) EXPECT_EQ(tokens(text), words) << text;
}

TEST(Tokens, apostrophes_follow_the_rule) {
  const struct {
    ApostropheRule rule;
    std::string_view text;
    Words words;
  } rows[] = {
      {ApostropheRule::kKeep, "can't can’t", {"can't", "can't"}},
      {ApostropheRule::kKeep, "the dog's DOGS' it's", {"the", "dog", "dogs", "it"}},
      {ApostropheRule::kKeep,
       "'quoted' rock'n'roll O'Neill's",
       {"quoted", "rock'n'roll", "o'neill"}},
      {ApostropheRule::kKeep, "'s ' '' x'", {"s", "x"}},
      {ApostropheRule::kSplit, "l'homme d’été", {"l", "homme", "d", "été"}},
      {ApostropheRule::kCut, "Ankara'da Türkiye’nin", {"ankara", "türkiye"}},
  };
  for (const auto& [rule, text, words] : rows) {
    TokenOptions options;
    options.apostrophes = rule;
    EXPECT_EQ(tokens(text, options), words) << text;
  }
}

TEST(Tokens, options_are_obeyed) {
  TokenOptions join, digits, turkic, as_is, bounded;
  join.hyphens = HyphenRule::kJoin;
  digits.digits = true;
  turkic.turkic_case = true;
  as_is.lower = false;
  bounded.min_length = 3;
  bounded.max_length = 5;
  const struct {
    TokenOptions options;
    std::string_view text;
    Words words;
  } rows[] = {
      {{}, "e-mail x-y", {"e", "mail", "x", "y"}},
      {join, "e-mail well-known\u2010it - -a- b-", {"email", "wellknownit", "a", "b"}},
      {{}, "mp3 2004 a1é 3d word", {"word"}},
      {digits, "mp3 2004 a1é 3D ١٢", {"mp3", "2004", "a1é", "3d", "١٢"}},
      {turkic, "ISPARTA İzmir Iğdır içinde", {"ısparta", "izmir", "ığdır", "içinde"}},
      {{}, "ISPARTA İzmir", {"isparta", "izmir"}},
      {as_is, "The ÄRGER DOG'S", {"The", "ÄRGER", "DOG"}},
      {bounded, "a ab abc abcdef éé ééé éééééé 本", {"abc", "abcde", "ééé", "ééééé", "本"}},
      {{}, "abcdefghijklmnopqrstuvwxyz", {"abcdefghijklmnopqrst"}},
  };
  for (const auto& [options, text, words] : rows) EXPECT_EQ(tokens(text, options), words) << text;
}

TEST(Tokens, ascii_and_unicode_machines_agree) {
  // A letter of another script at the end sends the same words through the other machine.
  const std::string text =
      "Some Words that ARE written in Plain letters abcdefghijklmnopqrstuvwxyz end";
  const Words plain = tokens(text);
  std::string marked;
  for (const char c : text) marked += c == ' ' ? std::string("\u00AD ") : std::string(1, c);
  EXPECT_EQ(tokens(marked), plain);
}

// Rough text: letters of all kinds, marks, blanks, broken bytes.
std::string rough_text() {
  const auto piece = rc::gen::element<std::string>(
      "A", "b", "Z", "'", "-", " ", "7", "Σ", "σ", "İ", "I", "ß", "é", "\u0301", "\u200C", "\u00AD",
      "’", "日", "本", "の", "ไ", "ท", "ย", "ا", "ل", "한", "\u1161", "\u1100", "😀", "\xFF", "\xC3",
      "Ａ", "ǅ", "々", "\n");
  std::string text;
  for (const std::string& p : *rc::gen::container<std::vector<std::string>>(piece)) text += p;
  return text;
}

RC_GTEST_PROP(Tokens, are_clean_whatever_the_text, ()) {
  const std::string text = rough_text();
  TokenOptions options;
  options.digits = *rc::gen::arbitrary<bool>();
  options.turkic_case = *rc::gen::arbitrary<bool>();
  options.hyphens = *rc::gen::element(HyphenRule::kSplit, HyphenRule::kJoin);
  options.apostrophes =
      *rc::gen::element(ApostropheRule::kKeep, ApostropheRule::kSplit, ApostropheRule::kCut);
  options.max_length = *rc::gen::inRange<size_t>(1, 100);
  for (const std::string& token : tokens(text, options)) {
    RC_ASSERT(!token.empty());
    RC_ASSERT(is_valid_utf8(token));
    size_t length = 0;
    for (size_t i = 0; i < token.size(); ++length) {
      const CodePoint c = decode_utf8(std::string_view(token).substr(i));
      RC_ASSERT(!u_isUWhiteSpace(static_cast<UChar32>(c.value)));
      RC_ASSERT(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c.value))) == c.value);
      i += c.length;
    }
    RC_ASSERT(length <= options.max_length);
    // A token is one word: it is found again, unless a cut left it with a loose end.
    if (length < options.max_length && text.find("İ") == std::string::npos) {
      RC_ASSERT(tokens(token, options).size() >= 1u);
    }
  }
}

RC_GTEST_PROP(Tokens, survive_any_bytes, (const std::string& bytes)) {
  for (const std::string& token : tokens(bytes)) RC_ASSERT(is_valid_utf8(token));
  for (const std::string& token : url_tokens(bytes)) RC_ASSERT(is_valid_utf8(token));
}

TEST(Tokens, long_runs_without_blanks_are_cut_and_bounded) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "日本";
  size_t bytes = 0;
  for_each_token(text, {}, [&](std::string_view token) { bytes += token.size(); });
  EXPECT_EQ(bytes, text.size());
  EXPECT_EQ(tokens(std::string(1000000, 'x')), Words{std::string(20, 'x')});
}

// Once an endless loop, on a page of the schools collection.
TEST(Tokens, full_width_punctuation_parts_words) {
  EXPECT_EQ(tokens("Tokyo（東京）\xEF\xBC\x8C ＡＢＣ！"),
            (std::vector<std::string>{"tokyo", "東京", "abc"}));
}

TEST(UrlTokens, words_of_an_address_are_found) {
  const struct {
    std::string_view href;
    Words words;
  } rows[] = {
      {"http://www.example.co.uk/OperaHouse/verdi_2.html", {"example", "opera", "house", "verdi"}},
      {"https://cs.cornell.edu/~smith/MachineLearning/HTMLParser.php?courseId=17#Top",
       {"cs", "cornell", "smith", "machine", "learning", "html", "parser", "course", "id", "top"}},
      {"../papers/index.html", {"papers"}},
      {"/a/b2b-marketing/report.pdf", {"marketing", "report", "pdf"}},
      {"//user:pw@www2.focused-crawler.org:8080", {"focused", "crawler"}},
      {"/caf%C3%A9", {"café"}},
      {"/stra%DFe", {"straße"}},
      {"?q=web+crawler&lang=en", {"web", "crawler", "lang", "en"}},
      {"http://192.168.0.1/status", {"status"}},
      {"http://localhost/x", {"localhost"}},
      {"  HTTP://Example.COM/", {"example"}},
      {"javascript:openWindow('x')", {}},
      {"mailto:someone@example.com", {}},
      {"/100%/%zz%4", {"zz"}},
      {"", {}},
  };
  for (const auto& [href, words] : rows) {
    EXPECT_EQ(url_tokens(href), words) << href;
  }
}

}  // namespace
}  // namespace dowser
