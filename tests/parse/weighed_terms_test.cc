#include "parse/weighed_terms.h"

#include <gtest/gtest.h>

#include "parse/parse_page.h"
#include "text/terms.h"

namespace dowser {
namespace {

const std::string kText =
    "<p>Terns breed in colonies on islands, lay two eggs a year and feed their young with small "
    "fish that they catch by diving, often far away from the colony.</p>";

Page page_of(const std::string& html, const FieldWeights& fields = {}) {
  ParseOptions options;
  options.fields = fields;
  return parse_html("<html lang=en>" + html, *Url::parse("http://example.org/"), options);
}

uint32_t count_of(const Page& page, std::string_view word) {
  for (const TermCount& t : page.terms) {
    if (t.term == term_ids(word, "en").at(0)) return t.count;
  }
  return 0;
}

FieldWeights weights(std::string_view text) { return *FieldWeights::parse(text); }

TEST(WeighedTerms, menus_footers_and_comments_do_not_count) {
  const Page page = page_of("<nav>Search</nav>" + kText + kText +
                            "<div class=comments>Zebra</div>" + "<footer>Imprint</footer>");
  EXPECT_EQ(count_of(page, "colonies"), 4u);
  EXPECT_EQ(count_of(page, "search"), 0u);
  EXPECT_EQ(count_of(page, "zebra"), 0u);
  EXPECT_EQ(count_of(page, "imprint"), 0u);
}

TEST(WeighedTerms, fields_have_weights) {
  const std::string html =
      "<title>Gull</title><meta name=description content=Puffin><meta name=keywords "
      "content=Razorbill><h1>Auk</h1><p><b>Skua</b></p><nav>Search</nav>" +
      kText;
  const Page page =
      page_of(html, weights("title:5 description:4 keywords:3 heading:6 emphasis:2 menu:1"));
  EXPECT_EQ(count_of(page, "gull"), 5u);
  EXPECT_EQ(count_of(page, "puffin"), 4u);
  EXPECT_EQ(count_of(page, "razorbill"), 3u);
  EXPECT_EQ(count_of(page, "auk"), 6u);
  EXPECT_EQ(count_of(page, "skua"), 2u);
  EXPECT_EQ(count_of(page, "search"), 1u);
}

TEST(WeighedTerms, a_page_that_is_only_a_menu_counts_whole) {
  EXPECT_EQ(count_of(page_of("<nav>Search <a href=/>Terns</a></nav>"), "terns"), 1u);
}

TEST(WeighedTerms, the_terms_of_links_stay_whole) {
  const Page page = page_of("<nav><a href=/s>Search engines</a></nav>" + kText);
  ASSERT_EQ(page.links.size(), 1u);
  EXPECT_EQ(page.terms_in(page.links[0].anchor).size(), 2u);
}

TEST(WeighedTerms, blocks_can_be_marked_before_they_count) {
  ParseOptions options;
  options.mark_blocks = [](Page& page) { page.blocks[0].role = BlockRole::kTemplate; };
  const Page page = parse_html("<html lang=en><p>Banner</p>" + kText,
                               *Url::parse("http://example.org/"), options);
  EXPECT_EQ(count_of(page, "banner"), 0u);
  EXPECT_EQ(count_of(page, "colonies"), 2u);
}

}  // namespace
}  // namespace dowser
