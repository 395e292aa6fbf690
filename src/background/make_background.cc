#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "background/background.h"
#include "base/compress.h"
#include "base/file.h"
#include "base/new_file.h"
#include "text/language.h"
#include "text/terms.h"

// Makes the background vocabulary: the share of documents that have a word, whatever they are
// about. A word that occurs everywhere says little about a topic, and a crawl that has just begun
// cannot know which words those are. Runs at build time, on documentation of Debian packages that
// no web of the tests is made of (cmake/background.cmake names them).
//
// clang-format off
//   make_background OUT.inc PACKAGE.list...     lists of files, as in /var/lib/dpkg/info
//
//   document   a file, or 300 terms of a longer one: about as much as a web page has
//   language   as detected. A file in another language than its path names is left out, because a
//              missing translation is the English original again
//   share      documents with the term / (documents of the language + 50), so that three of two
//              hundred Turkish documents do not count as much as the same share of many
//   table      the highest share over all languages: a common Turkish word is common, however few
//              documents are in Turkish. Terms in 3 or more documents; the 100,000 most common
// clang-format on
//
// Example: a term in 900 of 4,000 English documents and, as a technical word, in 20 of 300 German
// ones has the share 900 / 4,050.
//
// What is read: plain text; the text of mark-up (.html, .page) without scripts, styles, comments
// and the <info> of help pages, which has the names of authors; manual pages without their
// requests, except those about httpd, whose manual is in the mini web.
//
// The same files make the same bytes. Cost: about 4 s.

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDocumentTerms = 300;
constexpr size_t kLeastTerms = 60;  // shorter documents say little about what is common
constexpr uint32_t kLeastDocuments = 3;
constexpr double kPriorDocuments = 50;
constexpr size_t kMostTerms = 100'000;
constexpr size_t kMostBytes = 10'000'000;  // of a file

struct Language {
  uint32_t documents = 0;
  std::unordered_map<TermId, uint32_t> having;  // documents with the term
};
using Languages = std::map<std::string, Language>;

// The end of the element that begins at `begin` if its content is not text; npos if it is text.
size_t end_of_silent(std::string_view markup, size_t begin) {
  for (const std::string_view name : {"script", "style", "info"}) {
    const size_t after = begin + 1 + name.size();
    if (markup.substr(begin + 1, name.size()) != name || after >= markup.size()) continue;
    if (markup[after] != '>' && markup[after] != ' ') continue;
    return std::min(markup.find(fmt::format("</{}", name), after), markup.size());
  }
  if (markup.substr(begin).starts_with("<!--")) {
    return std::min(markup.find("-->", begin), markup.size());
  }
  return std::string_view::npos;
}

// Tags and character references become spaces; a reference is mostly punctuation.
std::string text_of_markup(std::string_view markup) {
  std::string text;
  for (size_t at = 0; at < markup.size();) {
    if (markup[at] == '<') {
      if (const size_t end = end_of_silent(markup, at); end != markup.npos) at = end;
      at = std::min(markup.find('>', at), markup.size() - 1) + 1;
      text += ' ';
    } else if (markup[at] == '&') {
      at = std::min(markup.find_first_of("; \n", at), markup.size() - 1) + 1;
      text += ' ';
    } else {
      text += markup[at++];
    }
  }
  return text;
}

// Removes comments and requests but keeps their arguments: ".B word" is a word in bold, and "\\fB"
// begins bold text.
std::string text_of_manual(std::string_view roff) {
  std::string text;
  bool ignored = false;
  for (size_t begin = 0; begin < roff.size();) {
    const size_t end = std::min(roff.find('\n', begin), roff.size());
    std::string_view line = roff.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with(".ig")) ignored = true;
    if (line == "..") ignored = false;
    if (ignored || line.starts_with(".\\\"") || line.starts_with(".TH")) continue;
    if (line.starts_with('.')) line.remove_prefix(std::min(line.find(' '), line.size()));
    for (size_t at = 0; at < line.size(); ++at) {
      if (line[at] == '\\')
        at += line.substr(at + 1).starts_with('f') ? 2 : 1;
      else
        text += line[at];
    }
    text += '\n';
  }
  return text;
}

