#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/html_names.h"

namespace dowser {

// What the names of an element say about its part in the page: <div class="sidebar">,
// <div id="article-body">, role="navigation", itemprop="articleBody".
enum NameHint : uint8_t {
  kHintNone = 0,
  kHintBody = 1 << 0,      // the text of the article itself
  kHintContent = 1 << 1,   // content, post, story, main
  kHintMenu = 1 << 2,      // navigation, breadcrumbs, tags, pagination
  kHintHeader = 1 << 3,    // masthead, banner
  kHintFooter = 1 << 4,    // footer, copyright, legal notes
  kHintAside = 1 << 5,     // sidebars, related stories, advertisements, sharing, newsletters
  kHintComments = 1 << 6,  // what readers wrote
  kHintCaption = 1 << 7,   // captions, credits, bylines, dates
};

// The hints in a class, id, role or itemprop attribute.
uint8_t name_hints(std::string_view names);

// The elements that hold text, as a tree. A node holds the blocks [begin, end) of its page; nodes
// stand in document order, so a parent stands before its children.
struct BlockTree {
  struct Node {
    int32_t parent = -1;
    TagId tag = TagId::kUnknown;
    uint8_t hints = 0;
    uint32_t begin = 0, end = 0;
  };

  std::vector<Node> nodes;             // the first is the page itself
  std::vector<int32_t> node_of_block;  // the innermost node of each block
};

}  // namespace dowser
