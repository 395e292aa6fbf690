#include "store/text_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "store/library_reader.h"
#include "store/library_writer.h"
#include "text/number_forms.h"
#include "text/search_words.h"

namespace dowser {
namespace {

// As an FTS5 expression; "" if a phrase has no words, which nothing can match.
std::string expression_of(const SearchQuery& query) {
  std::string all;
  for (const std::string& phrase : query.phrases) {
    std::string words;
    // Words are letters and digits, so nothing needs to be escaped.
    if (append_search_words(phrase, words) == 0) return "";
    words.pop_back();
    if (!all.empty()) all += " AND ";
    if (!query.any_number) {
      all += fmt::format("\"{}\"", words);
      continue;
    }
    const size_t last = words.rfind(' ') + 1;  // 0 if there is one word
    std::vector<std::string> forms = number_forms(std::string_view(words).substr(last));
    for (std::string& form : forms) form = fmt::format("\"{}{}\"", words.substr(0, last), form);
    all += fmt::format("({})", fmt::join(forms, " OR "));
  }
  return all.empty() ? "" : fmt::format("{{title text}} : ({})", all);
}

}  // namespace

Result<TextIndex> TextIndex::open(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return database.error();
  Result<Statement> rows = database->prepare("SELECT rowid FROM words WHERE words MATCH ?1");
  if (!rows) return about_library(path, rows.error());
  Result<Statement> ranked =
      database->prepare("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank");
  if (!ranked) return about_library(path, ranked.error());
  Result<Statement> page = database->prepare("SELECT url, title FROM items WHERE id = ?1");
  if (!page) return about_library(path, page.error());
  TextIndex index(std::move(*database), std::move(*rows), std::move(*ranked), std::move(*page));
  if (Status s = index.load(); !s) return about_library(path, s.error());
  return index;
}

Status TextIndex::load() {
  Result<Statement> meta = database_.prepare("SELECT value FROM meta WHERE name = 'source'");
  if (!meta) return meta.error();
  const Result<bool> found = meta->step();
  if (!found) return found.error();
  if (*found) source_ = meta->text(0);
  Result<Statement> pages = database_.prepare("SELECT id, host, length FROM items ORDER BY id");
  if (!pages) return pages.error();
  std::unordered_map<std::string, uint32_t> numbers;
  while (true) {
    const Result<bool> row = pages->step();
    if (!row) return row.error();
    if (!*row) return {};
    const auto id = static_cast<size_t>(pages->integer(0));
    const auto [it, is_new] =
        numbers.try_emplace(pages->text(1), static_cast<uint32_t>(hosts_.size()));
    if (is_new) hosts_.push_back(it->first);
    hosts_of_pages_.resize(id + 1);
    lengths_.resize(id + 1, kNoItem);
    hosts_of_pages_[id] = it->second;
    lengths_[id] = static_cast<uint32_t>(pages->integer(2));
    ++pages_;
    words_of_hosts_.resize(hosts_.size());
    words_of_hosts_[it->second] += lengths_[id];
  }
}

std::vector<bool> TextIndex::hosts_in(std::string_view domain) const {
  while (domain.starts_with('.')) domain.remove_prefix(1);
  std::vector<bool> in(hosts_.size());
  for (size_t i = 0; i < hosts_.size(); ++i) {
    const std::string_view host = hosts_[i];
    in[i] = domain.empty() || host == domain ||
            (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
  }
  return in;
}

template <class Use>
Status TextIndex::for_each_match(const SearchQuery& query, Use use) {
  const std::string expression = expression_of(query);
  if (expression.empty()) return {};
  const std::vector<bool> wanted = hosts_in(query.domain);
  rows_.bind(1, expression);
  while (true) {
    const Result<bool> row = rows_.step();
    if (!row) return row.error();
    if (!*row) return {};
    const auto page = static_cast<size_t>(rows_.integer(0));
    if (page < lengths_.size() && lengths_[page] != kNoItem && wanted[hosts_of_pages_[page]]) {
      use(page);
    }
  }
}

Result<uint64_t> TextIndex::count(const SearchQuery& query) {
  uint64_t count = 0;
  if (Status s = for_each_match(query, [&](size_t) { ++count; }); !s) return s.error();
  return count;
}

Result<double> TextIndex::expected_both(const SearchQuery& a, const SearchQuery& b) {
  const std::string key = expression_of(a) + "\n" + a.domain;
  if (shares_.empty() || shares_of_ != key) {
    std::vector<uint64_t> words(hosts_.size());
    const Status read =
        for_each_match(a, [&](size_t page) { words[hosts_of_pages_[page]] += lengths_[page]; });
    if (!read) return read.error();
    shares_.assign(hosts_.size(), 0);
    for (size_t i = 0; i < hosts_.size(); ++i) {
      if (words_of_hosts_[i] == 0) continue;
      shares_[i] = static_cast<double>(words[i]) / static_cast<double>(words_of_hosts_[i]);
    }
    shares_of_ = key;
  }
  double expected = 0;
  const Status read =
      for_each_match(b, [&](size_t page) { expected += shares_[hosts_of_pages_[page]]; });
  if (!read) return read.error();
  return expected;
}

Result<std::vector<TextIndex::Match>> TextIndex::find(const SearchQuery& query, size_t offset,
                                                      size_t most) {
  std::vector<Match> matches;
  const std::string expression = expression_of(query);
  if (expression.empty() || most == 0) return matches;
  const std::vector<bool> wanted = hosts_in(query.domain);
  ranked_.bind(1, expression);
  while (matches.size() < most) {
    const Result<bool> row = ranked_.step();
    if (!row) return row.error();
    if (!*row) return matches;
    const auto id = static_cast<size_t>(ranked_.integer(0));
    if (id >= lengths_.size() || lengths_[id] == kNoItem || !wanted[hosts_of_pages_[id]]) continue;
    if (offset > 0) {
      --offset;
      continue;
    }
    page_.bind(1, static_cast<int64_t>(id));
    const Result<bool> found = page_.step();
    if (!found) return found.error();
    if (*found) matches.push_back({page_.text(0), page_.text(1)});
    page_.reset();
  }
  ranked_.reset();
  return matches;
}

}  // namespace dowser
