#include <fmt/format.h>

#include "report/html.h"
#include "report/search_report.h"

namespace dowser {
namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5c6873; --line: #dfe5ea;
  --paper: #fff; --good: #0b7a62; --blue: #2456b8; --mark: #fff0b3; --note: #f3f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #a2adb8; --line: #333d47;
  --paper: #161c22; --good: #4cc7a6; --blue: #8ab2f8; --mark: #5c4b10; --note: #1f272f; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 760px; padding: 24px 16px 60px; overflow-wrap: anywhere; }
h1 { font-size: 22px; margin: 0 0 4px; line-height: 1.3; }
h1 code { font: inherit; }
.about { color: var(--soft); margin: 0 0 8px; }
ol { list-style: none; margin: 0; padding: 0; }
li { padding: 16px 0; border-top: 1px solid var(--line); }
h2 { font-size: 18px; font-weight: 600; margin: 0; line-height: 1.35; }
a { color: var(--blue); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.url { color: var(--good); font-size: 13px; }
.authors { font-size: 14px; }
.snippet { margin: 4px 0; }
.facts { color: var(--soft); font-size: 13px; }
.note { background: var(--note); border-left: 3px solid var(--good); padding: 6px 10px;
  margin: 8px 0 0; font-size: 14px; white-space: pre-wrap; }
.note b { font-weight: 600; }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 1px; }
)css";

std::string with_marks(const MarkedText& text) {
  std::string out;
  size_t at = 0;
  for (const auto& [from, to] : text.marks) {
    out += html_escaped(std::string_view(text.text).substr(at, from - at));
    out += "<mark>" + html_escaped(std::string_view(text.text).substr(from, to - from)) + "</mark>";
    at = to;
  }
  return out + html_escaped(std::string_view(text.text).substr(at));
}

bool is_safe(std::string_view link) {
  return link.starts_with("http://") || link.starts_with("https://") || link.starts_with("file://");
}

std::string hit_html(const ShownHit& hit) {
  std::string title = with_marks(hit.title);
  if (title.empty()) title = html_escaped(hit.item.url);
  if (is_safe(hit.link)) {
    title = fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", html_escaped(hit.link), title);
  }
  std::string html = fmt::format("<li><h2>{}</h2>\n", title);
  const auto line = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) html += fmt::format("<div class=\"{}\">{}</div>\n", name, text);
  };
  line("authors", html_escaped(hit.item.authors));
  line("url", html_escaped(hit.item.url));
  line("snippet", with_marks(hit.snippet));
  line("facts", html_escaped(facts_of(hit.item)));
  for (const Annotation& note : hit.notes) {
    const std::string author =
        note.author.empty() ? "Note" : "Note by " + html_escaped(note.author);
    line("note", fmt::format("<b>{}</b>, {}\n{}", author,
                             html_escaped(std::string_view(note.made_at).substr(0, 10)),
                             html_escaped(note.text)));
  }
  return html + "</li>\n";
}

}  // namespace

std::string search_html(const SearchPage& page) {
  const std::string what =
      page.like.empty() ? html_escaped(page.query) : "like " + html_escaped(page.like);
  std::string about = html_escaped(search_summary(page));
  if (page.total == 0) {
    about = "Nothing matches.";
    for (const std::string& hint : page.hints) about += " " + html_escaped(hint);
  }
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"about\">{2}, in {3}</p>\n",
      what, kStyle, about, html_escaped(page.folder));
  if (!page.like_words.empty()) {
    html += fmt::format("<p class=\"about\">shared words: {}</p>\n",
                        html_escaped(fmt::format("{}", fmt::join(page.like_words, ", "))));
  }
  html += fmt::format("<ol start=\"{}\">\n", page.offset + 1);
  for (const ShownHit& hit : page.hits) html += hit_html(hit);
  return html + "</ol></body></html>\n";
}

}  // namespace dowser
