#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"

namespace dowser {

// The relevance of the pages that links of one kind have led to.
struct Yield {
  double sum = 0;  // of relevance
  uint32_t count = 0;

  // The mean, as if `weight` further pages had had the relevance `expected`.
  double mean(double expected, double weight) const {
    return (sum + weight * expected) / (count + weight);
  }
};

// Yields of tag paths or of directories. They are numbered in the order in which they are added.
class NamedYields {
 public:
  static uint64_t hash_of(std::string_view name);
  uint32_t number_of(std::string_view name) { return number_of(name, hash_of(name)); }
  uint32_t number_of(std::string_view name, uint64_t hash);
  std::optional<uint32_t> find(uint64_t hash) const;

  // Prefetch what will be asked for soon.
  void prefetch(uint64_t hash) const { numbers_.prefetch(hash); }
  void prefetch_row(uint32_t number) const { __builtin_prefetch(&rows_[number]); }

  size_t size() const { return rows_.size(); }
  Yield& operator[](uint32_t number) { return rows_[number].yield; }
  const Yield& operator[](uint32_t number) const { return rows_[number].yield; }
  const std::string& name(uint32_t number) const { return names_[number]; }
  uint32_t hash(uint32_t number) const { return static_cast<uint32_t>(rows_[number].hash); }

  // Drops all but those whose element of `moved` is not UINT32_MAX, and writes their new numbers
  // there.
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
  std::vector<std::string> names_;                   // only the beginning of long names
  absl::flat_hash_map<uint64_t, uint32_t> numbers_;  // by hash
};

}  // namespace dowser
