#include "strategy/learned/named_yields.h"

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kMostNameBytes = 300;

}  // namespace

uint64_t NamedYields::hash_of(std::string_view name) { return hash64(name); }

uint32_t NamedYields::number_of(std::string_view name, uint64_t hash) {
  const auto [it, is_new] = numbers_.try_emplace(hash, static_cast<uint32_t>(rows_.size()));
  if (is_new) {
    rows_.push_back({{}, hash});
    names_.emplace_back(name.substr(0, kMostNameBytes));
  }
  return it->second;
}

std::optional<uint32_t> NamedYields::find(uint64_t hash) const {
  const auto it = numbers_.find(hash);
  return it == numbers_.end() ? std::nullopt : std::optional(it->second);
}

void NamedYields::keep(std::vector<uint32_t>& moved) {
  NamedYields kept;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    if (moved[i] == UINT32_MAX) continue;
    moved[i] = static_cast<uint32_t>(kept.rows_.size());
    kept.numbers_[rows_[i].hash] = moved[i];
    kept.rows_.push_back(rows_[i]);
    kept.names_.push_back(std::move(names_[i]));
  }
  *this = std::move(kept);
}

size_t NamedYields::memory_bytes() const {
  size_t bytes = rows_.capacity() * sizeof(Row) + names_.capacity() * sizeof(std::string) +
                 numbers_.capacity() * (sizeof(std::pair<uint64_t, uint32_t>) + 1);
  for (const std::string& name : names_) bytes += name.capacity();
  return bytes;
}

void NamedYields::save(ByteWriter& out) const {
  out.number(static_cast<uint32_t>(rows_.size()));
  for (size_t i = 0; i < rows_.size(); ++i) {
    out.number(rows_[i].yield.sum);
    out.number(rows_[i].yield.count);
    out.number(rows_[i].hash);
    out.text(names_[i]);
  }
}

void NamedYields::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Row& row = rows_.emplace_back();
    row.yield.sum = in.number<double>();
    row.yield.count = in.number<uint32_t>();
    row.hash = in.number<uint64_t>();
    names_.emplace_back(in.text());
    numbers_[row.hash] = static_cast<uint32_t>(rows_.size() - 1);
  }
}

}  // namespace dowser
