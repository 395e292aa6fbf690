#include "store/text_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "text/number_forms.h"
#include "text/tokens.h"

// FTS5 holds the words and nothing else: the table is "contentless", so the index is smaller than
// the text, and the text itself stays in the archive. Three decisions differ from FTS5 as it comes.
//
//   - Words are made by text/tokens.h, which also splits Chinese and Thai, before FTS5 sees them.
//     FTS5 gets them separated by blanks, and its `ascii` tokenizer splits them there again. So the
//     file can be opened with any SQLite, which a tokenizer of our own would prevent.
//   - Between two blocks stands the word "¶", which no text contains after our tokenizer. It takes
//     one place, so the phrase "machine learning" does not match a page with the two list items
//     "Turing machine" and "Learning theory". A mark costs about one byte of the index.
//   - Headers, footers and the template of the host have a column of their own that queries for
//     phrases leave out: a menu entry "Machine learning" on each page of a site says nothing about
//     these pages. A list of links that stands on one page only is content.
//
// Cost: FTS5 collects words in a hash table and writes it out when it is full, by default after
// one megabyte. Most of the time would go into merging such small parts. With 64 MB the index of
// 100,000 pages is written in a dozen parts, which are merged once at the end. Rows are numbered by
// us, and the file is written without a journal: if the process dies, the file under construction
// is worthless and nobody looks at it.

namespace dowser {
namespace {

constexpr std::string_view kBlockMark = "\u00b6 ";

constexpr char kSchema[] = R"sql(
PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA user_version = 1;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, title TEXT NOT NULL,
  length INTEGER NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
  title, content, other, content = '', tokenize = 'ascii');
INSERT INTO words (words, rank) VALUES ('hashsize', 67108864);
INSERT INTO words (words, rank) VALUES ('automerge', 0);
INSERT INTO words (words, rank) VALUES ('crisismerge', 1000);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(5.0, 1.0, 0.0)');
BEGIN;
)sql";

TokenOptions token_options() {
  TokenOptions options;
  options.digits = true;
  options.max_length = kLongestToken;
  return options;
}

// Returns how many they are.
uint32_t add_words(std::string_view text, std::string& to) {
  static const TokenOptions options = token_options();
  uint32_t words = 0;
  for_each_token(text, options, [&](std::string_view token) {
    to += token;
    to += ' ';
    ++words;
  });
  return words;
}

bool is_content(BlockRole role) {
  return role == BlockRole::kContent || role == BlockRole::kMenu || role == BlockRole::kAside;
}

// As an FTS5 expression; "" where a phrase has no words, which nothing can match.
std::string expression_of(const SearchQuery& query) {
  std::string all;
  for (const std::string& phrase : query.phrases) {
    std::string words;
    // Tokens are letters and digits, apostrophes at most, so nothing needs to be escaped.
    if (add_words(phrase, words) == 0) return "";
    words.pop_back();
    if (!all.empty()) all += " AND ";
    if (!query.any_number) {
      all += fmt::format("\"{}\"", words);
      continue;
    }
    const size_t last = words.rfind(' ') + 1;  // 0 where there is one word
    std::vector<std::string> forms = number_forms(std::string_view(words).substr(last));
    for (std::string& form : forms) form = fmt::format("\"{}{}\"", words.substr(0, last), form);
    all += fmt::format("({})", fmt::join(forms, " OR "));
  }
  return all.empty() ? "" : fmt::format("{{title content}} : ({})", all);
}

Error about_index(const std::filesystem::path& path, const Error& error) {
  const size_t colon = error.message.find(": ");
  return {fmt::format("the index {} cannot be used{}", path.string(),
                      colon == std::string::npos ? "" : error.message.substr(colon))};
}

}  // namespace

IndexText index_text(const Page& page) {
  IndexText text{
      std::string(page.url.href()), std::string(page.url.hostname()), page.title, {}, {}, {}, 0};
  text.content.reserve(page.text.size() + page.blocks.size() * kBlockMark.size());
  text.length = add_words(page.title, text.title_words);
  for (const Block& block : page.blocks) {
    const bool content = is_content(block.role);
    std::string& to = content ? text.content : text.other;
    const uint32_t words = add_words(page.words(block.text), to);
    if (words > 0) to += kBlockMark;
    if (content) text.length += words;
  }
  return text;
}

