#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "document/document_text.h"
#include "document/file_name.h"
#include "document/header.h"
#include "document/header_lines.h"
#include "document/kind.h"
#include "document/make_document.h"

// Web pages that are papers. Chen 2008 (3.2.4) looks for ten words; here a page must have at least
// three of them as headings, or one and a publisher's <meta>, or be called a FAQ or have questions
// as headings, before the rules for documents (kind.cc) are asked at all: they cost as much as
// parsing, and few pages are papers.

namespace dowser {
namespace {

constexpr size_t kFewestQuestions = 4;
constexpr size_t kMostHeading = 40;  // bytes

bool begins_like(std::string_view words, std::string_view part) {
  const size_t letter = words.find_first_not_of("0123456789 ");
  return letter != words.npos && words.substr(letter).starts_with(part);
}

// A page that lists documents is called like them ("Documents of debian-faq"), but is none.
bool is_list_of_links(const Page& page) {
  size_t linked = 0;
  for (const Link& link : page.links) linked += link.anchor.size();
  return linked * 2 > page.text.size();
}

bool may_be_document(const Page& page, const KindRules& rules) {
  if (is_list_of_links(page)) return false;
  const std::string title = folded_words(page.title);
  if (title.find("faq") != title.npos || title.find("frequently asked") != title.npos) return true;
  std::vector<bool> has(rules.page_parts.size());
  size_t questions = 0;
  const auto look = [&](Span span) {
    questions += page.words(span).ends_with('?');
    if (span.size() > kMostHeading) return;
    const std::string words = folded_words(page.words(span));
    for (size_t i = 0; i < has.size(); ++i) {
      has[i] = has[i] || begins_like(words, rules.page_parts[i]);
    }
  };
  for (const Block& block : page.blocks) {
    if (block.kind == BlockKind::kHeading) look(block.text);
  }
  for (const Span& span : page.emphasised) look(span);
  const auto parts = static_cast<size_t>(std::count(has.begin(), has.end(), true));
  return parts >= rules.page_parts_needed || questions >= kFewestQuestions ||
         (parts >= 1 && !page.citations.empty());
}

std::string_view citation(const Page& page, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const Page::Citation& one : page.citations) {
      if (one.name == name && !one.content.empty()) return one.content;
    }
  }
  return {};
}

void prefer(std::string_view told, HeaderSource source, HeaderField& field) {
  if (!told.empty()) field = {std::string(told), source};
}

std::string_view first_heading(const Page& page) {
  for (const Block& block : page.blocks) {
    if (block.kind == BlockKind::kHeading && block.level == 1) return page.words(block.text);
  }
  return {};
}

DocumentHeader header_of_page(const Page& page, const DocumentText& text) {
  DocumentHeader header = header_of(text);
  prefer(page.title, HeaderSource::kMetadata, header.title);
  prefer(first_heading(page), HeaderSource::kLayout, header.title);
  prefer(citation(page, {"title"}), HeaderSource::kMetadata, header.title);
  prefer(citation(page, {"abstract"}), HeaderSource::kMetadata, header.abstract);
  prefer(citation(page, {"subject"}), HeaderSource::kMetadata, header.subject);
  if (header.keywords.value.empty())
    prefer(page.keywords, HeaderSource::kMetadata, header.keywords);
  prefer(citation(page, {"keywords"}), HeaderSource::kMetadata, header.keywords);
  std::vector<std::string> authors;
  for (const Page::Citation& one : page.citations) {
    if (one.name == "author" || one.name == "creator") authors.push_back(one.content);
  }
  if (!authors.empty()) {
    header.authors = std::move(authors);
    header.authors_source = HeaderSource::kMetadata;
  }
  if (const int year = year_in(citation(page, {"publication_date", "date", "year", "issued"}))) {
    header.year = year;
    header.year_source = HeaderSource::kMetadata;
  }
  return header;
}

}  // namespace

Document page_as_document(const Page& page, std::string_view bytes, const KindRules& rules) {
  DocumentText text;
  text.format = DocumentFormat::kHtml;
  text.text = page.text;
  Document document;
  document.format = text.format;
  document.header = header_of_page(page, text);
  document.kind = kind_of(text, document.header, rules);
  const std::string_view path = page.url.path();
  document.digest = sha1_digest(bytes);
  document.name =
      document_name(path.substr(path.rfind('/') + 1), document.digest, text.format, false);
  return document;
}

std::optional<Document> document_of_page(const Page& page, std::string_view bytes,
                                         const KindRules& rules) {
  if (!may_be_document(page, rules)) return std::nullopt;
  Document document = page_as_document(page, bytes, rules);
  if (!document.kind.is_accepted()) return std::nullopt;
  return document;
}

}  // namespace dowser
