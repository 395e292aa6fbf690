#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/page.h"
#include "parse/element_rules.h"
#include "parse/html_token.h"

// The elements that are open at one place of a page, outermost first. This is all that is kept of
// the tree.
//
// Tree construction (https://html.spec.whatwg.org/#tree-construction) repairs sloppy HTML: an li
// ends the li before it, and </div> ends everything left open inside. The part of it that decides
// which text belongs to which block, list and link is done here with a stack alone. What needs a
// tree is left out: misplaced text of a table stays where it was written instead of moving before
// the table, and formatting that was left open ends with its block instead of being opened again in
// the next.

namespace dowser {

struct OpenElement {
  TagId id = TagId::kUnknown;
  BlockKind kind = BlockKind::kText;  // of the text directly inside
  uint8_t level = 0;
  bool hidden = false;       // its text is invisible, because of itself or an ancestor
  bool inert = false;        // inside a template: not part of the page
  bool foreign = false;      // inside SVG or MathML
  bool hides = false;        // has the attribute `hidden`
  int16_t block = -1;        // index of the innermost block element, itself included
  int16_t item = -1;         // index of the innermost list item, itself included
  int32_t list = -1;         // innermost list: index into Page::lists
  int32_t own_list = -1;     // if it is a list
  int32_t first_block = -1;  // of an item: its first block of text
  int32_t path = -1;         // TagPaths node; -1: not needed yet
  int32_t node = -1;         // BlockTree node; -1: it holds no text so far
  std::string_view name;
  std::string_view css_class;
  std::string_view hint_names[3];  // class, id and role as written
};

class OpenElements {
 public:
  // Deeper elements are not opened; browsers stop at 512.
  static constexpr size_t kMaxDepth = 256;

  OpenElements() { stack_.reserve(32); }

  size_t size() const { return stack_.size(); }
  bool full() const { return stack_.size() >= kMaxDepth; }
  OpenElement& operator[](size_t i) { return stack_[i]; }
  const OpenElement& operator[](size_t i) const { return stack_[i]; }
  // What the text here belongs to: the innermost element, or the page itself.
  const OpenElement& top() const { return stack_.empty() ? page_ : stack_.back(); }

  const OpenElement& outer() const { return stack_.size() < 2 ? page_ : stack_[stack_.size() - 2]; }

  // `element` has id, name, css_class, hides and own_list; the other members are computed.
  void push(const OpenElement& element);
  void pop() { stack_.pop_back(); }
  // Removes one from the middle.
  void erase(size_t i);

  // How many elements stay open when `id` starts; the others end by implication.
  size_t height_before(TagId id) const;
  // The index of the element that an end tag ends, or -1. `alone`: elements inside stay open.
  struct Ending {
    int index = -1;
    bool alone = false;
  };
  Ending ending_of(const Tag& tag) const;

  // The innermost `id`, searching no further than an element with one of the flags `barrier`.
  int find(TagId id, int barrier) const;
  bool in_table() const;

 private:
  void derive(size_t i);
  int find_any_of(std::initializer_list<TagId> ids) const;
  int find_item_to_end(TagId id) const;
  size_t table_height_before(TagId id) const;

  OpenElement page_;
  std::vector<OpenElement> stack_;
};

}  // namespace dowser
