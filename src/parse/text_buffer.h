#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dowser {

// Collects the text of a page as lines: white space (including the no-break space, with which old
// pages are indented) becomes one space, and none at the ends of a line; NUL is dropped. Stops at
// `limit` bytes.
class TextBuffer {
 public:
  TextBuffer(size_t expected, size_t limit);

  uint32_t size() const { return static_cast<uint32_t>(size_); }
  bool at_line_start() const { return size_ == line_; }
  std::string_view view() const { return {data_.get(), size_}; }

  void append(std::string_view text);
  // Removes a space from the end of the line.
  void trim() {
    if (size_ > line_ && data_[size_ - 1] == ' ') --size_;
  }
  // Starts a new line; the last must not be empty.
  void end_line() { append_byte('\n'), line_ = size_; }

  // Whether `text` would add nothing to an empty line.
  static bool is_blank(std::string_view text);

 private:
  void make_room(size_t bytes);
  void append_byte(char c) { make_room(1), data_[size_++] = c; }

  std::unique_ptr<char[]> data_;
  size_t capacity_;
  size_t size_ = 0;
  size_t line_ = 0;  // where the last line starts
  size_t limit_;
};

// One line of text, with white space collapsed.
std::string folded(std::string_view text);

}  // namespace dowser
