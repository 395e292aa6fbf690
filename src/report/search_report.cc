#include "report/search_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/numbers.h"
#include "text/printable.h"

namespace dowser {
namespace {

using nlohmann::json;

constexpr std::string_view kBold = "\033[1;33m", kTitle = "\033[1m", kSoft = "\033[2m",
                           kPlain = "\033[0m";

std::string with_marks(const MarkedText& text, std::string_view begin, std::string_view end) {
  std::string out;
  size_t at = 0;
  for (const auto& [from, to] : text.marks) {
    out += printable(std::string_view(text.text).substr(at, from - at));
    out += begin;
    out += printable(std::string_view(text.text).substr(from, to - from));
    out += end;
    at = to;
  }
  return out + printable(std::string_view(text.text).substr(at));
}

std::string plural(uint64_t n, std::string_view one) {
  return fmt::format("{} {}{}", grouped(n), one, n == 1 ? "" : "s");
}

json json_of(const MarkedText& text) {
  json marks = json::array();
  for (const auto& [begin, end] : text.marks) marks.push_back({begin, end});
  return {{"text", text.text}, {"marks", marks}};
}

json json_of(const ShownHit& hit) {
  const LibraryItem& item = hit.item;
  json notes = json::array();
  for (const Annotation& note : hit.notes) {
    notes.push_back(
        {{"id", note.id}, {"author", note.author}, {"text", note.text}, {"made_at", note.made_at}});
  }
  return {{"url", item.url},
          {"title", item.title},
          {"authors", item.authors},
          {"abstract", item.abstract},
          {"keywords", item.keywords},
          {"kind", item.kind},
          {"format", item.format},
          {"language", item.language},
          {"year", item.year ? json(*item.year) : json()},
          {"references", item.references},
          {"relevance", item.relevance ? json(*item.relevance) : json()},
          {"relevant", item.relevant},
          {"fetched_at", item.fetched_at},
          {"link", hit.link},
          {"score", hit.score},
          {"has_all_words", hit.has_all},
          {"snippet", json_of(hit.snippet)},
          {"notes", notes}};
}

}  // namespace

std::string facts_of(const LibraryItem& item) {
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : ", ") + fact; };
  if (!item.kind.empty() && item.kind != "page") add(item.kind);
  if (!item.format.empty() && item.format != "html") add(item.format);
  if (item.year) add(std::to_string(*item.year));
  if (item.relevance) {
    add(fmt::format("relevance {:.2f}{}", *item.relevance, item.relevant ? "" : " (not relevant)"));
  }
  if (item.references > 0) add("linked from " + plural(item.references, "page"));
  if (item.is_copy) add("a copy of another page");
  return facts;
}

std::string search_summary(const SearchPage& page) {
  if (page.total == 0) return "";
  std::string text = fmt::format(
      "{} of {} {}", grouped(page.total), plural(page.items, "item"),
      page.like.empty() ? (page.total == 1 ? "matches" : "match") : "share words with it");
  if (page.has_bare_words) text += fmt::format(", {} with all words", grouped(page.with_all));
  if (!page.filters.empty()) text += " (" + page.filters + ")";
  const size_t last = page.offset + page.hits.size();
  if (page.hits.empty()) {
    text += fmt::format("; there is none after number {}", grouped(page.total));
  } else if (page.hits.size() < page.total) {
    text += fmt::format("; {} to {} by {}", page.offset + 1, last, page.order);
  }
  return text;
}

std::string search_text(const SearchPage& page, bool marks) {
  if (page.total == 0) {
    std::string text = fmt::format("Nothing in {} {}{}.\n", page.folder,
                                   page.like.empty() ? "matches" : "is similar",
                                   page.filters.empty() ? "" : " (" + page.filters + ")");
    for (const std::string& hint : page.hints) text += hint + "\n";
    return text;
  }
  const auto style = [&](std::string_view code) { return marks ? code : std::string_view(); };
  std::string text = search_summary(page) + "\n";
  if (!page.like_words.empty()) {
    const size_t shown = std::min<size_t>(page.like_words.size(), 12);
    text += fmt::format("shared words: {}\n",
                        fmt::join(page.like_words.begin(),
                                  page.like_words.begin() + static_cast<ptrdiff_t>(shown), ", "));
  }
  size_t number = page.offset;
  for (const ShownHit& hit : page.hits) {
    const std::string indent(4, ' ');
    text += fmt::format("\n{:>3} {}{}{}\n", ++number, style(kTitle),
                        hit.title.text.empty() ? "(no title)" : printable(hit.title.text),
                        style(kPlain));
    if (!hit.item.authors.empty()) text += indent + printable(hit.item.authors) + "\n";
    text += fmt::format("{}{}{}{}\n", indent, style(kSoft), printable(hit.item.url), style(kPlain));
    if (!hit.snippet.text.empty()) {
      text += indent + with_marks(hit.snippet, style(kBold), style(kPlain)) + "\n";
    }
    if (const std::string facts = facts_of(hit.item); !facts.empty()) {
      text += fmt::format("{}{}{}{}\n", indent, style(kSoft), facts, style(kPlain));
    }
    for (const Annotation& note : hit.notes) {
      text += fmt::format("{}note {}{}: {}\n", indent, note.id,
                          note.author.empty() ? "" : " by " + printable(note.author),
                          printable(note.text));
    }
  }
  return text;
}

std::string search_json(const SearchPage& page) {
  json hits = json::array();
  for (const ShownHit& hit : page.hits) hits.push_back(json_of(hit));
  json object = {{"total", page.total}, {"items", page.items}, {"offset", page.offset},
                 {"order", page.order}, {"hits", hits},        {"hints", page.hints}};
  if (page.like.empty()) {
    object["query"] = page.query;
    object["with_all_words"] = page.with_all;
  } else {
    object["like"] = page.like;
    object["words"] = page.like_words;
  }
  return printable_json(object.dump(1, ' ', false, json::error_handler_t::replace)) + "\n";
}

}  // namespace dowser
