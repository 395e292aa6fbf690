#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "model/library_item.h"
#include "store/database.h"
#include "store/library_writer.h"
#include "store/word_counts.h"

// Reads a library. Nothing is changed. One thread at a time.

namespace dowser {

// Which items may be found. An empty condition accepts everything.
struct ItemFilter {
  std::vector<std::string> kinds, formats, languages;
  std::vector<std::string> hosts;  // and those below them: "edu", "cs.cmu.edu"
  std::optional<int> year_from, year_to;
  std::optional<double> relevance_from;
  bool only_relevant = false;
  bool copies = false;  // include near duplicates of other pages
};

inline constexpr uint32_t kNoItem = UINT32_MAX;

class LibraryReader {
 public:
  // An error if the file cannot be used: it is not there, damaged, or of another version.
  static Result<LibraryReader> open(const std::filesystem::path& path);

  uint64_t items() const { return items_; }
  // Whether the last call failed because the file is broken.
  bool is_damaged() const { return is_damaged_ || database_.is_damaged(); }
  // By id, from 0: words of title and text; kNoItem: there is no such item.
  const std::vector<uint32_t>& lengths() const { return lengths_; }
  double average_length() const { return average_length_; }  // at least 1
  // The value that LibraryWriter::set_note() stored; "" if there is none.
  Result<std::string> note(std::string_view name);

  Result<std::optional<LibraryItem>> item(int64_t id);
  Result<std::optional<LibraryItem>> item_at(std::string_view url);
  // Items whose address ends with `ending`, at most `most`.
  Result<std::vector<LibraryItem>> items_ending(std::string_view ending, size_t most);
  // Every item that a person added, in the order of adding.
  Result<std::vector<LibraryItem>> added_items();

  // What the catalogue said about the pages when they were added, in any order.
  Status for_each_fact(absl::FunctionRef<void(const CatalogueFacts&)> use);

  // By id, from 0: whether the item exists and passes. Id 0 never does.
  Result<std::vector<bool>> passing(const ItemFilter& filter);
  // By id: the key by which results may be ordered; the larger comes first.
  enum class Order { kRelevance, kReferences, kYear };
  Result<std::vector<double>> keys(Order order);

  // The items that an FTS5 expression matches, in order of id.
  Status for_each_match(const std::string& expression, absl::FunctionRef<void(int64_t id)> use);
  // The same for these items alone, one after the other.
  Status for_each_match_among(const std::vector<int64_t>& ids, const std::string& expression,
                              absl::FunctionRef<void(int64_t id)> use);
  // The items that have one phrase of FTS5, in order of id.
  Result<std::vector<CountedItem>> with_phrase(const std::string& phrase);
  // The same for one word, or all words that begin so, in title, author, abstract, keywords and
  // text: much faster.
  Result<std::vector<CountedItem>> with_word(std::string_view word, bool is_prefix);
  // The same for any of several words; the first counts fully, the others half as much.
  Result<std::vector<CountedItem>> with_any_word(const std::vector<std::string>& words);
  // The words of title, author, abstract, keywords and text that begin so; some more than once.
  Status for_each_word(std::string_view beginning, absl::FunctionRef<void(std::string_view)> use);
  // The languages of at least this share of the items whose language is known.
  Result<std::vector<std::string>> languages(double least_share);
  // The items of a host and of those below it.
  Status for_each_on_host(std::string_view domain, absl::FunctionRef<void(int64_t id)> use);

  // In how many items a word occurs.
  Result<uint64_t> items_with(std::string_view word);
  // A word of the library that differs from this one by a letter or two, and begins with the same;
  // the most frequent of the nearest. "" if there is none.
  Result<std::string> similar_word(std::string_view word);

 private:
  LibraryReader(std::filesystem::path path, Database database)
      : path_(std::move(path)), database_(std::move(database)) {}
  Status load();
  Error about(const Error& error) const;
  Result<std::vector<LibraryItem>> items_where(std::string_view condition, std::string_view value,
                                               size_t most);

  std::filesystem::path path_;
  Database database_;
  uint64_t items_ = 0;
  std::vector<uint32_t> lengths_;
  double average_length_ = 1;
  bool is_damaged_ = false;  // the counts of words
};

}  // namespace dowser
