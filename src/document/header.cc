#include "document/header.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "document/header_lines.h"
#include "text/charset.h"

// How the header is found.
//
// Title. On the first page of a paper the title has the largest letters, but section headings,
// logos and journals' names come close. So a block of lines counts if it is on the first page that
// has words, is neither a section heading nor a label such as "Abstract" or "Technical Report 7",
// and has letters at least 0.87 times as large as the largest such line; of these the first is
// taken. Lines that follow in letters of nearly the same size, closely below, belong to it. The
// title in the file's metadata is preferred if it appears on the first two pages and contains what
// was found.
//
// Some fonts do not say which characters they have, and their lines come out as other letters or
// as none (is_readable()). If the line that would be the title is one of these, the title is that
// of the metadata, if it has one, or is looked for among the lines that can be read.
//
//   An Introduction to Bioconductor's ExpressionSet Class     24 points: the title
//   Seth Falcon, Martin Morgan, and Robert Gentleman          20 points: authors
//   6 October, 2006; revised 9 February, 2007                 a date
//   1 Introduction                                            24 points, but a section heading
//
// Authors are between the title and the first date, abstract or heading: parts of lines that look
// like names and have no word of an affiliation. Metadata is preferred if its names appear on the
// first pages.
//
// Abstract, keywords and references are found by their headings in the text. Without layout (not a
// PDF) the first lines of the text take the place of printed lines, all of one size.
//
// After Desai's ASHG (described in Chen 2008, 2.4), which finds the same fields by other rules. How
// often it is right: docs/library.md. Cost: linear in the text, microseconds a page.

