#include "seed/sitemap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/compress.h"
#include "seed/feed_date.h"
#include "seed/xml_scanner.h"

namespace dowser {
namespace {

Sitemap read(std::string_view bytes, const Url& base = {}, const SitemapLimits& limits = {}) {
  Result<Sitemap> sitemap = parse_sitemap(bytes, base, limits);
  EXPECT_TRUE(sitemap.ok()) << (sitemap.ok() ? "" : sitemap.error().message);
  return sitemap.ok() ? *sitemap : Sitemap();
}

// "url [date] [priority]", one a line.
std::string list(const std::vector<Sitemap::Entry>& entries) {
  std::string out;
  for (const Sitemap::Entry& entry : entries) {
    out += entry.url.href();
    if (entry.modified) out += " " + to_iso8601(*entry.modified);
    if (entry.priority) out += fmt::format(" {}", *entry.priority);
    out += "\n";
  }
  return out;
}

constexpr std::string_view kPages = R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- <url><loc>http://a.test/comment</loc></url> -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://x">
  <url>
    <loc> http://a.test/?a=1&amp;b=2#top </loc>
    <lastmod>2004-12-23T18:00:15+01:00</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.8</priority>
    <image:image><image:loc>http://a.test/rose.jpg</image:loc></image:image>
  </url>
  <url><loc><![CDATA[http://a.test/c&d]]></loc><lastmod>soon</lastmod><priority>7</priority></url>
  <url><image:image><image:loc>http://a.test/only.jpg</image:loc></image:image></url>
  <url><loc>mailto:a@b.test</loc></url>
  <url><loc>relative/x</loc></url>
</urlset>)";

TEST(Sitemap, lists_pages_with_date_and_priority_and_passes_over_extensions) {
  const Sitemap s = read(kPages);
  EXPECT_EQ(s.kind, SitemapKind::kPages);
  EXPECT_EQ(list(s.pages),
            "http://a.test/?a=1&b=2 2004-12-23T17:00:15Z 0.8\n"
            "http://a.test/c&d\n");
  EXPECT_TRUE(s.sitemaps.empty());
  EXPECT_FALSE(s.truncated);
}

TEST(Sitemap, relative_addresses_are_resolved_where_a_base_is_given) {
  const Url base = *Url::parse("http://a.test/maps/all.xml");
  EXPECT_EQ(read(kPages, base).pages.back().url.href(), "http://a.test/maps/relative/x");
}

TEST(Sitemap, an_index_lists_sitemaps) {
  const Sitemap s = read(
      "<sitemapindex><sitemap><loc>http://a.test/1.xml.gz</loc><lastmod>2004</lastmod></sitemap>"
      "<sitemap><loc>http://a.test/2.xml</loc></sitemap></sitemapindex>");
  EXPECT_EQ(s.kind, SitemapKind::kIndex);
  EXPECT_EQ(list(s.sitemaps), "http://a.test/1.xml.gz 2004-01-01T00:00:00Z\nhttp://a.test/2.xml\n");
  EXPECT_TRUE(s.pages.empty());
}

TEST(Sitemap, news_and_prefixed_names_are_read) {
  const Sitemap s = read(
      "<sm:urlset><sm:url><sm:loc>http://a.test/n</sm:loc><news:news><news:publication>"
      "<news:name>N</news:name></news:publication><news:publication_date>2004-01-01"
      "</news:publication_date><news:title>T</news:title></news:news></sm:url></sm:urlset>");
  EXPECT_EQ(list(s.pages), "http://a.test/n\n");
}

TEST(Sitemap, gzip_is_unpacked_and_what_is_cut_gives_what_is_there) {
  const std::string packed = gzip(kPages);
  EXPECT_EQ(list(read(packed).pages), list(read(kPages).pages));
  std::string many = "<urlset>";
  for (int i = 0; i < 2000; ++i)
    many += fmt::format("<url><loc>http://a.test/{}</loc></url>", i * 7919);
  const std::string cut = gzip(many + "</urlset>").substr(0, 4000);
  const Sitemap s = read(cut);
  EXPECT_TRUE(s.truncated);
  EXPECT_GT(s.pages.size(), 100u);
}

TEST(Sitemap, a_plain_list_has_an_address_a_line) {
  const Sitemap s =
      read("\xEF\xBB\xBF# ours\nhttp://a.test/1\r\n  https://a.test/2  \nnot one\n\n");
  EXPECT_EQ(s.kind, SitemapKind::kText);
  EXPECT_EQ(list(s.pages), "http://a.test/1\nhttps://a.test/2\n");
}

TEST(Sitemap, rss_gives_the_links_of_its_items) {
  const Sitemap s = read(
      "<?xml version='1.0'?><rss version='2.0'><channel><link>http://a.test/</link>"
      "<image><link>http://a.test/logo</link></image>"
      "<item><title>A &lt;b&gt;</title><link>http://a.test/a</link>"
      "<pubDate>Thu, 23 Dec 2004 18:00:15 +0100</pubDate></item>"
      "<item><guid>http://a.test/b</guid><pubDate>23 Dec 04 18:00 EST</pubDate></item>"
      "<item><guid isPermaLink='false'>http://a.test/c</guid></item>"
      "<item><media:group><link>http://a.test/no</link></media:group>"
      "<link><![CDATA[ http://a.test/d ]]></link></item>"
      "</channel></rss>");
  EXPECT_EQ(s.kind, SitemapKind::kRss);
  EXPECT_EQ(list(s.pages),
            "http://a.test/a 2004-12-23T17:00:15Z\n"
            "http://a.test/b 2004-12-23T23:00:00Z\n"
            "http://a.test/d\n");
}

TEST(Sitemap, rss_1_has_its_items_beside_the_channel) {
  const Sitemap s = read(
      "<rdf:RDF><channel rdf:about='x'><link>http://a.test/</link></channel>"
      "<item rdf:about='http://a.test/1'><link>http://a.test/1</link>"
      "<dc:date>2004-12-23</dc:date></item></rdf:RDF>");
  EXPECT_EQ(list(s.pages), "http://a.test/1 2004-12-23T00:00:00Z\n");
}

TEST(Sitemap, atom_gives_the_alternate_links_of_its_entries) {
  const Sitemap s = read(
      "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://a.test/'/>"
      "<entry><link rel='self' href='http://a.test/self'/><link rel=\"alternate\" "
      "type='text/html' href=\"http://a.test/1?a&amp;b\"/><updated>2004-12-23T18:00:15Z</updated>"
      "<source><link href='http://a.test/source'/></source></entry>"
      "<entry><link href='http://a.test/2'></link></entry></feed>");
  EXPECT_EQ(s.kind, SitemapKind::kAtom);
  EXPECT_EQ(list(s.pages), "http://a.test/1?a&b 2004-12-23T18:00:15Z\nhttp://a.test/2\n");
}

TEST(Sitemap, broken_xml_gives_what_can_be_read_of_it) {
  struct Row {
    std::string_view xml, pages;
  };
  for (const Row& row : std::vector<Row>{
           {"<urlset><url><loc>http://a.test/1<url><loc>http://a.test/2</loc>",
            "http://a.test/1\nhttp://a.test/2\n"},
           {"<urlset><url><loc>http://a.test/1</url></loc><url><loc>http://a.test/2</loc></url>",
            "http://a.test/1\nhttp://a.test/2\n"},
           {"<urlset><url><loc>http://a.test/a&b</loc></url></urlset>", "http://a.test/a&b\n"},
           {"<urlset><url><loc>http://a.test/&unknown;&#x41;&#0;</loc></url>",
            "http://a.test/&unknown;A&\n"},  // "#0;" is a fragment
           {"<urlset <url><loc>http://a.test/1</loc></url>", "http://a.test/1\n"},
           {"<urlset><url/><url><loc/><loc>http://a.test/1</loc></url>", "http://a.test/1\n"},
           {"<urlset><url><loc>http://a.test/1</loc></url><![CDATA[", "http://a.test/1\n"},
           {"<urlset><url><loc>http://a.test/1</loc></url><!--", "http://a.test/1\n"},
           {"<urlset><url><loc>http://a.test/1</loc></url><", "http://a.test/1\n"},
           {"<urlset></urlset>", ""}}) {
    EXPECT_EQ(list(read(row.xml).pages), row.pages) << row.xml;
  }
}

TEST(Sitemap, entities_of_the_author_are_not_expanded) {
  const Sitemap s = read(
      "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a '&b;&b;&b;'><!ENTITY b \"]>x\">"
      "<!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
      "<urlset><url><loc>http://a.test/&a;&f;</loc></url></urlset>");
  EXPECT_EQ(list(s.pages), "http://a.test/&a;&f;\n");
}

TEST(Sitemap, what_is_none_is_refused_with_a_sentence) {
  for (const std::string_view bytes :
       {"", "  \n", "<html><body>404</body></html>", "not an address\nnor this", "<!-- only -->",
        "<", "\xFF\xFE<\0u\0"}) {
    const Result<Sitemap> s = parse_sitemap(bytes);
    ASSERT_FALSE(s.ok()) << bytes;
    EXPECT_NE(s.error().message.find("sitemap or feed"), std::string::npos);
  }
}

TEST(Sitemap, the_limits_hold) {
  std::string xml = "<urlset>";
  for (int i = 0; i < 60'000; ++i) xml += fmt::format("<url><loc>http://a.test/{}</loc></url>", i);
  const Sitemap s = read(xml);
  EXPECT_EQ(s.pages.size(), 50'000u);
  EXPECT_TRUE(s.truncated);

  SitemapLimits limits;
  limits.bytes = 1000;
  const Sitemap small = read(gzip(xml), {}, limits);
  EXPECT_TRUE(small.truncated);
  EXPECT_LT(small.pages.size(), 30u);

  const std::string long_one = "http://a.test/" + std::string(3000, 'x');
  EXPECT_TRUE(read("<urlset><url><loc>" + long_one + "</loc></url></urlset>").pages.empty());
  // A bomb: 50 MB of one value take no more memory than an address.
  EXPECT_TRUE(read(gzip("<urlset><url><loc>" + std::string(60'000'000, 'x'), 1)).truncated);
}

TEST(Sitemap, any_text_is_read_without_harm) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "<urlset>", "<url>", "</url>", "<loc>", "</loc>", "http://a.test/", "<![CDATA[", "]]>",
        "<!--", "-->", "&amp;", "&", "<", ">", "\"", "='", "<feed>", "<entry>",
        "<link href=", "<!DOCTYPE [", "]", "<?", "?>", "/", " "));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const Result<Sitemap> s = parse_sitemap(text);
    if (s.ok()) RC_ASSERT(s->pages.size() <= pieces.size());
  }));
}

