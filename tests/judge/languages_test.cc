#include <gtest/gtest.h>

#include <algorithm>

#include "judge/judge.h"
#include "tests/judge/made_pages.h"

// Topics in other languages than English, given by five words: the judge `learned` tells pages on
// them from others of the same language, before it has learned anything and after.

namespace dowser {
namespace {

using Sentences = std::vector<std::string_view>;

struct Scenario {
  std::string_view language, words;
  Sentences on, off;
};

const Scenario kTurkishBirds = {
    "tr",
    "kuş kanat tüy yuva gaga",
    {"Kuşlar ilkbaharda ağaçların dallarına yuvalarını kurar.",
     "Leyleğin kanatları uzun, gagası kırmızıdır.", "Dişi kuş yuvada yumurtaların üstünde oturur.",
     "Tüyleri ıslanan kuş kanatlarını güneşte kurutur.",
     "Serçenin gagası kısa ve kalındır, tohum kırmaya yarar.",
     "Göçmen kuşlar kışın sıcak ülkelere uçar.", "Kartal kanatlarını açınca gölgesi tarlaya düşer.",
     "Yavruların tüyleri üç haftada çıkar, sonra yuvadan ayrılırlar."},
    {"Tren sabah sekizde istasyondan kalktı.", "Belediye yeni bir köprü yapmaya karar verdi.",
     "Öğrenciler sınavdan sonra kütüphanede buluştu.",
     "Fırıncı her gece hamuru yoğurur ve ekmek pişirir.",
     "Bilgisayarın belleği yetmeyince program durdu.",
     "Maçın son dakikasında kaleci topu kurtardı.", "Balıkçılar ağları limanda onarıyor.",
     "Mahkeme davayı gelecek aya erteledi."}};

const Scenario kGermanWeather = {
    "de",
    "Wetter Sturm Regen Wind Gewitter",
    {"Der Sturm deckte in der Nacht mehrere Dächer ab.",
     "Am Nachmittag ziehen Gewitter mit starkem Regen auf.",
     "Das Wetter bleibt bis zum Wochenende wechselhaft.",
     "Der Wind weht frisch aus Nordwest, an der Küste stürmisch.",
     "Nach den Gewittern kühlte die Luft um zehn Grad ab.", "Regenwolken hängen tief über dem Tal.",
     "Der Wetterdienst warnt vor Sturmböen und Hagel.",
     "Im Herbst bringen Winde vom Meer viel Regen."},
    {"Der Zug nach München fährt auf Gleis sieben ab.",
     "Die Bäckerin knetet den Teig und heizt den Ofen an.",
     "Das Gericht verschob die Verhandlung auf den nächsten Monat.",
     "Im Museum hängen Gemälde aus drei Jahrhunderten.",
     "Der Torwart hielt den Elfmeter in der letzten Minute.",
     "Die Schule bekommt neue Computer für den Unterricht.",
     "Handwerker streichen das Treppenhaus in hellem Grün.",
     "Die Bank senkt die Zinsen für neue Kredite."}};

const Scenario kJapaneseCooking = {
    "ja",
    "料理 野菜 鍋 煮る 味",
    {"鍋に水を入れて野菜をやわらかくなるまで煮る。", "この料理は味噌で味をつけるのがこつです。",
     "にんじんや玉ねぎなどの野菜を細かく切ります。", "弱火で二十分ほど煮ると味がよくしみます。",
     "母の料理はどれも薄い味でおいしい。", "冬になると家族みんなで鍋を囲みます。",
     "野菜を鍋で炒めてから塩で味を整える。", "魚を煮るときは砂糖と醤油を先に入れる料理が多い。"},
    {"電車は午前八時に駅を出発しました。", "裁判所は来月まで審理を延期した。",
     "学生たちは試験のあと図書館に集まった。", "新しい橋の工事が来年から始まります。",
     "選手は最後の一分で得点を決めた。", "パソコンの記憶装置が足りなくて動かない。",
     "銀行は住宅ローンの金利を下げた。", "台風で飛行機の便が欠航になりました。"}};

// Three sentences beginning at the n-th.
Page page_of(const Sentences& sentences, size_t n, std::string_view language) {
  Page page;
  for (const size_t step : {0, 1, 3}) {
    page.text += sentences[(n + step) % sentences.size()];
    page.text += '\n';
  }
  page.language = language;
  page.terms = count_terms({page.text}, page.language);
  return page;
}

// Every page on the topic is far above every other.
void expect_tells(const Judge& judge, const Scenario& scenario, std::string_view when) {
  double least_on = 1, most_off = 0;
  for (size_t n = 0; n < scenario.on.size(); ++n) {
    const Page on = page_of(scenario.on, n, scenario.language);
    const Page off = page_of(scenario.off, n, scenario.language);
    least_on = std::min(least_on, judge.relevance(terms_of(on)).value);
    most_off = std::max(most_off, judge.relevance(terms_of(off)).value);
  }
  EXPECT_GT(least_on, 0.2) << scenario.language << " " << when;
  EXPECT_LT(most_off, 0.1) << scenario.language << " " << when;
}

TEST(LearnedJudge, five_words_tell_a_topic_in_turkish_german_and_japanese) {
  for (const Scenario& scenario : {kTurkishBirds, kGermanWeather, kJapaneseCooking}) {
    const Topic topic{std::string(scenario.words), {}};
    const auto first = make_learned_judge({"learned", {}}, {topic, {}, {}});
    ASSERT_TRUE(first.ok()) << first.error().message;
    expect_tells(**first, scenario, "at first");
    const auto trainer = trainer_of(**first);
    std::unique_ptr<Judge> newest;
    for (uint32_t i = 0; i < 60; ++i) {
      const Sentences& sentences = i % 3 == 0 ? scenario.on : scenario.off;
      if (auto better = trainer->learn(made_visit(i, page_of(sentences, i, scenario.language)))) {
        newest = std::move(better);
      }
    }
    ASSERT_TRUE(newest) << scenario.language;
    expect_tells(*newest, scenario, "when it has learned");
  }
}

}  // namespace
}  // namespace dowser
