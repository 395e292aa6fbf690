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

// Sentences of our own about the weather, for those who do not have the declarations below.
TEST(DetectLanguage, many_languages_are_told_from_two_sentences) {
  const struct {
    std::string_view language, text;
  } rows[] = {
      {"af",
       "Dit het gister die hele dag gereën, en die pad na die dorp was baie nat. Môre sal die "
       "son weer skyn."},
      {"bg",
       "Вчера валя цял ден и пътят към селото беше много мокър. Утре слънцето ще грее отново."},
      {"bn", "গতকাল সারাদিন বৃষ্টি হয়েছিল এবং গ্রামের রাস্তা খুব ভেজা ছিল। আগামীকাল আবার সূর্য উঠবে।"},
      {"ca",
       "Ahir va ploure tot el dia i el camí del poble era molt mullat. Demà tornarà a fer sol "
       "i sortirem a passejar amb els nens."},
      {"cs",
       "Včera celý den pršelo a cesta do vesnice byla velmi mokrá. Zítra bude zase svítit "
       "slunce a půjdeme ven."},
      {"cy",
       "Roedd hi'n bwrw glaw drwy'r dydd ddoe ac roedd y ffordd i'r pentref yn wlyb iawn. "
       "Bydd yr haul yn disgleirio eto yfory."},
      {"da",
       "Det regnede hele dagen i går, og vejen til landsbyen var meget våd. I morgen skinner "
       "solen igen, og så går vi alle sammen ud."},
      {"et",
       "Eile sadas terve päeva vihma ja külla viiv tee oli väga märg. Homme paistab jälle "
       "päike ja me läheme välja."},
      {"eu",
       "Atzo egun osoan euria egin zuen eta herrirako bidea oso bustita zegoen. Bihar "
       "eguzkia aterako da berriro."},
      {"fa",
       "دیروز تمام روز باران بارید و جاده‌ی روستا خیلی خیس بود. فردا دوباره آفتاب "
       "می‌تابد."},
      {"fi",
       "Eilen satoi koko päivän, ja kylään vievä tie oli hyvin märkä. Huomenna aurinko paistaa "
       "taas ja lähdemme ulos."},
      {"ga",
       "Bhí sé ag cur báistí an lá ar fad inné agus bhí an bóthar go dtí an sráidbhaile an-"
       "fhliuch. Beidh an ghrian ag taitneamh arís amárach."},
      {"gu", "ગઈકાલે આખો દિવસ વરસાદ પડ્યો અને ગામનો રસ્તો ખૂબ ભીનો હતો. આવતીકાલે ફરી સૂર્ય ચમકશે."},
      {"hi", "कल पूरे दिन बारिश हुई और गाँव की सड़क बहुत गीली थी। कल फिर से धूप निकलेगी।"},
      {"hu",
       "Tegnap egész nap esett az eső, és a faluba vezető út nagyon nedves volt. Holnap újra "
       "sütni fog a nap."},
      {"hy", "Երեկ ամբողջ օրը անձրև եկավ, և գյուղի ճանապարհը շատ թաց էր։ Վաղը արևը նորից կշողա։"},
      {"id",
       "Kemarin hujan turun sepanjang hari dan jalan ke desa sangat basah. Besok matahari akan "
       "bersinar lagi dan kami akan pergi ke luar."},
      {"is",
       "Í gær rigndi allan daginn og vegurinn til þorpsins var mjög blautur. Á morgun skín "
       "sólin aftur."},
      {"it",
       "Ieri è piovuto tutto il giorno e la strada per il paese era molto bagnata. Domani "
       "tornerà il sole e usciremo."},
      {"ka",
       "გუშინ მთელი დღე წვიმდა და სოფლისკენ მიმავალი გზა ძალიან სველი იყო. ხვალ ისევ მზე "
       "გამოანათებს."},
      {"km", "ម្សិលមិញមេឃភ្លៀងពេញមួយថ្ងៃ ហើយផ្លូវទៅភូមិសើមណាស់។ ថ្ងៃស្អែកព្រះអាទិត្យនឹងរះម្តងទៀត។"},
      {"kn",
       "ನಿನ್ನೆ ಇಡೀ ದಿನ ಮಳೆಯಾಯಿತು ಮತ್ತು ಹಳ್ಳಿಗೆ ಹೋಗುವ ರಸ್ತೆ ತುಂಬಾ ಒದ್ದೆಯಾಗಿತ್ತು. ನಾಳೆ ಮತ್ತೆ ಸೂರ್ಯ "
       "ಹೊಳೆಯುತ್ತಾನೆ."},
      {"lt", "Vakar visą dieną lijo, ir kelias į kaimą buvo labai šlapias. Rytoj vėl švies saulė."},
      {"lv", "Vakar visu dienu lija, un ceļš uz ciemu bija ļoti slapjš. Rīt atkal spīdēs saule."},
      {"ml",
       "ഇന്നലെ ദിവസം മുഴുവൻ മഴ പെയ്തു, ഗ്രാമത്തിലേക്കുള്ള വഴി വളരെ നനഞ്ഞിരുന്നു. നാളെ വീണ്ടും "
       "സൂര്യൻ പ്രകാശിക്കും."},
      {"nl",
       "Gisteren heeft het de hele dag geregend en de weg naar het dorp was erg nat. Morgen "
       "schijnt de zon weer."},
      {"pl",
       "Wczoraj cały dzień padał deszcz i droga do wsi była bardzo mokra. Jutro znowu zaświeci "
       "słońce."},
      {"pt",
       "Ontem choveu o dia todo e a estrada para a aldeia estava muito molhada. Amanhã o sol "
       "vai brilhar outra vez e não ficaremos em casa."},
      {"ro",
       "Ieri a plouat toată ziua, iar drumul spre sat era foarte ud. Mâine soarele va străluci "
       "din nou."},
      {"sk",
       "Včera celý deň pršalo a cesta do dediny bola veľmi mokrá. Zajtra bude opäť svietiť "
       "slnko a pôjdeme von."},
      {"sl",
       "Včeraj je ves dan deževalo in cesta v vas je bila zelo mokra. Jutri bo spet sijalo "
       "sonce."},
      {"sq",
       "Dje ra shi gjithë ditën dhe rruga për në fshat ishte shumë e lagur. Nesër dielli do të "
       "ndriçojë përsëri."},
      {"sv",
       "I går regnade det hela dagen och vägen till byn var mycket blöt. I morgon skiner solen "
       "igen."},
      {"sw",
       "Jana mvua ilinyesha siku nzima na barabara ya kwenda kijijini ilikuwa na maji mengi. "
       "Kesho jua litawaka tena."},
      {"ta",
       "நேற்று நாள் முழுவதும் மழை பெய்தது, கிராமத்திற்கு செல்லும் சாலை மிகவும் ஈரமாக இருந்தது. நாளை "
       "மீண்டும் வெயில் அடிக்கும்."},
      {"te",
       "నిన్న రోజంతా వర్షం కురిసింది, గ్రామానికి వెళ్ళే దారి చాలా తడిగా ఉంది. "
       "రేపు మళ్ళీ ఎండ కాస్తుంది."},
      {"uk",
       "Учора весь день ішов дощ, і дорога до села була дуже мокра. Завтра знову світитиме "
       "сонце."},
      {"ur", "کل سارا دن بارش ہوئی اور گاؤں کی سڑک بہت گیلی تھی۔ کل پھر دھوپ نکلے گی۔"},
      {"vi",
       "Hôm qua trời mưa suốt cả ngày và con đường vào làng rất ướt. Ngày mai mặt trời sẽ lại "
       "chiếu sáng."},
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