Result<TextIndexWriter> TextIndexWriter::create(const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary += ".new";
  std::error_code failed;
  std::filesystem::remove(temporary, failed);
  Result<Database> database = Database::create(temporary);
  if (!database) return database.error();
  if (Status s = database->execute(kSchema); !s) return about_index(temporary, s.error());
  Result<Statement> page = database->prepare("INSERT INTO pages VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!page) return about_index(temporary, page.error());
  Result<Statement> words =
      database->prepare("INSERT INTO words (rowid, title, content, other) VALUES (?1, ?2, ?3, ?4)");
  if (!words) return about_index(temporary, words.error());
  return TextIndexWriter(path, temporary, std::move(*database), std::move(*page),
                         std::move(*words));
}

TextIndexWriter::~TextIndexWriter() {
  if (!database_) return;
  insert_page_.reset();
  insert_words_.reset();
  database_.reset();
  std::error_code failed;
  std::filesystem::remove(temporary_, failed);
}

Status TextIndexWriter::add(const IndexText& page) {
  const auto id = static_cast<int64_t>(++pages_);
  insert_page_->bind(1, id)
      .bind_view(2, page.url)
      .bind_view(3, page.host)
      .bind_view(4, page.title)
      .bind(5, int64_t{page.length});
  if (Status s = insert_page_->run(); !s) return about_index(path_, s.error());
  insert_words_->bind(1, id)
      .bind_view(2, page.title_words)
      .bind_view(3, page.content)
      .bind_view(4, page.other);
  if (Status s = insert_words_->run(); !s) return about_index(path_, s.error());
  return {};
}

Status TextIndexWriter::finish(std::string_view source) {
  Result<Statement> meta = database_->prepare("INSERT INTO meta VALUES ('source', ?1)");
  if (!meta) return about_index(path_, meta.error());
  if (Status s = meta->bind(1, source).run(); !s) return about_index(path_, s.error());
  const Status merged = database_->execute(
      "INSERT INTO words (words) VALUES ('optimize'); COMMIT; PRAGMA synchronous = FULL;");
  if (!merged) return about_index(path_, merged.error());
  insert_page_.reset();
  insert_words_.reset();
  // SQLite closes the file when the last statement is gone.
  { const Result<Statement> last = std::move(meta); }
  database_.reset();
  std::error_code failed;
  std::filesystem::rename(temporary_, path_, failed);
  if (failed) {
    return Error{fmt::format("cannot write the index {}: {}", path_.string(), failed.message())};
  }
  return {};
}

Result<TextIndex> TextIndex::open(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return database.error();
  Result<Statement> rows = database->prepare("SELECT rowid FROM words WHERE words MATCH ?1");
  if (!rows) return about_index(path, rows.error());
  Result<Statement> ranked =
      database->prepare("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank");
  if (!ranked) return about_index(path, ranked.error());
  Result<Statement> page = database->prepare("SELECT url, title FROM pages WHERE id = ?1");
  if (!page) return about_index(path, page.error());
  TextIndex index(std::move(*database), std::move(*rows), std::move(*ranked), std::move(*page));
  if (Status s = index.load(); !s) return about_index(path, s.error());
  return index;
}

Status TextIndex::load() {
  Result<Statement> meta = database_.prepare("SELECT value FROM meta WHERE name = 'source'");
  if (!meta) return meta.error();
  const Result<bool> found = meta->step();
  if (!found) return found.error();
  if (*found) source_ = meta->text(0);
  Result<Statement> pages = database_.prepare("SELECT host, length FROM pages ORDER BY id");
  if (!pages) return pages.error();
  std::unordered_map<std::string, uint32_t> numbers;
  while (true) {
    const Result<bool> row = pages->step();
    if (!row) return row.error();
    if (!*row) return {};
    const auto [it, is_new] =
        numbers.try_emplace(pages->text(0), static_cast<uint32_t>(hosts_.size()));
    if (is_new) hosts_.push_back(it->first);
    hosts_of_pages_.push_back(it->second);
    lengths_.push_back(static_cast<uint32_t>(pages->integer(1)));
    words_of_hosts_.resize(hosts_.size());
    words_of_hosts_[it->second] += lengths_.back();
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
    const auto page = static_cast<size_t>(rows_.integer(0)) - 1;
    if (page < pages() && wanted[hosts_of_pages_[page]]) use(page);
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
    if (id - 1 >= pages() || !wanted[hosts_of_pages_[id - 1]]) continue;
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
