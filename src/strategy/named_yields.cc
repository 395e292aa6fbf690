#include "strategy/named_yields.h"

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kMostNameBytes = 300;

}  // namespace

uint32_t NamedYields::number_of(std::string_view name) {
  const uint64_t hash = hash64(name);
  const auto [it, is_new] = numbers_.try_emplace(hash, static_cast<uint32_t>(yields_.size()));
  if (is_new) {
    yields_.emplace_back();
    names_.emplace_back(name.substr(0, kMostNameBytes));
    hashes_.push_back(hash);
  }
  return it->second;
}

void NamedYields::keep(std::vector<uint32_t>& moved) {
  NamedYields kept;
  for (uint32_t i = 0; i < yields_.size(); ++i) {
    if (moved[i] == UINT32_MAX) continue;
    moved[i] = static_cast<uint32_t>(kept.yields_.size());
    kept.numbers_[hashes_[i]] = moved[i];
    kept.yields_.push_back(yields_[i]);
    kept.names_.push_back(std::move(names_[i]));
    kept.hashes_.push_back(hashes_[i]);
  }
  *this = std::move(kept);
}

size_t NamedYields::memory_bytes() const {
  size_t bytes = yields_.capacity() * sizeof(Yield) + names_.capacity() * sizeof(std::string) +
                 hashes_.capacity() * sizeof(uint64_t) +
                 numbers_.capacity() * (sizeof(std::pair<uint64_t, uint32_t>) + 1);
  for (const std::string& name : names_) bytes += name.capacity();
  return bytes;
}

void NamedYields::save(ByteWriter& out) const {
  out.number(static_cast<uint32_t>(yields_.size()));
  for (size_t i = 0; i < yields_.size(); ++i) {
    out.number(yields_[i].sum);
    out.number(yields_[i].count);
    out.number(hashes_[i]);
    out.text(names_[i]);
  }
}

void NamedYields::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Yield& yield = yields_.emplace_back();
    yield.sum = in.number<double>();
    yield.count = in.number<uint32_t>();
    hashes_.push_back(in.number<uint64_t>());
    names_.emplace_back(in.text());
    numbers_[hashes_.back()] = static_cast<uint32_t>(yields_.size() - 1);
  }
}

}  // namespace dowser