namespace dowser {
namespace {

constexpr float kNearlyLargest = 0.87F;
constexpr size_t kMostTitle = 300, kMostAbstract = 3000, kMostKeywords = 500, kMostAuthors = 30;
constexpr size_t kMostTitleLines = 5;
constexpr size_t kMostBeginning = 10'000;

// Lines of the first page with words.
std::vector<PrintedLine> lines_of(const DocumentText& document) {
  if (!document.lines.empty()) return document.lines;
  std::vector<PrintedLine> lines;
  std::string_view text = document.text;
  for (uint32_t i = 0; i < 60 && !text.empty(); ++i) {
    const size_t end = std::min(text.find_first_of("\n\f"), text.size());
    PrintedLine line;
    line.page = 1;
    line.size = 0.01F;
    line.top = static_cast<float>(i) * 0.015F;
    line.text = folded_blanks(text.substr(0, end));
    if (!line.text.empty()) lines.push_back(std::move(line));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

// What a title stands in: begin and end in `lines`.
struct LineRange {
  size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

bool can_be_title(const PrintedLine& line) {
  return count_letters(line.text) >= 4 && !is_section_heading(line.text) && !is_label(line.text) &&
         !is_date(line.text);
}

// The words of a text, folded as folded_words() does.
using WordSet = std::set<std::string, std::less<>>;

WordSet words_of(std::string_view text) {
  WordSet words;
  const std::string folded = folded_words(text);
  for (size_t at = 0; at < folded.size();) {
    const size_t end = std::min(folded.find(' ', at), folded.size());
    words.emplace(folded.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Whether a line in capitals may be of a broken font: none of its words, which should be those of
// the title, stands in the text of the other lines, although there is enough of it.
bool is_foreign(std::string_view line, const WordSet& small_words) {
  constexpr size_t kEnough = 100, kLongWord = 4;
  if (small_words.size() < kEnough) return false;
  size_t longer = 0;
  for (const std::string& word : words_of(line)) {
    if (word.size() < kLongWord) continue;
    if (small_words.contains(word)) return false;
    ++longer;
  }
  return longer >= 2;
}

bool has_small_letters(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c & 0x80); });
}

// The words of the lines of the text that are not all in capitals.
WordSet small_words_of(std::string_view text) {
  std::string all;
  text = text.substr(0, kMostBeginning);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (has_small_letters(line)) (all += line) += '\n';
    at = end + 1;
  }
  return words_of(all);
}

struct FoundTitle {
  LineRange range;
  bool is_broken = false;  // there is a larger line, which cannot be read
};

FoundTitle find_title(const std::vector<PrintedLine>& all, std::string_view text) {
  std::vector<PrintedLine> lines = all;
  std::optional<WordSet> small_words;
  uint32_t page = 0;
  float largest = 0, largest_broken = 0;
  for (PrintedLine& line : lines) {
    if (!can_be_title(line) || (page != 0 && line.page != page)) continue;
    page = line.page;
    bool is_broken = !is_readable(line.text);
    if (!is_broken && line.size > largest && !has_small_letters(line.text)) {
      if (!small_words) small_words = small_words_of(text);
      is_broken = is_foreign(line.text, *small_words);
    }
    if (is_broken) line.text.clear();  // so that it cannot be the title below
    float& size = is_broken ? largest_broken : largest;
    size = std::max(size, line.size);
  }
  const auto first = std::find_if(lines.begin(), lines.end(), [&](const PrintedLine& line) {
    return line.page == page && can_be_title(line) && line.size >= kNearlyLargest * largest;
  });
  const bool is_broken = kNearlyLargest * largest_broken > largest;
  if (first == lines.end()) return {{}, is_broken};
  LineRange range;
  range.begin = static_cast<size_t>(first - lines.begin());
  range.end = range.begin + 1;
  while (range.end < lines.size() && range.end - range.begin < kMostTitleLines) {
    const PrintedLine& last = lines[range.end - 1];
    const PrintedLine& next = lines[range.end];
    const bool same_size = std::abs(next.size - last.size) <= 0.12F * last.size;
    const bool is_close = next.page == last.page && next.top - last.top < 3.2F * last.size;
    if (!same_size || !is_close || !can_be_title(next) || looks_like_names(next.text)) break;
    ++range.end;
  }
  return {range, is_broken};
}

std::string text_of(const std::vector<PrintedLine>& lines, LineRange range) {
  std::string text;
  for (size_t i = range.begin; i < range.end; ++i) {
    const std::string line = folded_blanks(lines[i].text);
    if (!text.empty() && text.back() == '-' && text.size() > 1 && !line.empty() &&
        std::islower(static_cast<unsigned char>(line[0]))) {
      text.pop_back();  // a word divided at the end of the line
    } else if (!text.empty()) {
      text += ' ';
    }
    text += line;
  }
  return without_marks(text.substr(0, kMostTitle));
}

// What the printed lines say, and the first two pages of the text.
std::string beginning_of(const DocumentText& document, const std::vector<PrintedLine>& lines) {
  std::string text;
  for (const PrintedLine& line : lines) text += line.text + '\n';
  const size_t page = document.text.find('\f');
  const size_t end = page == std::string::npos ? page : document.text.find('\f', page + 1);
  return folded_words(text + document.text.substr(0, std::min(end, kMostBeginning)));
}

bool is_real_title(std::string_view title) {
  constexpr std::string_view kEndings[] = {".dvi", ".tex", ".doc", ".docx", ".pdf", ".ps", ".rnw"};
  const std::string folded = folded_words(title);
  std::string lower(title);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const bool is_file = std::any_of(std::begin(kEndings), std::end(kEndings), [&](auto ending) {
    return std::string_view(lower).ends_with(ending);
  });
  return !is_file && !lower.starts_with("microsoft word") &&
         folded.find("untitled") == std::string::npos &&
         std::count(folded.begin(), folded.end(), ' ') >= 2;
}

// The text after a heading such as "Abstract", up to the next heading.
std::string section_behind(std::string_view text, std::span<const std::string_view> headings,
                           size_t most) {
  for (size_t at = 0; at < std::min<size_t>(text.size(), 20000);) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = folded_blanks(text.substr(at, end - at));
    at = end + 1;
    const std::optional<std::string> rest = behind_heading(line, headings);
    if (!rest) continue;
    std::string section = *rest;
    for (size_t lines = 0; at < text.size() && section.size() < most && lines < 60; ++lines) {
      const size_t next = std::min(text.find('\n', at), text.size());
      const std::string more = folded_blanks(text.substr(at, next - at));
      const bool page_ends = text.substr(at, next - at).find('\f') != std::string_view::npos;
      if (!section.empty() && (is_section_heading(more) || is_label(more) || page_ends)) break;
      at = next + 1;
      if (more.empty()) {
        if (section.size() > 200 && section.back() == '.') break;
        continue;
      }
      if (!section.empty() && section.back() == '-') {
        section.pop_back();
      } else if (!section.empty()) {
        section += ' ';
      }
      section += more;
    }
    if (count_letters(section) >= 20) return section.substr(0, most);
  }
  return "";
}

void find_authors(const DocumentText& document, const std::vector<PrintedLine>& lines,
                  LineRange title, const std::string& beginning, const HeaderOptions& options,
                  DocumentHeader& header) {
  if (options.metadata) {
    for (const std::string& name : names_in(document.metadata.author)) {
      if (beginning.find(folded_words(name)) != std::string::npos) header.authors.push_back(name);
    }
    if (!header.authors.empty()) {
      header.authors_source = HeaderSource::kMetadata;
      return;
    }
  }
  for (size_t i = title.end; i < lines.size() && i < title.end + 25; ++i) {
    const std::string& line = lines[i].text;
    if (is_section_heading(line) || is_abstract_heading(line)) break;
    if (lines[i].page != lines[title.end - 1].page) break;
    if (is_date(line) && !header.authors.empty()) break;
    for (std::string& name : names_in(line)) {
      const bool is_new =
          std::find(header.authors.begin(), header.authors.end(), name) == header.authors.end();
      if (is_new && header.authors.size() < kMostAuthors) header.authors.push_back(std::move(name));
    }
  }
  if (!header.authors.empty()) {
    header.authors_source = document.lines.empty() ? HeaderSource::kText : HeaderSource::kLayout;
  }
}

void find_year(const DocumentText& document, const std::vector<PrintedLine>& lines,
               const HeaderOptions& options, DocumentHeader& header) {
  for (const PrintedLine& line : lines) {
    if (line.page > 1 || !(is_date(line.text) || line.text.size() < 60)) continue;
    if (const int year = year_in(line.text)) {
      header.year = year;
      header.year_source = document.lines.empty() ? HeaderSource::kText : HeaderSource::kLayout;
      return;
    }
  }
  if (!options.metadata) return;
  header.year = year_in(document.metadata.created);
  if (header.year != 0) header.year_source = HeaderSource::kMetadata;
}

// A cut may have gone through a character, and metadata may hold anything.
void make_valid(std::string& text) {
  if (!is_valid_utf8(text)) text = to_utf8(text, "utf-8");
}

}  // namespace

DocumentHeader header_of(const DocumentText& document, const HeaderOptions& options) {
  static constexpr std::string_view kAbstract[] = {"abstract", "summary", "zusammenfassung",
                                                   "résumé"};
  static constexpr std::string_view kKeywords[] = {"keywords", "key words", "index terms"};
  DocumentHeader header;
  const std::vector<PrintedLine> lines = lines_of(document);
  const std::string beginning = beginning_of(document, lines);
  const auto [title, is_broken] = find_title(lines, document.text);
  const HeaderSource printed = document.lines.empty() ? HeaderSource::kText : HeaderSource::kLayout;
  const std::string& told = document.metadata.title;
  if (!title.empty()) header.title = {text_of(lines, title), printed};
  if (options.metadata && is_real_title(told) && is_readable(told)) {
    const std::string words = folded_words(told);
    const bool is_printed = beginning.find(words) != std::string::npos;
    // It may have a line more than what was found, but not be another line of the page.
    const bool fits = words.find(folded_words(header.title.value)) != std::string::npos;
    if (title.empty() || is_broken || (is_printed && fits)) {
      header.title = {folded_blanks(told), HeaderSource::kMetadata};
    }
  }
  if (!title.empty()) find_authors(document, lines, title, beginning, options, header);
  find_year(document, lines, options, header);
  header.abstract.value = section_behind(document.text, kAbstract, kMostAbstract);
  if (!header.abstract.value.empty()) header.abstract.source = HeaderSource::kText;
  header.keywords.value = section_behind(document.text, kKeywords, kMostKeywords);
  if (!header.keywords.value.empty()) header.keywords.source = HeaderSource::kText;
  if (options.metadata && header.keywords.value.empty() && !document.metadata.keywords.empty()) {
    header.keywords = {document.metadata.keywords, HeaderSource::kMetadata};
  }
  if (options.metadata && !document.metadata.subject.empty()) {
    header.subject = {document.metadata.subject, HeaderSource::kMetadata};
  }
  header.references = count_references(document.text);
  for (HeaderField* field : {&header.title, &header.abstract, &header.keywords, &header.subject}) {
    make_valid(field->value);
  }
  for (std::string& author : header.authors) make_valid(author);
  return header;
}

}  // namespace dowser
