#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

// Serialises values for saved state: numbers in the byte order of the machine, strings preceded by
// their length.

namespace dowser {

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
  }
  void text(std::string_view text) {
    number(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  // Appends the bytes unchanged, without a length.
  void raw(std::string_view bytes) { bytes_ += bytes; }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what ByteWriter wrote, in the same order. If there are too few bytes it returns zeros and
// empty strings, and ok() is false from then on.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    const std::string_view raw = take(sizeof(T));
    T value{};
    if (raw.size() == sizeof(T)) std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  std::string_view text() { return take(number<uint32_t>()); }
  std::string_view raw(size_t size) { return take(size); }

  std::string_view rest() const { return rest_; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(size_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// A number as bytes that sort in the same order as the numbers.
inline std::string sortable(uint64_t value) {
  std::string key(8, '\0');
  for (int i = 7; i >= 0; --i, value >>= 8) key[i] = static_cast<char>(value & 0xff);
  return key;
}
inline uint64_t from_sortable(std::string_view key) {
  uint64_t value = 0;
  for (const char c : key.substr(0, 8)) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

}  // namespace dowser