TEST(FeedDate, reads_both_kinds_and_refuses_the_rest) {
  struct Row {
    std::string_view text, date;
  };
  for (const Row& row :
       std::vector<Row>{{"2004", "2004-01-01T00:00:00Z"},
                        {"2004-12", "2004-12-01T00:00:00Z"},
                        {" 2004-12-23\n", "2004-12-23T00:00:00Z"},
                        {"2004-12-23T18:00Z", "2004-12-23T18:00:00Z"},
                        {"2004-12-23T18:00:15.25-05:30", "2004-12-23T23:30:15Z"},
                        {"2004-12-23 18:00:15", "2004-12-23T18:00:15Z"},
                        {"1969-12-31T23:00:00Z", "1969-12-31T23:00:00Z"},
                        {"Thu, 23 Dec 2004 18:00:15 GMT", "2004-12-23T18:00:15Z"},
                        {"23 Dec 99", "1999-12-23T00:00:00Z"},
                        {"Thursday, 23-December-04 18:00:15 PST", "2004-12-24T02:00:15Z"},
                        {"2004-02-30", ""},
                        {"2004-13-01", ""},
                        {"2004-12-23T25:00:00Z", ""},
                        {"2004-12-23T18:00:15Zx", ""},
                        {"Thu, 99 Dec 2004", ""},
                        {"yesterday", ""},
                        {"1104538815", ""},
                        {"", ""}}) {
    const std::optional<Time> time = parse_feed_date(row.text);
    EXPECT_EQ(time ? to_iso8601(*time) : "", row.date) << row.text;
  }
}

TEST(XmlScanner, finds_attributes_however_they_are_written) {
  XmlScanner scanner("<a one=\"1\" x:two = '2&gt;' three=3 four five='' href>");
  ASSERT_EQ(scanner.next(), XmlScanner::Token::kOpen);
  EXPECT_EQ(scanner.attribute("one"), "1");
  EXPECT_EQ(scanner.attribute("two"), "2>");
  EXPECT_EQ(scanner.attribute("three"), "3");
  EXPECT_EQ(scanner.attribute("five"), "");
  EXPECT_EQ(scanner.attribute("href"), "");
  EXPECT_EQ(scanner.next(), XmlScanner::Token::kEnd);
}

}  // namespace
}  // namespace dowser
