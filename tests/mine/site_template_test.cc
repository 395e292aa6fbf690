#include "mine/site_template.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "parse/parse_page.h"

namespace dowser {
namespace {

Page page_of(const std::string& html) { return parse_html(html, *Url::parse("http://a.org/x")); }

// A page of a site with a menu, a footer with a date, and content of its own.
Page site_page(int number) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("{}{}x ", static_cast<char>('a' + i % 26),
                        static_cast<char>('a' + (i * number + number) % 26));
  }
  return page_of(fmt::format(
      "<div class=top><ul><li><a href=/>Home</a><li><a href=/n>News of the day</a></ul></div>"
      "<div class=text><h1>Title {0} {1}</h1><p>{2}</p><ul><li>Topic {1}</ul></div>"
      "<div class=foot><p>Changed on {0} May by the master of the web</p></div>",
      number, std::string(1, static_cast<char>('a' + number)), text));
}

std::vector<Page> site_pages(int n) {
  std::vector<Page> pages;
  for (int i = 1; i <= n; ++i) pages.push_back(site_page(i));
  return pages;
}

std::set<std::string> marked_blocks(const SiteTemplate& site, Page page) {
  for (Block& block : page.blocks) block.role = BlockRole::kContent;
  site.mark(page);
  std::set<std::string> marked;
  for (const Block& block : page.blocks) {
    if (block.role == kTemplateRole) marked.emplace(page.words(block.text));
  }
  return marked;
}

TEST(SiteTemplate, what_corresponds_and_says_the_same_is_the_template) {
  const SiteTemplate site = SiteTemplate::learn(site_pages(10));
  // Also on a page that it was not learned from; digits make no difference.
  EXPECT_EQ(marked_blocks(site, site_page(17)),
            (std::set<std::string>{"Home", "News of the day",
                                   "Changed on 17 May by the master of the web"}));
}

TEST(SiteTemplate, few_pages_have_none_and_equal_text_elsewhere_stays) {
  EXPECT_EQ(SiteTemplate::learn(site_pages(3)).blocks(), 0u);
  EXPECT_EQ(SiteTemplate::learn({}).blocks(), 0u);
  const SiteTemplate site = SiteTemplate::learn(site_pages(8));
  EXPECT_TRUE(marked_blocks(site, page_of("<article><p>Home</p></article>")).empty());
  Page empty;
  EXPECT_EQ(site.mark(empty), 0u);
}

TEST(MatchingBlocks, pairs_corresponding_blocks_in_order) {
  const Page a = page_of("<ul><li>Home<li>News</ul><p>Rain is likely</p><p>Imprint</p>");
  const Page b = page_of("<ul><li>Home<li>Sport<li>News</ul><p>Snow is near</p><p>Imprint</p>");
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [x, y] : matching_blocks(a, b)) {
    texts.emplace_back(a.words(a.blocks[x].text), b.words(b.blocks[y].text));
  }
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"Home", "Home"},
      {"News", "News"},
      {"Rain is likely", "Snow is near"},
      {"Imprint", "Imprint"}};
  EXPECT_EQ(texts, expected);
}

// The highest score of a matching of two lists, by trying everything: a pair counts one, and a pair
// of equal letters two.
size_t best_score(std::string_view x, std::string_view y) {
  if (x.empty() || y.empty()) return 0;
  const size_t pair = (x[0] == y[0] ? 2 : 1) + best_score(x.substr(1), y.substr(1));
  return std::max({pair, best_score(x.substr(1), y), best_score(x, y.substr(1))});
}

TEST(MatchingBlocks, two_flat_lists_match_as_well_as_they_can) {
  const auto list = [](std::string_view letters) {
    std::string html;
    for (const char c : letters) html += fmt::format("<p>{}</p>", std::string(3, c));
    return page_of(html);
  };
  for (const auto& [x, y] : std::vector<std::pair<std::string, std::string>>{
           {"abcbdab", "bdcaba"}, {"abc", "abc"}, {"abcdef", "f"}, {"aab", "baa"}}) {
    const Page a = list(x), b = list(y);
    size_t score = 0;
    for (const auto& [i, j] : matching_blocks(a, b)) {
      score += a.words(a.blocks[i].text) == b.words(b.blocks[j].text) ? 2 : 1;
    }
    EXPECT_EQ(score, best_score(x, y)) << x << " " << y;
  }
}

}  // namespace
}  // namespace dowser