// Nothing if the file is of a kind that is not read, or belongs to the mini web.
std::string text_of(fs::path file) {
  Result<std::string> bytes = read_file(file, kLargestData);
  if (!bytes) return "";
  if (file.extension() == ".gz") {
    Result<GzipMember> member = gunzip_member(*bytes, kMostBytes);
    if (!member) return "";
    bytes = std::move(member->bytes);
    file.replace_extension();
  }
  const std::string kind = file.extension();
  if (bytes->find('\0') != bytes->npos) return "";
  if (kind == "") return *bytes;
  if (kind == ".html" || kind == ".page") return text_of_markup(*bytes);
  if (kind.size() != 2 || kind[1] < '1' || kind[1] > '9') return "";
  return bytes->find("httpd") == bytes->npos ? text_of_manual(*bytes) : "";
}

void add_file(const fs::path& file, std::string_view wanted, Languages& languages) {
  const std::string text = text_of(file);
  const std::string found = detect_language(text);
  if (found.empty() || (!wanted.empty() && found != wanted)) return;
  Language& language = languages[found];
  std::vector<TermId> terms = term_ids(text, found);
  for (size_t begin = 0; begin + kLeastTerms <= terms.size(); begin += kDocumentTerms) {
    const auto first = terms.begin() + static_cast<ptrdiff_t>(begin);
    const auto last =
        first + static_cast<ptrdiff_t>(std::min(kDocumentTerms, terms.size() - begin));
    std::sort(first, last);
    ++language.documents;
    for (auto it = first; it != last; ++it) {
      if (it == first || *it != it[-1]) ++language.having[*it];
    }
  }
}

// "/usr/share/help/pt_BR/…" is Portuguese, "/usr/share/doc/…" may be anything.
std::string language_of_path(std::string_view path) {
  for (const std::string_view folder : {"/help/", "/man/"}) {
    const size_t at = path.find(folder);
    if (at == path.npos) continue;
    const std::string_view rest = path.substr(at + folder.size());
    const std::string_view name = rest.substr(0, rest.find_first_of("/_@"));
    return std::string(name == "C" ? "en" : name == "nb" ? "no" : name);
  }
  return "";
}

// Each list has the paths of a package, one on each line.
Result<Languages> read_packages(std::span<char*> lists) {
  Languages languages;
  for (const char* list : lists) {
    const Result<std::string> paths = read_file(list, kLargestData);
    if (!paths) return paths.error();
    std::istringstream lines(*paths);
    for (std::string path; std::getline(lines, path);) {
      if (path.find("/changelog") != path.npos || path.ends_with("/copyright")) continue;
      if (!fs::is_regular_file(fs::symlink_status(path))) continue;
      add_file(path, language_of_path(path), languages);
    }
  }
  return languages;
}

// The most common first.
std::vector<std::pair<double, TermId>> shares_of(const Languages& languages) {
  std::unordered_map<TermId, double> highest;
  for (const auto& [name, language] : languages) {
    for (const auto& [term, documents] : language.having) {
      if (documents < kLeastDocuments) continue;
      double& share = highest[term];
      share = std::max(share, documents / (language.documents + kPriorDocuments));
    }
  }
  std::vector<std::pair<double, TermId>> shares;
  for (const auto& [term, share] : highest) shares.push_back({share, term});
  std::sort(shares.begin(), shares.end(), std::greater<>());
  if (shares.size() > kMostTerms) shares.resize(kMostTerms);
  return shares;
}

std::string table_of(const Languages& languages) {
  std::map<TermId, uint8_t> levels;
  for (const auto& [share, term] : shares_of(languages)) levels[term] = level_of_share(share);
  std::string table = "// Made by make_background from these documents:";
  for (const auto& [name, language] : languages) {
    table += fmt::format(" {} {}", name, language.documents);
  }
  std::string terms, bytes;
  for (const auto& [term, level] : levels) {
    terms += fmt::format("{},\n", term);
    bytes += fmt::format("{},\n", level);
  }
  // One more element than needed, because an array cannot be empty.
  table += fmt::format(
      "\nconstexpr size_t kTermCount = {};\nconstexpr TermId kTerms[] = {{\n{}0}};\n"
      "constexpr uint8_t kLevels[] = {{\n{}0}};\n",
      levels.size(), terms, bytes);
  return table;
}

Status make(std::span<char*> arguments) {
  if (arguments.size() < 2) return Error{"usage: make_background OUT.inc PACKAGE.list..."};
  const Result<Languages> languages = read_packages(arguments.subspan(2));
  if (!languages) return languages.error();
  return replace_own_file(arguments[1], table_of(*languages));
}

}  // namespace
}  // namespace dowser

int main(int count, char** arguments) {
  const auto made = dowser::make(std::span(arguments, static_cast<size_t>(count)));
  if (!made) fmt::print(stderr, "make_background: {}\n", made.error().message);
  return made ? 0 : 1;
}
