#include <gtest/gtest.h>

#include "parse/parse_page.h"

namespace dowser {
namespace {

Page parse(std::string_view text, std::string_view title = "") {
  return parse_document(text, title, *Url::parse("http://a.test/p.pdf"));
}

TEST(ParseDocument, lines_of_a_paragraph_are_joined_and_divided_words_too) {
  const Page page =
      parse("The growth of\n  trees is mea-\nsured in\nthe non-\nEnglish world.\n\nIt rains.");
  EXPECT_EQ(page.text, "The growth of trees is measured in the non- English world.\nIt rains.");
  ASSERT_EQ(page.blocks.size(), 2U);
  EXPECT_EQ(page.words(page.blocks[1].text), "It rains.");
  EXPECT_TRUE(page.links.empty());
}

TEST(ParseDocument, a_page_ends_a_paragraph) {
  EXPECT_EQ(parse("one\ntwo\fthree").text, "one two\nthree");
  EXPECT_EQ(parse("one\r\n\r\ntwo\r\n").text, "one\ntwo");
}

TEST(ParseDocument, has_language_terms_and_title_like_any_page) {
  const Page page = parse(
      "The house of the old man stands by the river, and the trees around it are green in summer.",
      "Lighthouses");
  EXPECT_EQ(page.language, "en");
  EXPECT_EQ(page.title, "Lighthouses");
  EXPECT_FALSE(page.terms.empty());
  EXPECT_FALSE(page.placed_terms.empty());
}

TEST(ParseDocument, nothing_gives_an_empty_page) {
  for (const char* text : {"", "\n\n", "\f \f", " \t\r\n"}) {
    const Page page = parse(text);
    EXPECT_EQ(page.text, "");
    EXPECT_TRUE(page.blocks.empty());
  }
}

}  // namespace
}  // namespace dowser
