#include "store/count_list.h"

#include <algorithm>

namespace dowser {
namespace {

void append_number(std::string& bytes, uint64_t number) {
  for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
  bytes += static_cast<char>(number);
}

// False if there is none.
bool take_number(std::string_view& bytes, uint64_t& number) {
  number = 0;
  int shift = 0;
  for (size_t at = 0; at < bytes.size() && shift < 63; ++at, shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at]);
    number |= uint64_t{byte & 127u} << shift;
    if (byte < 128) {
      bytes.remove_prefix(at + 1);
      return true;
    }
  }
  return false;
}

bool take_bytes(std::string_view& bytes, uint64_t size, std::string_view& taken) {
  if (size > bytes.size()) return false;
  taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

}  // namespace

void CountListWriter::add(uint32_t id, uint32_t count) {
  append_number(bytes_, 2 * uint64_t{id - last_} + (count == 1));
  if (count != 1) append_number(bytes_, count);
  last_ = id;
}

bool read_count_list(std::string_view list,
                     absl::FunctionRef<void(uint32_t id, uint32_t count)> use) {
  uint64_t id = 0;
  while (!list.empty()) {
    uint64_t step = 0, count = 1;
    if (!take_number(list, step)) return false;
    if (step % 2 == 0 && !take_number(list, count)) return false;
    id += step / 2;
    if (step / 2 == 0 || id > UINT32_MAX || count == 0 || count > UINT32_MAX) return false;
    use(static_cast<uint32_t>(id), static_cast<uint32_t>(count));
  }
  return true;
}

void CountBlockWriter::add(std::string_view word, std::string_view list) {
  size_t shared = 0;
  if (bytes_.empty()) {
    first_ = word;
  } else {
    const size_t most = std::min(word.size(), before_.size());
    while (shared < most && word[shared] == before_[shared]) ++shared;
  }
  append_number(bytes_, shared);
  append_number(bytes_, word.size() - shared);
  bytes_ += word.substr(shared);
  append_number(bytes_, list.size());
  bytes_ += list;
  before_ = word;
}

bool CountBlockReader::next() {
  if (rest_.empty() || is_damaged_) return false;
  is_damaged_ = true;
  uint64_t shared = 0, more = 0, size = 0;
  std::string_view end;
  if (!take_number(rest_, shared) || shared > word_.size()) return false;
  if (!take_number(rest_, more) || !take_bytes(rest_, more, end)) return false;
  if (!take_number(rest_, size) || !take_bytes(rest_, size, list_)) return false;
  word_.resize(shared);
  word_ += end;
  is_damaged_ = false;
  return true;
}

}  // namespace dowser
