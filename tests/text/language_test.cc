#include "text/language.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/compress.h"
#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

TEST(DetectLanguage, common_languages_are_told_from_a_sentence) {
  const struct {
    std::string_view language, text;
  } rows[] = {
      {"en", "The crawler starts at the pages that the user has given and follows their links."},
      {"de",
       "Der Sammler beginnt bei den Seiten, die der Benutzer angegeben hat, und folgt ihnen."},
      {"fr", "Le robot commence par les pages que l'utilisateur a données et suit leurs liens."},
      {"es", "El programa empieza en las páginas que el usuario ha indicado y sigue sus enlaces."},
      {"tr", "Program, kullanıcının verdiği sayfalardan başlar ve onların bağlantılarını izler."},
      {"ru", "Программа начинает со страниц, которые указал пользователь, и следует по ссылкам."},
      {"el",
       "Το πρόγραμμα ξεκινά από τις σελίδες που έδωσε ο χρήστης και ακολουθεί τους συνδέσμους."},
      {"ar", "يبدأ البرنامج من الصفحات التي قدمها المستخدم ويتبع الروابط الموجودة فيها."},
      {"he", "התוכנה מתחילה מהדפים שהמשתמש נתן ועוקבת אחרי הקישורים שבהם."},
      {"ja", "このプログラムは利用者が指定したページから始めて、リンクをたどります。"},
      {"zh", "程序从用户给出的网页开始，并跟随其中的链接。"},
      {"ko", "이 프로그램은 사용자가 지정한 페이지에서 시작하여 링크를 따라갑니다."},
      {"th", "โปรแกรมเริ่มต้นจากหน้าที่ผู้ใช้ระบุและติดตามลิงก์"},
  };
  for (const auto& [language, text] : rows) EXPECT_EQ(detect_language(text), language) << text;
}

TEST(DetectLanguage, too_little_text_gives_no_answer) {
  EXPECT_EQ(detect_language(""), "");
  EXPECT_EQ(detect_language("Home"), "");
  EXPECT_EQ(detect_language("the and of to in a"), "");
  EXPECT_EQ(detect_language(std::string(5000, '7')), "");
}

TEST(DetectLanguage, a_foreign_menu_does_not_outweigh_the_text) {
  const std::string menu = "Home About us Contact Products and services Search our site ";
  std::string text = menu;
  for (int i = 0; i < 30; ++i) {
    text +=
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft "
        "begabt. ";
  }
  EXPECT_EQ(detect_language(text), "de");
}

RC_GTEST_PROP(DetectLanguage, survives_any_bytes, (const std::string& bytes)) {
  (void)detect_language(bytes);
  std::string much;
  for (int i = 0; i < 50; ++i) much += bytes + "\xF0\x9F é \xFF letters of a kind \x01";
  (void)detect_language(much);
}

std::string without_tags(std::string_view html) {
  std::string text;
  bool in_tag = false;
  for (const char c : html) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c == '>') in_tag = false, text += ' ';
  }
  return text;
}

struct Score {
  int right = 0, wrong = 0, unsure = 0;
};

const std::string kEnglishSentence =
    "The city is the capital of the region and one of the largest of the country, known for its "
    "opera house and its cathedral. ";
const std::string kGermanSentence =
    "Die Stadt ist die Hauptstadt der Region und eine der größten des Landes, bekannt für ihre "
    "Oper und ihren Dom. ";
const std::string kItalianNames =
    "Castello Sforzesco, Galleria Vittorio Emanuele, Piazza del Duomo, Santa Maria delle Grazie, "
    "Pinacoteca di Brera, Teatro alla Scala, Porta Romana, Naviglio Grande, Stazione Centrale. ";

TEST(DetectLanguage, names_in_another_language_do_not_outvote_what_is_declared) {
  std::string text = kItalianNames + kEnglishSentence + kItalianNames;
  EXPECT_EQ(detect_language(text, "en"), "en");
  EXPECT_EQ(detect_language(text, "en-GB"), "en");
}

TEST(DetectLanguage, a_declaration_left_over_from_a_template_is_contradicted) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += kGermanSentence;
  EXPECT_EQ(detect_language(text, "en"), "de");
  EXPECT_EQ(detect_language(text, "de-AT"), "de");
}

TEST(DetectLanguage, what_is_declared_counts_where_the_text_tells_nothing) {
  EXPECT_EQ(detect_language("Home", "fr"), "fr");
  EXPECT_EQ(detect_language("", "x-klingon"), "");
  EXPECT_EQ(detect_language("Home", "english"), "");
  EXPECT_EQ(detect_language("Home", "pt_BR"), "pt");
}

// Of the declarations in languages with an ISO 639-1 code: how many are told, by `bytes` of their
// middle or all (0). The others are languages that CLD2 mostly does not know.
Score score_declarations(std::string_view tar, size_t bytes) {
  Score score;
  for (size_t at = 0; at + 512 <= tar.size() && tar[at] != '\0';) {
    const size_t size = std::strtoul(std::string(tar.substr(at + 124, 12)).c_str(), nullptr, 8);
    const std::string_view file = tar.substr(at + 512, size);
    at += 512 + (size + 511) / 512 * 512;
    if (!file.starts_with("<!doctype html>")) continue;
    const size_t lang = file.find(" lang=\"");
    const size_t body = file.find("<body");
    if (lang == std::string_view::npos || body == std::string_view::npos) continue;
    std::string expected(file.substr(lang + 7, file.find('"', lang + 7) - lang - 7));
    expected.resize(std::min(expected.find('-'), expected.size()));
    if (expected == "nb") expected = "no";
    if (expected.size() != 2) continue;
    std::string text = without_tags(file.substr(body));
    if (bytes > 0) text = text.substr(text.find(' ', text.size() / 3), bytes);
    const std::string found = detect_language(text);
    ++(found == expected ? score.right : found.empty() ? score.unsure : score.wrong);
  }
  return score;
}

// Without the tables of libcld2_full some 110 would be told. Among the wrong are Bosnian, Croatian
// and Serbian for each other, and Vietnamese in Chinese characters.
TEST(DetectLanguage, tells_most_declarations_of_human_rights) {
  const auto path = test_data("gold/udhr.tgz");
  if (!path) GTEST_SKIP() << kNoData;
  const auto file = read_file(*path);
  ASSERT_TRUE(file.ok());
  const auto tar = gunzip_member(*file, size_t{1} << 30);
  ASSERT_TRUE(tar.ok());

  const Score whole = score_declarations(tar->bytes, 0);
  EXPECT_EQ(whole.right + whole.wrong + whole.unsure, 210);
  EXPECT_GE(whole.right, 176);
  EXPECT_LE(whole.wrong, 9);
  const Score short_texts = score_declarations(tar->bytes, 300);
  EXPECT_GE(short_texts.right, 172);
  EXPECT_LE(short_texts.wrong, 11);
}

}  // namespace
}  // namespace dowser
