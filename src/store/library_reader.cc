#include "store/library_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/library_schema.h"
#include "store/library_writer.h"
#include "store/phrase_count.h"

namespace dowser {
namespace {

constexpr std::string_view kItem = R"sql(
SELECT id, url, host, kind, format, title, authors, abstract, keywords, language, year,
  "references", relevance, relevant, is_copy, fetched_at, length, archive_file, archive_offset, page
FROM items )sql";

LibraryItem item_of(const Statement& row) {
  LibraryItem item;
  item.id = row.integer(0);
  item.url = row.text(1), item.host = row.text(2);
  item.kind = row.text(3), item.format = row.text(4);
  item.title = row.text(5), item.authors = row.text(6);
  item.abstract = row.text(7), item.keywords = row.text(8);
  item.language = row.text(9);
  if (!row.is_null(10)) item.year = static_cast<int>(row.integer(10));
  item.references = static_cast<uint64_t>(row.integer(11));
  if (!row.is_null(12)) item.relevance = row.real(12);
  item.relevant = row.integer(13) != 0, item.is_copy = row.integer(14) != 0;
  item.fetched_at = row.text(15);
  item.length = static_cast<uint32_t>(row.integer(16));
  item.archive_file = row.text(17);
  item.archive_offset = static_cast<uint64_t>(row.integer(18));
  if (!row.is_null(19)) item.page = row.integer(19);
  return item;
}

// Conditions of a query with the values of its parameters.
class Conditions {
 public:
  void add(std::string_view condition) {
    sql_ += sql_.empty() ? "WHERE " : " AND ";
    sql_ += condition;
  }
  template <class Value>
  std::string parameter(Value value) {
    if constexpr (std::is_same_v<Value, double>) {
      numbers_.emplace_back(++count_, value);
    } else {
      texts_.emplace_back(++count_, value);
    }
    return fmt::format("?{}", count_);
  }
  void one_of(std::string_view column, const std::vector<std::string>& values) {
    if (values.empty()) return;
    std::vector<std::string> names;
    for (const std::string& value : values) names.push_back(parameter(value));
    add(fmt::format("{} IN ({})", column, fmt::join(names, ", ")));
  }
  const std::string& sql() const { return sql_; }
  void bind(Statement& statement) const {
    for (const auto& [index, value] : texts_) statement.bind(index, std::string_view(value));
    for (const auto& [index, value] : numbers_) statement.bind(index, value);
  }

