#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

// Numbers for strings: the first one is 0, the next new one 1. The strings are copied into blocks
// that never move. The table takes no more than this many bytes of text, so that a log full of
// different addresses cannot fill the memory: a new string that does not fit has no number.

namespace dowser {

// Copies of strings, in blocks that never move.
class StringBlocks {
 public:
  std::string_view copy(std::string_view text);

 private:
  static constexpr size_t kBlock = 256 << 10;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
};

class StringTable {
 public:
  static constexpr uint32_t kNone = 0xFFFF'FFFF;

  // `more`: what the caller keeps for each string beyond a few counts.
  explicit StringTable(size_t most_bytes, size_t more = 0)
      : most_bytes_(most_bytes), overhead_(kOverhead + more) {}

  struct Added {
    uint32_t number;  // kNone: the table is full
    bool is_new;
  };
  Added add(std::string_view text);
  uint32_t find(std::string_view text) const;  // kNone: it is not here
  std::string_view text(uint32_t number) const { return texts_[number]; }
  size_t size() const { return texts_.size(); }
  size_t refused() const { return refused_; }  // calls of add() that found no room

 private:
  // What a string costs besides its own bytes: a view, a slot of the hash table, and what callers
  // keep for each number.
  static constexpr size_t kOverhead = 96;

  size_t most_bytes_, overhead_;
  size_t bytes_ = 0, refused_ = 0;
  StringBlocks blocks_;
  std::vector<std::string_view> texts_;
  absl::flat_hash_map<std::string_view, uint32_t> numbers_;
};

}  // namespace dowser
