#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"

namespace dowser {

// What fetches of one kind have brought so far.
struct Yield {
  double sum = 0;  // of relevance
  uint32_t count = 0;

  // The mean, as though `weight` more had brought `expected` each.
  double mean(double expected, double weight) const {
    return (sum + weight * expected) / (count + weight);
  }
};

// Yields by name, of tag paths or of directories. They have numbers, in the order they came.
class NamedYields {
 public:
  static uint64_t hash_of(std::string_view name);
  uint32_t number_of(std::string_view name) { return number_of(name, hash_of(name)); }
  uint32_t number_of(std::string_view name, uint64_t hash);
  std::optional<uint32_t> find(uint64_t hash) const;

  // They will be asked for soon: the processor may begin to bring them.
  void expect(uint64_t hash) const { numbers_.prefetch(hash); }
  void expect_row(uint32_t number) const { __builtin_prefetch(&rows_[number]); }

  size_t size() const { return rows_.size(); }
  Yield& operator[](uint32_t number) { return rows_[number].yield; }
  const Yield& operator[](uint32_t number) const { return rows_[number].yield; }
  const std::string& name(uint32_t number) const { return names_[number]; }
  uint32_t hash(uint32_t number) const { return static_cast<uint32_t>(rows_[number].hash); }

  // Forgets all but those whose place in `moved` is set to anything but UINT32_MAX; the new numbers
  // are put there.
  void keep(std::vector<uint32_t>& moved);

  size_t memory_bytes() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Row {
    Yield yield;
    uint64_t hash;
  };
  std::vector<Row> rows_;
  std::vector<std::string> names_;                   // the beginning, of long ones
  absl::flat_hash_map<uint64_t, uint32_t> numbers_;  // by hash
};

}  // namespace dowser
