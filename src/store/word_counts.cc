#include "store/word_counts.h"

#include <algorithm>
#include <memory>

// FTS5 knows where every word stands, and for a score it has to read all these places: those of
// "the" or "function" are millions. A score needs only how often a word stands in an item. So the
// library also holds a list of items and counts for each word, weighted by column as the score
// wants them. A word is then found and scored twenty times as fast as by FTS5, and the beginning of
// a word, "t*", which FTS5 would make of the places of all words with a t, a hundred times as fast.
// The lists take about a sixth of the space of FTS5's. Phrases, and words of a single field, are
// searched by FTS5.
//
// Words are kept in blocks of about one page of the database (count_list.h). Blocks form parts: a
// part holds all words of a range of items, and later parts have later items. A part is written
// when memory is full and when the writer finishes; then the newest parts are merged as long as the
// one before them is not twice as large as they are together. So a library that grows in many small
// steps has few parts, and each count is rewritten only a few times: the logarithmic method of
// Bentley and Saxe 1980, which LSM trees use.
//
// Items are never taken out, as in FTS5: readers leave out what `items` does not have.

namespace dowser {
namespace {

constexpr size_t kBlockSize = 8000;                // a page of the database has 8192 bytes
constexpr size_t kBatch = 1 << 20;                 // bytes of text that are counted at a time
constexpr size_t kMemoryOfWord = 100;              // without the bytes of its list
constexpr std::string_view kBlockMark = "\u00b6";  // between two blocks of text: see index_text.cc

Status damaged() { return Error{std::string(kDamagedCounts)}; }

// Writes the words of a new part.
class PartWriter {
 public:
  static Result<PartWriter> begin(Database& database) {
    Result<Statement> last = database.prepare("SELECT COALESCE(MAX(part), 0) FROM count_parts");
    if (!last) return last.error();
    if (const Result<bool> row = last->step(); !row) return row.error();
    Result<Statement> insert = database.prepare("INSERT INTO word_counts VALUES (?1, ?2, ?3)");
    if (!insert) return insert.error();
    return PartWriter(last->integer(0) + 1, std::move(*insert));
  }

  Status add(std::string_view word, std::string_view list) {
    if (!block_.empty() && block_.bytes().size() + word.size() + list.size() > kBlockSize) {
      if (Status s = write_block(); !s) return s;
    }
    block_.add(word, list);
    return {};
  }

  Status finish(Database& database) {
    if (!block_.empty()) {
      if (Status s = write_block(); !s) return s;
    }
    Result<Statement> insert = database.prepare("INSERT INTO count_parts VALUES (?1, ?2)");
    if (!insert) return insert.error();
    return insert->bind(1, part_).bind(2, bytes_).run();
  }

 private:
  PartWriter(int64_t part, Statement insert) : part_(part), insert_(std::move(insert)) {}

  Status write_block() {
    insert_.bind(1, part_).bind_view(2, block_.first()).bind_blob_view(3, block_.bytes());
    if (Status s = insert_.run(); !s) return s;
    bytes_ += static_cast<int64_t>(block_.bytes().size());
    block_.clear();
    return {};
  }

  int64_t part_;
  Statement insert_;
  CountBlockWriter block_;
  int64_t bytes_ = 0;
};

// The words of a part, one after the other.
class PartReader {
 public:
  PartReader(int64_t part, Statement blocks) : blocks_(std::move(blocks)) { blocks_.bind(1, part); }

  // False at the end.
  Result<bool> next() {
    while (!words_.next()) {
      if (words_.is_damaged()) return damaged().error();
      const Result<bool> row = blocks_.step();
      if (!row) return row.error();
      if (!*row) return false;
      block_ = blocks_.blob_view(0);
      words_ = CountBlockReader(block_);
    }
    return true;
  }
  const std::string& word() const { return words_.word(); }
  std::string_view list() const { return words_.list(); }

