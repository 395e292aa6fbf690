#include "mine/string_table.h"

#include <algorithm>
#include <cstring>

namespace dowser {
StringTable::Added StringTable::add(std::string_view text) {
  if (const auto it = numbers_.find(text); it != numbers_.end()) return {it->second, false};
  if (bytes_ + text.size() + overhead_ > most_bytes_) {
    ++refused_;
    return {kNone, true};
  }
  bytes_ += text.size() + overhead_;
  const auto number = static_cast<uint32_t>(texts_.size());
  texts_.push_back(blocks_.copy(text));
  numbers_.emplace(texts_.back(), number);
  return {number, true};
}

uint32_t StringTable::find(std::string_view text) const {
  const auto it = numbers_.find(text);
  return it == numbers_.end() ? kNone : it->second;
}

std::string_view StringBlocks::copy(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > free_bytes_) {
    free_bytes_ = std::max(kBlock, text.size());
    blocks_.push_back(std::make_unique<char[]>(free_bytes_));
    free_ = blocks_.back().get();
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view copied(free_, text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return copied;
}

}  // namespace dowser
