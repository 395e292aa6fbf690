#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "parse/parse_page.h"
#include "text/terms.h"

namespace dowser {
namespace {

const std::string kParagraph =
    "<p>Terns breed in colonies on islands, lay two eggs a year and feed their young with small "
    "fish "
    "that they catch by diving, often far away from the colony.";

std::vector<std::string> content_of(const std::string& html) {
  const Page page = parse_html(html, *Url::parse("http://example.org/"), {});
  std::vector<std::string> content;
  for (const Block& block : page.blocks) {
    if (block.role == BlockRole::kContent) content.emplace_back(page.words(block.text));
  }
  return content;
}

std::string list_of_links() {
  std::string html = "<ul>";
  for (int i = 0; i < 12; ++i) html += "<li><a href=/" + std::to_string(i) + ">Another page</a>";
  return html + "</ul>";
}

TEST(MainContent, menus_and_footers_are_left_out) {
  const auto content = content_of(
      "<div class=box>" + list_of_links() + "</div><div>" + kParagraph + kParagraph +
      "</div><footer><p>Copyright of the society of friends of birds, all rights reserved, "
      "printed on paper.</footer>");
  EXPECT_EQ(content.size(), 2u);
  for (const std::string& text : content) EXPECT_EQ(text.substr(0, 5), "Terns");
}

TEST(MainContent, a_list_of_links_inside_of_the_text_is_left_out) {
  const std::string text = kParagraph + kParagraph + kParagraph;
  EXPECT_EQ(content_of("<div>" + text + list_of_links() + text + "</div>").size(), 6u);
}

TEST(MainContent, two_short_paragraphs_around_a_long_list_of_links_are_both_content) {
  std::string list = "<ul>";
  for (int i = 0; i < 80; ++i) list += "<li><a href=/" + std::to_string(i) + ">Another page</a>";
  const auto content =
      content_of("<div>" + kParagraph + "</p>" + list + "</ul>" + kParagraph + "</div>");
  EXPECT_EQ(content.size(), 2u);
}

TEST(MainContent, what_readers_wrote_is_not_the_text) {
  const auto content = content_of("<div><div>" + kParagraph + kParagraph +
                                  "</div><div id=comments>" + kParagraph + "</div></div>");
  EXPECT_EQ(content.size(), 2u);
}

TEST(MainContent, a_name_that_holds_most_of_the_page_is_not_believed) {
  const auto content = content_of("<div class=sidebar-left>" + kParagraph + kParagraph + "</div>");
  EXPECT_EQ(content.size(), 2u);
}

TEST(MainContent, a_heading_stays_with_its_text_and_goes_with_what_is_left_out) {
  const std::string text = kParagraph + kParagraph + kParagraph;
  const auto content = content_of("<div><h2>Breeding</h2>" + text + text + "<h2>Related</h2>" +
                                  list_of_links() + "</div>");
  ASSERT_EQ(content.size(), 7u);
  EXPECT_EQ(content[0], "Breeding");
}

TEST(MainContent, odd_pages_do_no_harm) {
  for (const std::string& html :
       {std::string(), std::string("<p>"), std::string("word"), list_of_links(),
        std::string("<nav>") + kParagraph, std::string(5000, '<') + "div>",
        "<div>" + std::string(300, ' ') + "</div>"}) {
    (void)content_of(html);
  }
  EXPECT_EQ(content_of("word").size(), 1u);
}

// The diagrams of SQL's grammar that stand on many pages of a manual named words of every subject.
TEST(MainContent, the_labels_of_a_drawing_do_not_count_for_judges) {
  const Page page =
      parse_html("<div>" + kParagraph +
                     "<div><svg><g><text>window</text> <text>partition</text></g></svg></div>" +
                     kParagraph + "</div>",
                 *Url::parse("http://example.org/"), {});
  ASSERT_EQ(page.blocks.size(), 3u);
  EXPECT_EQ(page.blocks[0].role, BlockRole::kContent);
  EXPECT_EQ(page.blocks[1].role, BlockRole::kDrawing);
  EXPECT_EQ(page.words(page.blocks[1].text), "window partition");
  const auto has = [&](std::string_view word) {
    return std::any_of(page.terms.begin(), page.terms.end(),
                       [&](const TermCount& t) { return t.term == term_ids(word, "en").front(); });
  };
  EXPECT_TRUE(has("colonies"));
  EXPECT_FALSE(has("partition"));
}

}  // namespace
}  // namespace dowser
