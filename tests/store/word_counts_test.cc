#include "store/word_counts.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "store/library_reader.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Items = std::vector<CountedItem>;

constexpr char kTables[] = R"sql(
CREATE TABLE count_parts (part INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
CREATE TABLE word_counts (
  part INTEGER NOT NULL, first TEXT NOT NULL, block BLOB NOT NULL, PRIMARY KEY (part, first));
)sql";

// Short words are frequent, long ones are rare.
std::string random_word(Random& random) {
  std::string word;
  do {
    word += static_cast<char>('a' + random.below(5));
  } while (random.below(3) > 0);
  return word;
}

IndexText random_text(Random& random) {
  IndexText text;
  for (std::string* column : {&text.title, &text.author, &text.abstract, &text.keywords}) {
    for (size_t n = random.below(3); n > 0; --n) *column += random_word(random) + " ";
  }
  for (size_t n = random.below(60); n > 0; --n) {
    text.text += random.below(9) == 0 ? "\u00b6 " : random_word(random) + " ";
  }
  text.other = text.url = random_word(random) + " ";
  return text;
}

// The slow reference.
class Counts {
 public:
  void add(uint32_t id, const IndexText& text) {
    const std::string* const columns[] = {&text.title, &text.author, &text.abstract, &text.keywords,
                                          &text.text};
    for (size_t i = 0; i < std::size(columns); ++i) {
      std::string word;
      for (const char c : *columns[i]) {
        if (c != ' ') {
          word += c;
          continue;
        }
        if (word != "\u00b6") counts_[word][id] += kColumnWeights[i];
        word.clear();
      }
    }
  }
  Items with(const std::string& word, bool is_prefix) const {
    std::map<uint32_t, float> sums;
    for (const auto& [w, items] : counts_) {
      if (is_prefix ? !w.starts_with(word) : w != word) continue;
      for (const auto& [id, count] : items) sums[id] += count;
    }
    Items found;
    for (const auto& [id, count] : sums) found.push_back({id, count});
    return found;
  }
  const auto& all() const { return counts_; }

 private:
  std::map<std::string, std::map<uint32_t, float>> counts_;
};

TEST(WordCounts, what_is_counted_is_read_back_whatever_parts_it_was_written_in) {
  Random random(3);
  for (const size_t most_memory : {size_t{0}, size_t{100'000}, WordCountsWriter::kMostMemory}) {
    Result<Database> database = Database::create(":memory:");
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->execute(kTables).ok());
    Counts expected;
    uint32_t id = 0;
    for (const int size : {400, 1, 60, 3, 3, 200}) {  // several writers, one after the other
      WordCountsWriter writer(most_memory);
      for (int i = 0; i < size; ++i) {
        IndexText text = random_text(random);
        // A batch is a megabyte.
        if (i % 50 == 0) text.text.append(300'000, 'a') += ' ';
        id += 1 + static_cast<uint32_t>(random.below(3));
        ASSERT_TRUE(writer.add(*database, id, text).ok());
        expected.add(id, text);
      }
      ASSERT_TRUE(writer.finish(*database).ok());
    }
    size_t words = 0;
    for (const auto& entry : expected.all()) {
      const std::string& word = entry.first;
      if (++words % 20 != 0 && word.size() > 2) continue;
      for (const bool is_prefix : {false, true}) {
        Items found;
        ASSERT_TRUE(read_word_counts(*database, word, is_prefix, id + 1, found).ok());
        ASSERT_EQ(found, expected.with(word, is_prefix)) << word;
      }
    }
    for (const std::string word : {"", "Z", "aaz", "z", "zzzz", "é"}) {
      Items found;
      ASSERT_TRUE(read_word_counts(*database, word, false, id + 1, found).ok());
      EXPECT_TRUE(found.empty()) << word;
    }
  }
}

TEST(WordCounts, a_library_that_grows_in_small_steps_has_few_parts) {
  Random random(4);
  Result<Database> database = Database::create(":memory:");
  ASSERT_TRUE(database->execute(kTables).ok());
  for (int64_t id = 1; id <= 300; ++id) {
    WordCountsWriter writer;
    ASSERT_TRUE(writer.add(*database, id, random_text(random)).ok());
    ASSERT_TRUE(writer.finish(*database).ok());
  }
  Result<Statement> parts = database->prepare("SELECT COUNT(*) FROM count_parts");
  ASSERT_TRUE(parts->step().ok());
  EXPECT_LE(parts->integer(0), 9);
}

// Words, and the beginnings of words, are counted as FTS5 counts them.
TEST(WordCounts, counts_are_those_of_the_places_that_fts5_knows) {
  const TempDir folder;
  Random random(5);
  Result<LibraryWriter> writer = LibraryWriter::create(folder / "library.sqlite");
  ASSERT_TRUE(writer.ok());
  for (int i = 0; i < 200; ++i) {
    IndexText text = random_text(random);
    text.item.url = "http://a.org/" + std::to_string(i);
    ASSERT_TRUE(writer->add(text).ok());
  }
  ASSERT_TRUE(writer->finish().ok());
  Result<LibraryReader> library = LibraryReader::open(folder / "library.sqlite");
  ASSERT_TRUE(library.ok());
  for (int i = 0; i < 300; ++i) {
    const std::string word = random_word(random);
    const bool is_prefix = random.below(2) == 0;
    const Result<Items> slow = library->with_phrase("{title author abstract keywords text} : \"" +
                                                    word + "\"" + (is_prefix ? " *" : ""));
    const Result<Items> fast = library->with_word(word, is_prefix);
    ASSERT_TRUE(slow.ok() && fast.ok());
    ASSERT_EQ(*fast, *slow) << word << (is_prefix ? "*" : "");
  }
}

TEST(WordCounts, damaged_counts_are_an_error_or_other_counts) {
  Random random(6);
  Result<Database> database = Database::create(":memory:");
  ASSERT_TRUE(database->execute(kTables).ok());
  WordCountsWriter writer;
  for (int64_t id = 1; id <= 20; ++id) {
    ASSERT_TRUE(writer.add(*database, id, random_text(random)).ok());
  }
  ASSERT_TRUE(writer.finish(*database).ok());
  Result<Statement> row = database->prepare("SELECT block FROM word_counts");
  ASSERT_TRUE(row->step().ok());
  const std::string block(row->blob_view(0));
  row->reset();
  Result<Statement> update = database->prepare("UPDATE word_counts SET block = ?1");
  int errors = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = block;
    if (random.below(4) == 0) bytes.resize(random.below(bytes.size()));
    for (size_t n = random.below(4); n > 0 && !bytes.empty(); --n) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    ASSERT_TRUE(update->bind_blob_view(1, bytes).run().ok());
    Items items;
    const Status read = read_word_counts(*database, "", true, 21, items);
    if (read) continue;
    EXPECT_EQ(read.error().message, kDamagedCounts);
    ++errors;
  }
  EXPECT_GT(errors, 500);
}

}  // namespace
}  // namespace dowser
