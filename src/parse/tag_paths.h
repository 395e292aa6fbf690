#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/open_elements.h"

namespace dowser {

// The place of links and blocks in a page as text: "div.nav>ul>li>a". html and body are left out,
// since many old pages lack them; the first class of an element is included, since it distinguishes
// menus from text.
//
// Paths are nodes of a tree that grows as needed; the text is made once for each node that a link
// or a block uses.
class TagPaths {
 public:
  static constexpr size_t kMaxPaths = 4096;   // of a page; further ones are ""
  static constexpr size_t kMaxElements = 16;  // of a path; the innermost are kept
  static constexpr size_t kMaxClass = 24;     // bytes of a class

  TagPaths();

  // The path of the element at `index` (-1 for the page itself), as an index into take().
  uint16_t path_of(OpenElements& open, int index);
  std::vector<std::string> take() { return std::move(paths_); }

  // The first class of a class attribute, as it is shown.
  static std::string_view first_class(std::string_view classes);

 private:
  struct Node {
    int32_t parent;
    std::string_view name;
    std::string_view css_class;
    int32_t last_child = -1;  // checked first, because siblings are mostly alike
    int32_t path = -1;        // index into paths_
  };

  int32_t node_of(OpenElements& open, int index);
  int32_t child_of(int32_t parent, std::string_view name, std::string_view css_class);
  std::string text_of(int32_t node) const;

  std::vector<Node> nodes_;
  absl::flat_hash_map<uint64_t, int32_t> children_;  // by a hash of parent, name and class
  absl::flat_hash_map<std::string, uint16_t> known_;
  std::vector<std::string> paths_;
};

}  // namespace dowser
