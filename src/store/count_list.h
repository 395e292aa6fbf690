#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

// Words with the items in which they stand, as bytes. Numbers are written with seven bits to a
// byte, the lowest first.
//
//   list   for each item, in order of id: 2 x (id - the id before) + (1 if the count is 1), and the
//          count if it is not 1
//   block  for each word, in order of bytes: how many bytes it begins with that the word before has
//          too, how many follow, these bytes; the size of its list, the list
//
// Readers refuse bytes that nobody wrote, but cannot notice every damage.

namespace dowser {

class CountListWriter {
 public:
  // Ids ascend. A count is at least 1.
  void add(uint32_t id, uint32_t count);
  const std::string& bytes() const { return bytes_; }
  uint32_t last() const { return last_; }
  void clear() { bytes_.clear(), last_ = 0; }

 private:
  std::string bytes_;
  uint32_t last_ = 0;
};

// False if the list is damaged; then some items may have been missed.
bool read_count_list(std::string_view list,
                     absl::FunctionRef<void(uint32_t id, uint32_t count)> use);

class CountBlockWriter {
 public:
  // Words ascend.
  void add(std::string_view word, std::string_view list);
  const std::string& bytes() const { return bytes_; }
  const std::string& first() const { return first_; }  // word
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_, first_, before_;
};

class CountBlockReader {
 public:
  // `block` must live as long as it is read.
  explicit CountBlockReader(std::string_view block = {}) : rest_(block) {}
  // False at the end, and where the block is damaged.
  bool next();
  bool is_damaged() const { return is_damaged_; }
  const std::string& word() const { return word_; }
  std::string_view list() const { return list_; }

 private:
  std::string_view rest_, list_;
  std::string word_;
  bool is_damaged_ = false;
};

}  // namespace dowser
