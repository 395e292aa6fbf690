// One loop over tags and text. What is collected depends on the element only (<loc> of a <url>,
// <link> of an <item>), so broken nesting, unknown elements and missing ends do no harm. An
// extension brings elements of the same names (<image:loc>), but one level deeper: a value counts
// only as a child of its entry.
//
// Safe by construction: no entities but the five of XML, no external anything, memory bounded by
// the entries kept plus one value (the longest address), time linear in the unpacked bytes, and
// those by a limit.

#include "seed/sitemap.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/compress.h"
#include "seed/feed_date.h"
#include "seed/xml_scanner.h"

namespace dowser {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> parse_priority(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

std::optional<SitemapKind> kind_of_root(std::string_view name) {
  if (name == "urlset") return SitemapKind::kPages;
  if (name == "sitemapindex") return SitemapKind::kIndex;
  if (name == "rss" || name == "RDF") return SitemapKind::kRss;
  if (name == "feed") return SitemapKind::kAtom;
  return std::nullopt;
}

std::string_view entry_element(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::kPages:
      return "url";
    case SitemapKind::kIndex:
      return "sitemap";
    case SitemapKind::kRss:
      return "item";
    case SitemapKind::kAtom:
      return "entry";
    case SitemapKind::kText:
      break;
  }
  return "";
}

class SitemapReader {
 public:
  SitemapReader(std::string_view text, const Url& base, const SitemapLimits& limits)
      : text_(text), base_(base), limits_(limits) {}

  Result<Sitemap> run() { return text_.starts_with('<') ? read_xml() : read_lines(); }

 private:
  // What an entry said so far.
  struct Draft {
    std::string address, second_choice, modified, priority;
  };

  Result<Sitemap> read_xml() {
    XmlScanner scanner(text_);
    XmlScanner::Token token;
    do {
      token = scanner.next();
    } while (token != XmlScanner::Token::kOpen && token != XmlScanner::Token::kEnd);
    const auto kind = token == XmlScanner::Token::kOpen ? kind_of_root(scanner.name())
                                                        : std::optional<SitemapKind>();
    if (!kind) {
      return Error{
          "this is not a sitemap or feed: its first element is not urlset, sitemapindex, "
          "rss, RDF or feed"};
    }
    sitemap_.kind = *kind;
    read_entries(scanner);
    return std::move(sitemap_);
  }

  void read_entries(XmlScanner& scanner) {
    const std::string_view entry = entry_element(sitemap_.kind);
    bool in_entry = false;
    size_t depth = 0;  // of elements inside the entry
    Draft draft;
    std::string* value = nullptr;  // what the text is collected for
    while (!full()) {
      switch (scanner.next()) {
        case XmlScanner::Token::kOpen:
          if (scanner.name() == entry) {  // even if the one before was not closed
            if (in_entry) finish(draft);
            in_entry = !scanner.is_empty_tag();
            draft = {};
            depth = 0;
            value = nullptr;
          } else if (in_entry) {
            value = depth == 0 ? open(scanner, draft) : nullptr;
            if (!scanner.is_empty_tag()) ++depth;
          }
          break;
        case XmlScanner::Token::kText:
          if (value != nullptr) scanner.append_text(*value, limits_.address + 256);
          break;
        case XmlScanner::Token::kClose:
          value = nullptr;
          if (in_entry && scanner.name() == entry) {
            finish(draft);
            in_entry = false;
          } else if (in_entry && depth > 0) {
            --depth;
          }
          break;
        case XmlScanner::Token::kEnd:
          if (in_entry) {
            finish(draft);
            sitemap_.truncated = true;
          }
          return;
      }
    }
    sitemap_.truncated = true;
  }

  // Where the text of an element goes; nothing if it is not wanted. A second value of the same
  // kind is.
  std::string* open(const XmlScanner& scanner, Draft& draft) const {
    const std::string_view name = scanner.name();
    const auto once = [](std::string& value) { return value.empty() ? &value : nullptr; };
    if (sitemap_.kind == SitemapKind::kAtom) {
      if (name == "link") {
        const std::string rel = scanner.attribute("rel");
        if ((rel.empty() || rel == "alternate") && draft.address.empty()) {
          draft.address = scanner.attribute("href");
        }
      }
      return name == "updated" ? once(draft.modified) : nullptr;
    }
    if (sitemap_.kind == SitemapKind::kRss) {
      if (name == "link") return once(draft.address);
      if (name == "guid" && scanner.attribute("isPermaLink") != "false") {
        return once(draft.second_choice);
      }
      return name == "pubDate" || name == "date" ? once(draft.modified) : nullptr;
    }
    if (name == "loc") return once(draft.address);
    if (name == "lastmod") return once(draft.modified);
    return name == "priority" ? once(draft.priority) : nullptr;
  }

  void finish(const Draft& draft) {
    std::string_view address = trimmed(draft.address);
    if (address.empty()) address = trimmed(draft.second_choice);
    add(address, parse_feed_date(draft.modified), parse_priority(trimmed(draft.priority)));
  }

  Result<Sitemap> read_lines() {
    sitemap_.kind = SitemapKind::kText;
    for (size_t begin = 0; begin < text_.size() && !full();) {
      const size_t end = std::min(text_.find_first_of("\r\n", begin), text_.size());
      const std::string_view line = trimmed(text_.substr(begin, end - begin));
      // Relative ones would make an address of any line.
      if (line.starts_with("http://") || line.starts_with("https://")) add(line, {}, {});
      begin = end + 1;
    }
    sitemap_.truncated = full();
    if (sitemap_.pages.empty()) {
      return Error{"this is not a sitemap or feed: it is not XML, and no line of it is an address"};
    }
    return std::move(sitemap_);
  }

  void add(std::string_view address, std::optional<Time> modified, std::optional<double> priority) {
    if (address.empty() || address.size() > limits_.address) return;
    const Result<Url> url = Url::parse(address, base_.empty() ? nullptr : &base_);
    if (!url.ok() || !url->is_http()) return;
    entries().push_back({url->without_credentials().without_fragment(), modified, priority});
  }

  std::vector<Sitemap::Entry>& entries() {
    return sitemap_.kind == SitemapKind::kIndex ? sitemap_.sitemaps : sitemap_.pages;
  }
  bool full() { return entries().size() >= limits_.entries; }

  const std::string_view text_;
  const Url& base_;
  const SitemapLimits& limits_;
  Sitemap sitemap_;
};

}  // namespace

std::string_view name_of(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::kPages:
      return "sitemap";
    case SitemapKind::kIndex:
      return "sitemap-index";
    case SitemapKind::kText:
      return "text";
    case SitemapKind::kRss:
      return "rss";
    case SitemapKind::kAtom:
      return "atom";
  }
  return "";
}

Result<Sitemap> parse_sitemap(std::string_view bytes, const Url& base,
                              const SitemapLimits& limits) {
  std::string unpacked;
  bool truncated = false;
  if (bytes.starts_with("\x1f\x8b")) {
    Result<Decoded> decoded = decode_content("gzip", bytes, limits.bytes);
    if (!decoded) return decoded.error();
    truncated = decoded->truncated;
    unpacked = std::move(decoded->bytes);
    bytes = unpacked;
  }
  truncated |= bytes.size() > limits.bytes;
  bytes = bytes.substr(0, limits.bytes);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    return Error{"this sitemap or feed cannot be read: it is UTF-16, not UTF-8"};
  }
  Result<Sitemap> sitemap = SitemapReader(trimmed(bytes), base, limits).run();
  if (sitemap) sitemap->truncated |= truncated;
  return sitemap;
}

}  // namespace dowser
