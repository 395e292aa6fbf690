#include "judge/signature/signature_judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "judge/signature/keyword_finder.h"
#include "judge/signature/page_words.h"
#include "learn/signature/signature_files.h"
#include "parse/parse_page.h"
#include "text/terms.h"

namespace dowser {
namespace {

Page page_of(const std::string& html) {
  return parse_html("<html lang=en><body>" + html + "</body></html>",
                    *Url::parse("http://a.test/"));
}

std::vector<std::string> words_of(const Page& page, const SignatureSettings& settings) {
  PageWords::Spelling spelling;
  std::vector<std::string> words;
  for (const TermId term : PageWords(settings).words(page, spelling)) {
    words.push_back(spelling.at(term));
  }
  return words;
}

using Words = std::vector<std::string>;

constexpr char kHtml[] =
    "<h1>Headings</h1><p>The owls and nests<ul><li>an egg</ul><table><tr><td>feather</table>"
    "<pre>code</pre>naked";

TEST(PageWords, are_those_of_paragraphs_lists_and_tables_without_stop_words) {
  SignatureSettings s;
  EXPECT_EQ(words_of(page_of(kHtml), s), (Words{"owls", "nests", "egg", "feather"}));
  s.text = "paragraphs";
  EXPECT_EQ(words_of(page_of(kHtml), s), (Words{"owls", "nests"}));
  s.text = "all";
  EXPECT_EQ(words_of(page_of(kHtml), s),
            (Words{"headings", "owls", "nests", "egg", "feather", "code", "naked"}));
}

TEST(PageWords, synonyms_are_replaced_before_stems) {
  SignatureSettings s;
  s.synonyms = {{"owls", "birds"}};
  EXPECT_EQ(words_of(page_of(kHtml), s), (Words{"birds", "nests", "egg", "feather"}));
  s.stemming = true;
  EXPECT_EQ(words_of(page_of(kHtml), s), (Words{"bird", "nest", "egg", "feather"}));
}

TEST(PageWords, all_ways_to_read_a_page_agree) {
  const Page page = page_of(std::string(kHtml) + "<p>It's an e-mail of the owl's, isn't it?");
  for (const bool stemming : {false, true}) {
    SignatureSettings s;
    s.stemming = stemming;
    const PageWords reader(s);
    const std::vector<TermId> words = reader.words(page);
    const std::vector<PlacedTerm> placed = reader.placed_words(page);
    ASSERT_EQ(placed.size(), words.size());
    for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(placed[i].id, words[i]);
  }
}

// The keywords of a page as they are found by reading all its words.
std::vector<std::pair<uint32_t, uint32_t>> read_keywords(const Page& page, const PageWords& reader,
                                                         const GroupScanner& scanner) {
  std::vector<GroupScanner::Event> events;
  uint32_t position = 0;
  for (const TermId word : reader.words(page)) scanner.add(word, position++, events);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const auto& event : events) pairs.emplace_back(event.keyword, event.position);
  return pairs;
}

TEST(KeywordFinder, finds_what_reading_every_word_finds) {
  // Words of one stem, a link that divides a word, links at signs, stop words, other languages.
  const std::string pages[] = {
      std::string(kHtml) + "<p>It's an e-mail of the owl's, isn't it?",
      "<p>nesting nests nested (nest) owl/nests <a href=x>owl</a>s and <a href=x>nests</a>.",
      "<p>the<a href=x>owls</a> nests, (<a href=x>owls</a>)nests un<a href=x>nests</a> egg owls",
      "<p>egg<a href=x>the</a> owls <a href=x>egg</a>;owls nests<ul><li>owls<li>nests</ul>",
      "<p>Der Igel und die Eier; owls nests egg \u3075\u304f\u308d\u3046 owls",
  };
  for (const bool stemming : {false, true}) {
    Signature s;
    s.settings.stemming = stemming;
    s.words = {stemming ? "owl" : "owls", stemming ? "nest" : "nests", "egg"};
    const std::array<TermId, 3> triple = {term_id(s.words[0]), term_id(s.words[1]),
                                          term_id(s.words[2])};
    const GroupScanner scanner(std::vector{triple}, 10, 5);
    const KeywordFinder finder(std::span(&s, 1), scanner);
    for (const std::string& html : pages) {
      for (const char* language : {"en", "de", "tr", "ja"}) {
        Page page = parse_html(fmt::format("<html lang={}><body>{}</body></html>", language, html),
                               *Url::parse("http://a.test/"));
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (const auto& event : finder.find(page))
          found.emplace_back(event.keyword, event.position);
        EXPECT_EQ(found, read_keywords(page, PageWords(s.settings), scanner)) << html;
        EXPECT_FALSE(found.empty());
      }
    }
  }
}

std::string library() {
  Signature s;
  s.name = "tr_owl_nest_egg_1";
  s.words = {"owl", "nest", "egg"};
  // "owl nest egg" itself.
  s.centroid = {1, 1, 1, 1, 0.8187307530779818, 0, 1, 0, 0};
  double square = 0;
  for (const double x : s.centroid) square += x * x;
  for (double& x : s.centroid) x /= std::sqrt(square);
  s.angle = 0.1;
  s.evidence = {3, 4, 0, 10};
  Signature other = s;
  other.name = "tr_owl_nest_egg_2";
  other.angle = 0.2;
  other.evidence = {1, 4, 1, 10};
  return library_text({s, other});
}

TEST(SignatureJudge, a_page_with_a_hit_is_relevant_and_more_evidence_makes_it_more_so) {
  const Topic topic;
  const std::string text = library();
  const auto judge = make_signatures_judge({"signatures", {}}, {topic, {}, text});
  ASSERT_TRUE(judge) << judge.error().message;
  const Judgement hit = (*judge)->judge(page_of("<p>The owl nest egg."));
  EXPECT_TRUE(hit.relevant);
  EXPECT_GT(hit.relevance.value, (*judge)->threshold());
  // The second is farther away than a window, so that both are hits.
  const Judgement more = (*judge)->judge(page_of(
      "<p>The owl nest egg. One two three four five six seven eight nine ten eleven twelve "
      "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty. The owl nest egg."));
  EXPECT_GT(more.relevance.value, hit.relevance.value);
  std::string other_words;
  for (int i = 0; i < 2000; ++i) other_words += " word" + std::string(1 + i % 7, 'x');
  const Judgement longer = (*judge)->judge(page_of("<p>The owl nest egg." + other_words));
  EXPECT_TRUE(longer.relevant);
  EXPECT_LT(longer.relevance.value, hit.relevance.value);
  EXPECT_GE(longer.relevance.value, (*judge)->threshold());
  EXPECT_EQ((*judge)->relevance(PageTerms()).value, 0);
  ASSERT_EQ(hit.reasons.size(), 2u);
  EXPECT_EQ(hit.reasons[0].word, "tr_owl_nest_egg_1");
  EXPECT_FALSE((*judge)->judge(page_of("<p>The egg nest owl.")).relevant);
  EXPECT_FALSE((*judge)->judge(page_of("<p>Nothing of it.")).relevant);
  EXPECT_FALSE((*judge)->judge(Page()).relevant);

  const auto strict = make_signatures_judge({"signatures", {}}, {topic, 0.99, text});
  EXPECT_FALSE((*strict)->judge(page_of("<p>The owl nest egg.")).relevant);
}

TEST(SignatureJudge, names_the_passage_of_a_hit) {
  const auto signatures = read_library_text(library());
  ASSERT_TRUE(signatures);
  const auto found = passages(*signatures, page_of("<p>First words. The owl nest egg is here."));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].count, 1u);
  EXPECT_NE(found[0].passage.find("owl nest"), std::string::npos) << found[0].passage;
}

TEST(SignatureJudge, says_what_it_needs) {
  Topic topic;
  topic.words = "owl";
  const auto words = make_signatures_judge({"signatures", {}}, {topic, {}, {}});
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().message.find("needs a library or example pages"), std::string::npos);
  topic.examples = {page_of("<p>owl nest"), page_of("<p>owl nest")};
  const auto copies = make_signatures_judge({"signatures", {}}, {topic, {}, {}});
  ASSERT_FALSE(copies);
  EXPECT_NE(copies.error().message.find("all have the same text"), std::string::npos);
}

}  // namespace
}  // namespace dowser