 private:
  Statement blocks_;
  std::string block_;
  CountBlockReader words_;
};

// Writes the words of all readers, which are in the order of their parts.
Status merge(std::vector<std::unique_ptr<PartReader>> readers, PartWriter& writer) {
  CountListWriter list;
  const auto advance = [&](std::unique_ptr<PartReader>& reader) -> Status {
    const Result<bool> more = reader->next();
    if (!more) return more.error();
    if (!*more) reader.reset();
    return {};
  };
  for (auto& reader : readers) {
    if (Status s = advance(reader); !s) return s;
  }
  while (true) {
    std::erase(readers, nullptr);
    if (readers.empty()) return {};
    const auto first = std::min_element(readers.begin(), readers.end(),
                                        [](auto& a, auto& b) { return a->word() < b->word(); });
    const std::string word = (*first)->word();
    list.clear();
    for (auto& reader : readers) {
      if (reader->word() != word) continue;
      const bool read = read_count_list(reader->list(),
                                        [&](uint32_t id, uint32_t count) { list.add(id, count); });
      if (!read) return damaged();
      if (Status s = advance(reader); !s) return s;
    }
    if (Status s = writer.add(word, list.bytes()); !s) return s;
  }
}

// The newest parts that shall be merged, in their order.
Result<std::vector<int64_t>> parts_to_merge(Database& database) {
  Result<Statement> rows =
      database.prepare("SELECT part, bytes FROM count_parts ORDER BY part DESC");
  if (!rows) return rows.error();
  std::vector<int64_t> parts;
  int64_t sum = 0;
  bool is_enough = false;
  const Status read = rows->for_each([&](const Statement& row) {
    is_enough = is_enough || (!parts.empty() && row.integer(1) >= 2 * sum);
    if (is_enough) return;
    parts.push_back(row.integer(0));
    sum += row.integer(1);
  });
  if (!read) return read.error();
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Status merge_parts(Database& database) {
  const Result<std::vector<int64_t>> parts = parts_to_merge(database);
  if (!parts) return parts.error();
  if (parts->size() < 2) return {};
  std::vector<std::unique_ptr<PartReader>> readers;
  for (const int64_t part : *parts) {
    Result<Statement> blocks =
        database.prepare("SELECT block FROM word_counts WHERE part = ?1 ORDER BY first");
    if (!blocks) return blocks.error();
    readers.push_back(std::make_unique<PartReader>(part, std::move(*blocks)));
  }
  Result<PartWriter> writer = PartWriter::begin(database);
  if (!writer) return writer.error();
  if (Status s = merge(std::move(readers), *writer); !s) return s;
  for (const char* sql : {"DELETE FROM word_counts WHERE part BETWEEN ?1 AND ?2",
                          "DELETE FROM count_parts WHERE part BETWEEN ?1 AND ?2"}) {
    Result<Statement> remove = database.prepare(sql);
    if (!remove) return remove.error();
    if (Status s = remove->bind(1, parts->front()).bind(2, parts->back()).run(); !s) return s;
  }
  return writer->finish(database);
}

}  // namespace

Status WordCountsWriter::add(Database& database, int64_t id, const IndexText& text) {
  const std::string* const columns[] = {&text.title, &text.author, &text.abstract, &text.keywords,
                                        &text.text};
  Item& item = waiting_.emplace_back();
  item.id = static_cast<uint32_t>(id);
  for (size_t i = 0; i < item.columns.size(); ++i) {
    item.columns[i] = *columns[i];
    waiting_bytes_ += columns[i]->size();
  }
  if (waiting_bytes_ < kBatch) return {};
  wait();
  if (memory_ > most_memory_) {
    if (Status s = write(database); !s) return s;
  }
  counting_ =
      std::async(std::launch::async, [this, items = std::exchange(waiting_, {})] { count(items); });
  waiting_bytes_ = 0;
  return {};
}

Status WordCountsWriter::finish(Database& database) {
  wait();
  count(std::exchange(waiting_, {}));
  if (Status s = write(database); !s) return s;
  return merge_parts(database);
}

void WordCountsWriter::wait() {
  if (counting_.valid()) counting_.get();
}

void WordCountsWriter::count(const std::vector<Item>& items) {
  for (const Item& item : items) {
    for (size_t i = 0; i < item.columns.size(); ++i) {
      count(item.id, item.columns[i], static_cast<uint32_t>(kColumnWeights[i]));
    }
  }
}

void WordCountsWriter::count(uint32_t id, std::string_view words, uint32_t weight) {
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find(' ', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty() || word == kBlockMark) continue;
    const absl::string_view key(word.data(), word.size());  // Debian's absl has a type of its own
    auto found = words_.find(key);
    if (found == words_.end()) {
      found = words_.try_emplace(std::string(word)).first;
      memory_ += kMemoryOfWord + word.size();
    }
    Word& entry = found->second;
    if (entry.id != id) {
      const size_t before = entry.list.bytes().size();
      if (entry.count > 0) entry.list.add(entry.id, entry.count);
      memory_ += entry.list.bytes().size() - before;
      entry.id = id;
      entry.count = 0;
    }
    entry.count += weight;
  }
}

Status WordCountsWriter::write(Database& database) {
  if (words_.empty()) return {};
  std::vector<std::pair<std::string_view, Word*>> sorted;
  sorted.reserve(words_.size());
  for (auto& [word, entry] : words_) sorted.emplace_back(word, &entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Result<PartWriter> part = PartWriter::begin(database);
  if (!part) return part.error();
  for (const auto& [word, entry] : sorted) {
    entry->list.add(entry->id, entry->count);
    if (Status s = part->add(word, entry->list.bytes()); !s) return s;
  }
  words_ = {};
  memory_ = 0;
  return part->finish(database);
}

namespace {

// Calls `use` with every block that may hold the word, or words that begin so. One statement sees
// all parts as they were at one moment.
Status for_each_block(Database& database, std::string_view word, bool is_prefix,
                      absl::FunctionRef<void(CountBlockReader&)> use) {
  // In each part, from the block that may hold the word to the last that may.
  Result<Statement> blocks = database.prepare(R"sql(
SELECT block FROM count_parts CROSS JOIN word_counts USING (part)
WHERE first BETWEEN COALESCE((SELECT MAX(first) FROM word_counts AS w
                              WHERE w.part = count_parts.part AND w.first <= ?1), ?1) AND ?2
ORDER BY part, first)sql");
  if (!blocks) return blocks.error();
  // No byte of UTF-8 is as large as FF.
  const std::string last = std::string(word) + (is_prefix ? "\xff" : "");
  blocks->bind_view(1, word).bind_view(2, last);
  bool is_damaged = false;
  const Status read = blocks->for_each([&](const Statement& row) {
    CountBlockReader words(row.blob_view(0));
    use(words);
    is_damaged = is_damaged || words.is_damaged();
  });
  if (!read) return read;
  if (is_damaged) return damaged();
  return {};
}

}  // namespace

Status read_words(Database& database, std::string_view beginning,
                  absl::FunctionRef<void(std::string_view)> use) {
  return for_each_block(database, beginning, true, [&](CountBlockReader& words) {
    while (words.next()) {
      if (words.word().starts_with(beginning)) use(words.word());
    }
  });
}

Status read_word_counts(Database& database, std::string_view word, bool is_prefix, size_t end,
                        std::vector<CountedItem>& items) {
  items.clear();
  std::vector<float> sums(is_prefix ? end : 0);  // by id, of all words with the prefix
  bool is_damaged = false;
  const auto use = [&](uint32_t id, uint32_t count) {
    if (id >= end) return;
    if (is_prefix) {
      sums[id] += static_cast<float>(count);
    } else {
      items.push_back({id, static_cast<float>(count)});
    }
  };
  const Status read = for_each_block(database, word, is_prefix, [&](CountBlockReader& words) {
    while (words.next()) {
      if (is_prefix ? !words.word().starts_with(word) : words.word() != word) continue;
      is_damaged = is_damaged || !read_count_list(words.list(), use);
    }
  });
  if (!read) return read;
  if (is_damaged) return damaged();
  for (size_t id = 0; id < sums.size(); ++id) {
    if (sums[id] > 0) items.push_back({static_cast<uint32_t>(id), sums[id]});
  }
  return {};
}

}  // namespace dowser