 private:
  std::string sql_;
  int count_ = 0;
  std::vector<std::pair<int, std::string>> texts_;
  std::vector<std::pair<int, double>> numbers_;
};

// Where the keys of the hosts below a domain end that begins with `key`: behind '.' comes '/'.
std::string end_of_domain(std::string key) {
  key.back() = '/';
  return key;
}

Conditions conditions_of(const ItemFilter& filter) {
  Conditions conditions;
  conditions.one_of("kind", filter.kinds);
  conditions.one_of("format", filter.formats);
  conditions.one_of("language", filter.languages);
  if (!filter.hosts.empty()) {
    std::vector<std::string> any;
    for (const std::string& host : filter.hosts) {
      const std::string key = domain_key(host);
      any.push_back(fmt::format("(domain >= {} AND domain < {})", conditions.parameter(key),
                                conditions.parameter(end_of_domain(key))));
    }
    conditions.add(fmt::format("({})", fmt::join(any, " OR ")));
  }
  if (filter.year_from) {
    conditions.add("year >= " + conditions.parameter(static_cast<double>(*filter.year_from)));
  }
  if (filter.year_to) {
    conditions.add("year <= " + conditions.parameter(static_cast<double>(*filter.year_to)));
  }
  if (filter.relevance_from) {
    conditions.add("relevance >= " + conditions.parameter(*filter.relevance_from));
  }
  if (filter.only_relevant) conditions.add("relevant");
  return conditions;
}

// Edit distance, but no more than `most` + 1.
size_t distance(std::string_view a, std::string_view b, size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return most + 1;
  std::vector<size_t> row(a.size() + 1);
  for (size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (size_t j = 1; j <= b.size(); ++j) {
    size_t diagonal = row[0]++;
    for (size_t i = 1; i <= a.size(); ++i) {
      const size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[i];
      row[i] = std::min({row[i] + 1, row[i - 1] + 1, change});
    }
  }
  return row.back();
}

}  // namespace

Error LibraryReader::about(const Error& error) const { return about_library(path_, error); }

Result<LibraryReader> LibraryReader::open(const std::filesystem::path& path) {
  Result<Database> database = open_with_phrase_count(path);
  if (!database) return database.error();
  LibraryReader reader(path, std::move(*database));
  if (Status s = reader.load(); !s) return reader.about(s.error());
  return reader;
}

Status LibraryReader::load() {
  Result<Statement> version = database_.prepare("PRAGMA user_version");
  if (!version) return version.error();
  const Result<bool> row = version->step();
  if (!row) return row.error();
  if (version->integer(0) != kLibraryVersion) return Error{"it: was made by another version"};
  Result<Statement> lengths = database_.prepare("SELECT id, length FROM items");
  if (!lengths) return lengths.error();
  double sum = 0;
  const Status read = lengths->for_each([&](const Statement& r) {
    const auto id = static_cast<size_t>(r.integer(0));
    if (id >= lengths_.size()) {
      lengths_.resize(std::max(id + 1, 2 * lengths_.size()), kNoItem);
    }
    lengths_[id] = static_cast<uint32_t>(r.integer(1));
    sum += r.real(1);
    ++items_;
  });
  if (!read) return read;
  if (items_ > 0) average_length_ = std::max(1.0, sum / static_cast<double>(items_));
  return {};
}

Result<std::string> LibraryReader::note(std::string_view name) {
  Result<Statement> row = database_.prepare("SELECT value FROM meta WHERE name = ?1");
  if (!row) return about(row.error());
  const Result<bool> found = row->bind(1, name).step();
  if (!found) return about(found.error());
  return *found ? row->text(0) : std::string();
}

Result<std::vector<LibraryItem>> LibraryReader::items_where(std::string_view condition,
                                                            std::string_view value, size_t most) {
  Result<Statement> rows =
      database_.prepare(fmt::format("{} WHERE {} ORDER BY id LIMIT {}", kItem, condition, most));
  if (!rows) return about(rows.error());
  std::vector<LibraryItem> items;
  rows->bind(1, value);
  const Status read = rows->for_each([&](const Statement& r) { items.push_back(item_of(r)); });
  if (!read) return about(read.error());
  return items;
}

Result<std::optional<LibraryItem>> LibraryReader::item(int64_t id) {
  Result<Statement> row = database_.prepare(fmt::format("{} WHERE id = ?1", kItem));
  if (!row) return about(row.error());
  const Result<bool> found = row->bind(1, id).step();
  if (!found) return about(found.error());
  return *found ? std::optional(item_of(*row)) : std::nullopt;
}

Result<std::optional<LibraryItem>> LibraryReader::item_at(std::string_view url) {
  Result<std::vector<LibraryItem>> items = items_where("url = ?1", url, 1);
  if (!items) return items.error();
  return items->empty() ? std::nullopt : std::optional(std::move(items->front()));
}

Result<std::vector<LibraryItem>> LibraryReader::items_ending(std::string_view ending, size_t most) {
  return items_where("substr(url, -length(?1)) = ?1", ending, most);
}

Result<std::vector<LibraryItem>> LibraryReader::added_items() {
  return items_where("url >= ?1 AND url < 'added;'", kAddedScheme, INT64_MAX);
}

Status LibraryReader::for_each_fact(absl::FunctionRef<void(const CatalogueFacts&)> use) {
  Result<Statement> rows = database_.prepare(
      "SELECT page, relevance, relevant, \"references\" FROM items WHERE page IS NOT NULL");
  if (!rows) return about(rows.error());
  const Status read = rows->for_each([&](const Statement& r) {
    use({r.integer(0), r.real(1), r.integer(2) != 0, static_cast<uint64_t>(r.integer(3))});
  });
  if (!read) return about(read.error());
  return {};
}

Result<std::vector<bool>> LibraryReader::passing(const ItemFilter& filter) {
  std::vector<bool> pass(lengths_.size());
  const Conditions conditions = conditions_of(filter);
  if (conditions.sql().empty()) {
    for (size_t id = 0; id < pass.size(); ++id) pass[id] = lengths_[id] != kNoItem;
  } else {
    Result<Statement> rows = database_.prepare("SELECT id FROM items " + conditions.sql());
    if (!rows) return about(rows.error());
    conditions.bind(*rows);
    const Status read = rows->for_each([&](const Statement& r) {
      if (const auto id = static_cast<size_t>(r.integer(0)); id < pass.size()) pass[id] = true;
    });
    if (!read) return about(read.error());
  }
  if (filter.copies) return pass;
  Result<Statement> copies = database_.prepare("SELECT id FROM items WHERE is_copy");
  if (!copies) return about(copies.error());
  const Status read = copies->for_each([&](const Statement& r) {
    if (const auto id = static_cast<size_t>(r.integer(0)); id < pass.size()) pass[id] = false;
  });
  if (!read) return about(read.error());
  return pass;
}

Result<std::vector<double>> LibraryReader::keys(Order order) {
  const std::string_view column = order == Order::kRelevance    ? "relevance"
                                  : order == Order::kReferences ? "\"references\""
                                                                : "year";
  Result<Statement> rows =
      database_.prepare(fmt::format("SELECT id, COALESCE({}, -1) FROM items", column));
  if (!rows) return about(rows.error());
  std::vector<double> keys(lengths_.size(), -1);
  const Status read = rows->for_each([&](const Statement& r) {
    if (const auto id = static_cast<size_t>(r.integer(0)); id < keys.size()) keys[id] = r.real(1);
  });
  if (!read) return about(read.error());
  return keys;
}

Status LibraryReader::for_each_match(const std::string& expression,
                                     absl::FunctionRef<void(int64_t)> use) {
  Result<Statement> rows = database_.prepare("SELECT rowid FROM words WHERE words MATCH ?1");
  if (!rows) return about(rows.error());
  rows->bind_view(1, expression);
  const Status read = rows->for_each([&](const Statement& r) { use(r.integer(0)); });
  if (!read) return about(read.error());
  return {};
}

Status LibraryReader::for_each_match_among(const std::vector<int64_t>& ids,
                                           const std::string& expression,
                                           absl::FunctionRef<void(int64_t)> use) {
  Result<Statement> row =
      database_.prepare("SELECT rowid FROM words WHERE words MATCH ?1 AND rowid = ?2");
  if (!row) return about(row.error());
  for (const int64_t id : ids) {
    const Status read = row->bind_view(1, expression).bind(2, id).for_each([&](const Statement& r) {
      use(r.integer(0));
    });
    if (!read) return about(read.error());
  }
  return {};
}

Result<std::vector<CountedItem>> LibraryReader::with_word(std::string_view word, bool is_prefix) {
  std::vector<CountedItem> items;
  const Status read = read_word_counts(database_, word, is_prefix, lengths_.size(), items);
  if (read) return items;
  is_damaged_ = is_damaged_ || read.error().message == kDamagedCounts;
  return about(read.error());
}

Result<std::vector<CountedItem>> LibraryReader::with_any_word(
    const std::vector<std::string>& words) {
  std::vector<float> sums(lengths_.size());
  float weight = 1;
  for (const std::string& word : words) {
    const Result<std::vector<CountedItem>> items = with_word(word, false);
    if (!items) return items.error();
    for (const CountedItem& item : *items) sums[item.id] += weight * item.count;
    weight = 0.5F;
  }
  std::vector<CountedItem> all;
  for (size_t id = 0; id < sums.size(); ++id) {
    if (sums[id] > 0) all.push_back({static_cast<uint32_t>(id), sums[id]});
  }
  return all;
}

Status LibraryReader::for_each_word(std::string_view beginning,
                                    absl::FunctionRef<void(std::string_view)> use) {
  const Status read = read_words(database_, beginning, use);
  if (read) return {};
  is_damaged_ = is_damaged_ || read.error().message == kDamagedCounts;
  return about(read.error());
}

Result<std::vector<std::string>> LibraryReader::languages(double least_share) {
  Result<Statement> rows = database_.prepare(
      "SELECT language, COUNT(*) FROM items WHERE language <> '' GROUP BY language "
      "ORDER BY COUNT(*) DESC, language");
  if (!rows) return about(rows.error());
  std::vector<std::pair<std::string, int64_t>> counts;
  int64_t all = 0;
  const Status read = rows->for_each([&](const Statement& r) {
    counts.emplace_back(r.text(0), r.integer(1));
    all += r.integer(1);
  });
  if (!read) return about(read.error());
  std::vector<std::string> languages;
  for (auto& [language, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(all);
    if (share >= least_share) languages.push_back(std::move(language));
  }
  return languages;
}

Result<std::vector<CountedItem>> LibraryReader::with_phrase(const std::string& phrase) {
  Result<Statement> rows =
      database_.prepare("SELECT rowid, phrase_count(words) FROM words WHERE words MATCH ?1");
  if (!rows) return about(rows.error());
  rows->bind_view(1, phrase);
  std::vector<CountedItem> items;
  const Status read = rows->for_each([&](const Statement& r) {
    const auto id = static_cast<size_t>(r.integer(0));
    if (id >= lengths_.size()) return;  // put in after the library was opened
    items.push_back({static_cast<uint32_t>(id), static_cast<float>(r.real(1))});
  });
  if (!read) return about(read.error());
  return items;
}

Status LibraryReader::for_each_on_host(std::string_view domain,
                                       absl::FunctionRef<void(int64_t)> use) {
  Result<Statement> rows =
      database_.prepare("SELECT id FROM items WHERE domain >= ?1 AND domain < ?2");
  if (!rows) return about(rows.error());
  const std::string begin = domain_key(domain), end = end_of_domain(begin);
  rows->bind_view(1, begin).bind_view(2, end);
  const Status read = rows->for_each([&](const Statement& r) { use(r.integer(0)); });
  if (!read) return about(read.error());
  return {};
}

Result<uint64_t> LibraryReader::items_with(std::string_view word) {
  Result<Statement> row = database_.prepare("SELECT doc FROM vocabulary WHERE term = ?1");
  if (!row) return about(row.error());
  const Result<bool> found = row->bind(1, word).step();
  if (!found) return about(found.error());
  return *found ? static_cast<uint64_t>(row->integer(0)) : 0;
}

Result<std::string> LibraryReader::similar_word(std::string_view word) {
  if (word.size() < 4) return std::string();
  const size_t most = word.size() < 7 ? 1 : 2;
  Result<Statement> rows =
      database_.prepare("SELECT term, doc FROM vocabulary WHERE term >= ?1 AND term < ?2");
  if (!rows) return about(rows.error());
  std::string end(1, static_cast<char>(word[0] + 1));
  rows->bind(1, word.substr(0, 1)).bind(2, std::string_view(end));
  std::string best;
  size_t best_distance = most + 1;
  int64_t best_count = 0;
  const Status read = rows->for_each([&](const Statement& r) {
    const std::string_view term = r.view(0);
    const size_t d = distance(word, term, most);
    const int64_t count = r.integer(1);
    if (d == 0 || d > best_distance || (d == best_distance && count <= best_count)) return;
    if (d > most) return;
    best = term, best_distance = d, best_count = count;
  });
  if (!read) return about(read.error());
  return best;
}

}  // namespace dowser
