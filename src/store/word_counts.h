#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "store/count_list.h"
#include "store/database.h"
#include "store/index_text.h"

// How often every word stands in every item of a library. The design is in word_counts.cc.

namespace dowser {

// How much a word of each column counts: title, author, abstract, keywords, text, other, url.
inline constexpr std::array<float, 7> kColumnWeights = {5, 3, 2, 2, 1, 0.5, 1};

// An item, and how often a word or phrase stands there, weighted by column.
struct CountedItem {
  uint32_t id = 0;
  float count = 0;
  friend bool operator==(const CountedItem&, const CountedItem&) = default;
};

// Counts the words of new items on a thread of its own and writes them to the tables `word_counts`
// and `count_parts`. All calls are made by one thread and name the same database.
class WordCountsWriter {
 public:
  static constexpr size_t kMostMemory = 128 << 20;

  // `most_memory`: when counts take so many bytes, they are written.
  explicit WordCountsWriter(size_t most_memory = kMostMemory) : most_memory_(most_memory) {}

  // Ids ascend, also those of earlier writers.
  Status add(Database& database, int64_t id, const IndexText& text);
  // Writes what is left.
  Status finish(Database& database);

 private:
  struct Item {
    uint32_t id = 0;
    std::array<std::string, 5> columns;
  };
  struct Word {
    CountListWriter list;  // of the items before `id`
    uint32_t id = 0, count = 0;
  };

  void count(const std::vector<Item>& items);
  void count(uint32_t id, std::string_view words, uint32_t weight);
  void wait();
  Status write(Database& database);

  const size_t most_memory_;
  std::vector<Item> waiting_;
  size_t waiting_bytes_ = 0;
  // While counting_ runs, its thread owns these.
  absl::flat_hash_map<std::string, Word> words_;
  size_t memory_ = 0;
  std::future<void> counting_;
};

// Replaces `items` with the items that have the word in title, author, abstract, keywords or text,
// in order of id; with `is_prefix` those with a word that begins so. Items from the id `end` on are
// left out. The error of a damaged table is kDamagedCounts.
Status read_word_counts(Database& database, std::string_view word, bool is_prefix, size_t end,
                        std::vector<CountedItem>& items);
// Calls `use` with the words that begin so; a word comes once for each part of the table that has
// it.
Status read_words(Database& database, std::string_view beginning,
                  absl::FunctionRef<void(std::string_view)> use);
inline constexpr std::string_view kDamagedCounts = "it: the counts of words are damaged";

}  // namespace dowser
