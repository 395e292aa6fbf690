#pragma once

#include "model/page.h"
#include "parse/block_tree.h"

namespace dowser {

// Sets the role of every block of the page: which is its content, which are menus, headers, footers
// and the like. See the essay in main_content.cc.
void mark_content(BlockTree& tree, Page& page);

}  // namespace dowser
