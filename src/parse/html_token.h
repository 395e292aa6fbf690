#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/html_names.h"

// What the tokenizer passes to its sink. Views are valid until the call returns; those that did not
// have to be changed point into the input and are valid as long as it is.

namespace dowser {

struct Attribute {
  AttrId id = AttrId::kUnknown;
  std::string_view name;   // in lower case
  std::string_view value;  // character references resolved
};

struct Tag {
  TagId id = TagId::kUnknown;
  std::string_view name;                  // in lower case
  std::span<const Attribute> attributes;  // in order, each name once; none for an end tag
  bool self_closing = false;              // <br/>

  const Attribute* find(AttrId attribute) const {
    for (const Attribute& a : attributes) {
      if (a.id == attribute) return &a;
    }
    return nullptr;
  }
};

struct Doctype {
  std::optional<std::string_view> name;  // in lower case
  std::optional<std::string_view> public_id;
  std::optional<std::string_view> system_id;
  bool force_quirks = false;
};

// How the text after a start tag is read. Tree construction decides this; see state_after().
enum class TextState : uint8_t {
  kData,       // markup
  kRcdata,     // character references but no tags: title, textarea
  kRawtext,    // neither: style, xmp, iframe
  kScript,     // neither, with the rules for <!-- in scripts
  kPlaintext,  // neither, up to the end of the input
  kCdata,      // up to ]]>
};

// The state that tree construction sets for an HTML element (not SVG or MathML), without scripting.
TextState state_after(TagId id);

// Memory for text that had to be changed. What it has returned does not move before reset().
class TokenArena {
 public:
  void reset() {
    if (used_ != 0) clear();
  }
  // Room for `size` bytes, of which keep(n) then keeps the first n.
  char* room(size_t size) {
    if (blocks_.empty() || capacity_ - used_ < size) grow(size);
    return blocks_.back().get() + used_;
  }
  void keep(size_t size) { used_ += size; }

 private:
  void grow(size_t size);
  void clear();

  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t capacity_ = 0;  // of the last block
  size_t used_ = 0;
};

// Replaces CR LF and CR by LF. Returns `input` if there is no CR, otherwise a view of `buffer`.
std::string_view normalize_newlines(std::string_view input, std::string& buffer);

// Copies with NUL replaced by U+FFFD, and in lower case if `lower` is set.
std::string_view cleaned(std::string_view raw, bool lower, TokenArena& arena);
// An attribute's value with its character references resolved.
std::string_view attribute_value(std::string_view raw, TokenArena& arena);
// The data of <!DOCTYPE…>: everything up to the '>' or the end of the input.
Doctype read_doctype(std::string_view body, bool at_end_of_input, TokenArena& arena);

}  // namespace dowser
