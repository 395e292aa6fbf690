#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "store/catalogue.h"
#include "tests/support.h"

namespace dowser {
namespace {

// The report of a crawl of `pages` pages of a.test, each with a link to /nav and one of its own.
std::string report_of(int pages) {
  TempDir dir;
  const std::filesystem::path path = dir / "catalogue.sqlite";
  auto catalogue = Catalogue::create(path);
  EXPECT_TRUE(catalogue.ok());
  EXPECT_TRUE(catalogue->begin().ok());
  for (int i = 0; i < pages; ++i) {
    Visit v;
    v.id = {static_cast<uint32_t>(i)};
    v.candidate.url = *Url::parse(fmt::format("http://a.test/{}", i));
    v.response.url = v.candidate.url;
    v.response.status = 200;
    v.response.headers.add("Content-Type", "text/html");
    v.page.tag_paths = {""};
    v.page.links.resize(2);
    v.page.links[0].url = *Url::parse("http://a.test/nav?a&b");
    v.page.links[1].url = *Url::parse(fmt::format("http://a.test/{}", i + 1));
    v.page.links[1].position = 1;
    std::vector<FoundLink> found(2);
    for (size_t l = 0; l < 2; ++l) found[l].link = &v.page.links[l];
    EXPECT_TRUE(catalogue->add(v, found, {}).ok());
  }
  EXPECT_TRUE(catalogue->commit().ok());
  const auto html = report_html({path, "birds", "best-first", "cosine", 0.1, {}});
  EXPECT_TRUE(html.ok()) << html.error().message;
  return html.ok() ? *html : "";
}

TEST(Report, shows_the_links_that_stand_on_most_pages) {
  const std::string html = report_of(12);
  for (const char* part : {"<h2>Links on most pages</h2>", "here 12 pages on 1 host with 24 links",
                           "1 such address on 1 host: 50.0 % of the links on the pages examined.",
                           "100 % http://a.test/nav?a&amp;b"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST(Report, says_where_no_link_stands_on_most_pages) {
  for (const int pages : {0, 9}) {
    EXPECT_NE(report_of(pages).find("<p>There are none.</p>"), std::string::npos) << pages;
  }
}

TEST(Report, its_style_closes_every_block_that_it_opens) {
  const std::string html = report_of(1);
  const std::string style = html.substr(0, html.find("</style>"));
  EXPECT_EQ(std::count(style.begin(), style.end(), '{'),
            std::count(style.begin(), style.end(), '}'))
      << "what follows an open @media holds nowhere else";
}

}  // namespace
}  // namespace dowser
