#include "strategy/intel_crawl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/response.h"
#include "parse/parse_page.h"

// Pages with menus: the first ten links in the text of a page are followed, whatever its menu is
// made of.

namespace dowser {
namespace {

constexpr int kMenuLinks = 12;
constexpr int kTextLinks = 11;

std::string text_with_links() {
  std::string text;
  for (int i = 0; i < kTextLinks; ++i) {
    text += fmt::format(
        "<p>The owl hunts at night, and <a href=text{0}.html>its {0}th prey</a> is found by ear "
        "alone, since the feathers around its face lead every sound to the ears.</p>",
        i);
  }
  return text;
}

// Twelve links, each between `before` and `after`.
std::string menu(std::string_view before, std::string_view after) {
  std::string links;
  for (int i = 0; i < kMenuLinks; ++i) {
    links += fmt::format("{0}<a href=menu{1}.html>Entry {1}</a>{2}", before, i, after);
  }
  return links;
}

Visit relevant_visit(const std::string& body) {
  Visit visit;
  visit.response.url = *Url::parse("http://owls.test/owl.html");
  visit.response.status = 200;
  visit.response.headers.add("Content-Type", "text/html");
  visit.response.body = "<title>Owls</title><body>" + body;
  visit.page = parse_page(visit.response);
  visit.candidate.url = visit.response.url;
  visit.judgement.relevant = true;
  return visit;
}

// The paths of the links that the strategy follows.
std::vector<std::string> followed(const std::string& body, const std::string& spec) {
  const Topic topic{"owl", {}};
  const auto strategy = std::move(*make_intel_crawl(*Spec::parse(spec), {topic}));
  const Visit visit = relevant_visit(body);
  strategy->learn(visit);
  std::vector<std::string> paths;
  for (const Link& link : visit.page.links) {
    if (strategy->score(visit, link)) paths.emplace_back(link.url.path());
  }
  return paths;
}

std::vector<std::string> first(std::string_view name, int n) {
  std::vector<std::string> paths;
  for (int i = 0; i < n; ++i) paths.push_back(fmt::format("/{}{}.html", name, i));
  return paths;
}

TEST(IntelCrawl, a_menu_before_the_text_is_passed_over_whatever_it_is_made_of) {
  const std::string menus[] = {
      "<nav><ul>" + menu("<li>", "</li>") + "</ul></nav>",
      "<div class=menu><ul>" + menu("<li>", "</li>") + "</ul></div>",
      "<table><tr>" + menu("<td>", "</td>") + "</tr></table>",
  };
  for (const std::string& before : menus) {
    const std::string page = before + "<div id=text>" + text_with_links() + "</div>";
    EXPECT_EQ(followed(page, "intel-crawl"), first("text", 10)) << before;
    EXPECT_EQ(followed(page, "intel-crawl(links=all)"), first("menu", 10)) << before;
  }
}

TEST(IntelCrawl, the_text_may_stand_beside_the_menu_in_one_layout_table) {
  const std::string page =
      "<table><tr><td>" + menu("", "<br>") + "</td><td>" + text_with_links() + "</td></tr></table>";
  EXPECT_EQ(followed(page, "intel-crawl"), first("text", 10));
}

TEST(IntelCrawl, a_page_with_fewer_links_in_its_text_gives_those_of_its_lists_and_menus_too) {
  const std::string table = "<h1>Owls</h1><table><tr>" + menu("<td>", "</td>") + "</tr></table>";
  EXPECT_EQ(followed(table, "intel-crawl"), first("menu", 10));
  const std::string contents = "<div class=toc>" + menu("<p>", "</p>") + "</div>";
  EXPECT_EQ(followed(contents, "intel-crawl"), first("menu", 10));
  // The text comes first, wherever it stands.
  const std::string page = contents + "<div id=text>" + text_with_links() + "</div>";
  std::vector<std::string> both = first("menu", 12);
  for (const std::string& path : first("text", 11)) both.push_back(path);
  EXPECT_EQ(followed(page, "intel-crawl(first_links=20)").size(), 20u);
  EXPECT_EQ(followed(page, "intel-crawl"), first("text", 10));
  EXPECT_EQ(followed(page, "intel-crawl(first_links=0)"), both);
}

}  // namespace
}  // namespace dowser
