#include "parse/main_content.h"

#include <algorithm>
#include <vector>

// Which blocks of a page are its content, told from the one page alone.
//
//   1. Elements have a role by their tag (nav, header, footer, aside, form, svg) and by the names
//   that
//      their authors gave them (class, id, role: "sidebar", "comments", "share"; name_hints.cc).
//      What is inside inherits it. An element with more than half of the page's text keeps none.
//   2. Each block has a value: the bytes of its text that are not links, less 25. Blocks that are
//      mostly links, short ones, and those in a menu or footer have a negative value.
//   3. An element is worth its own blocks and its children, of which each costs 100 at most, since
//      it can be left out. The content is the element of the greatest worth: one step further out
//      brings more menu than text. Inside it, elements with a negative worth are left out (lists
//      of links, boxes of teasers), and so are headings that no content follows.
//
// Example: <div id=menu> 20 links </div> <div id=text> 5 paragraphs <ul> related </ul> </div>. The
// body is worth 5 paragraphs less the links; the second div is worth more; the list inside is
// negative and goes.
//
// Where too little is left (200 bytes), the names are not trusted and all is done once more without
// them. The idea of a sum over blocks that are good or bad is that of Pasternack and Roth 2009
// ("Extracting article text from the web with maximum subsequence segmentation"), over the tree
// instead of over the sequence. The constants were not tuned.
//
// bench/articles measures it on pages that people have marked (F1 .954; with the full cost of
// children .952, with 200 at most .955, but then two short paragraphs around a long list of links
// are not both content). What judges see of a page goes by the roles (model/field_weights.h): they
// leave out what tags and names call a menu, footer or comments, and keep what only the sums leave
// out, since the content of pages of the 1990s often is a list of links (docs/experiments.md).
//
// Cost: one pass over links, blocks and elements.

namespace dowser {
namespace {

class ContentMarker {
 public:
  ContentMarker(BlockTree& tree, Page& page) : tree_(tree), page_(page) {}

  void mark() {
    if (page_.blocks.empty()) return;
    close_nodes();
    count_links();
    find_roles(true);
    find_values();
    int32_t best = best_node();
    if (worth(best) < kTooLittle) {
      find_roles(false);
      find_values();
      best = best_node();
    }
    assign(best);
  }

 private:
  static constexpr double kTooLittle = 200;
  static constexpr double kMostCost = 100;

  void close_nodes() {
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      auto& end = tree_.nodes[tree_.node_of_block[i]].end;
      end = std::max(end, static_cast<uint32_t>(i + 1));
    }
    for (size_t i = tree_.nodes.size(); i-- > 1;) {
      auto& end = tree_.nodes[tree_.nodes[i].parent].end;
      end = std::max(end, tree_.nodes[i].end);
    }
  }

  void count_links() {
    link_bytes_.assign(page_.blocks.size(), 0);
    size_t block = 0;
    for (const Link& link : page_.links) {
      if (link.anchor.empty()) continue;
      while (block > 0 && page_.blocks[block].text.begin > link.anchor.begin) --block;
      while (block + 1 < page_.blocks.size() && page_.blocks[block].text.end <= link.anchor.begin)
        ++block;
      for (size_t b = block; b < page_.blocks.size(); ++b) {
        const Span text = page_.blocks[b].text;
        if (text.begin >= link.anchor.end) break;
        const uint32_t begin = std::max(text.begin, link.anchor.begin);
        const uint32_t end = std::min(text.end, link.anchor.end);
        if (end > begin) link_bytes_[b] += end - begin;
      }
    }
    plain_.assign(page_.blocks.size() + 1, 0);
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const uint32_t size = page_.blocks[i].text.size();
      plain_[i + 1] = plain_[i] + size - std::min(size, link_bytes_[i]);
    }
  }

  double plain_of(const BlockTree::Node& node) const {
    return plain_[node.end] - plain_[node.begin];
  }

  BlockRole own_role(const BlockTree::Node& node, BlockRole outer, bool use_names) const {
    using enum TagId;
    const double share = plain_of(node) / std::max(1.0, plain_.back());
    switch (node.tag) {
      case kNav:
      case kMenu:
        return BlockRole::kMenu;
      case kSvg:
        return BlockRole::kDrawing;
      case kFooter:
        if (share < 0.4) return BlockRole::kFooter;
        break;
      case kHeader:
        if (share < 0.4) return BlockRole::kHeader;
        break;
      case kAside:
      case kFigure:
      case kFigcaption:
      case kSelect:
      case kOption:
      case kTextarea:
        if (share < 0.5) return BlockRole::kAside;
        break;
      case kForm:
        if (share < 0.3) return BlockRole::kAside;
        break;
      default:
        break;
    }
    if (!use_names || share > 0.5) return outer;
    if (node.hints & kHintBody) return BlockRole::kContent;
    if (node.hints & kHintComments) return BlockRole::kComments;
    if (node.hints & kHintMenu) return BlockRole::kMenu;
    if (node.hints & kHintFooter) return BlockRole::kFooter;
    if (node.hints & kHintHeader) return BlockRole::kHeader;
    if (node.hints & (kHintAside | kHintCaption)) return BlockRole::kAside;
    return outer;
  }

  void find_roles(bool use_names) {
    roles_.assign(tree_.nodes.size(), BlockRole::kContent);
    for (size_t i = 1; i < tree_.nodes.size(); ++i) {
      const BlockTree::Node& node = tree_.nodes[i];
      roles_[i] = own_role(node, roles_[node.parent], use_names);
    }
  }

  double value_of(size_t block) const {
    const Block& b = page_.blocks[block];
    const double size = b.text.size(), links = std::min(size, double(link_bytes_[block]));
    const double plain = size - links;
    if (roles_[tree_.node_of_block[block]] != BlockRole::kContent) return -0.5 * size - 5;
    if (b.kind == BlockKind::kHeading) return 0;
    if (links > 0.5 * size) return -size - 5;
    if (plain < 40) return -8;
    return plain - 25;
  }

  // The worth of a node: its own blocks and its children, of which each costs kMostCost at most,
  // since it can be left out.
  void find_values() {
    worth_.assign(tree_.nodes.size(), 0);
    for (size_t i = 0; i < page_.blocks.size(); ++i) worth_[tree_.node_of_block[i]] += value_of(i);
    for (size_t i = tree_.nodes.size(); i-- > 1;) {
      worth_[tree_.nodes[i].parent] += std::max(worth_[i], -kMostCost);
    }
  }

  double worth(int32_t node) const { return worth_[node]; }

  int32_t best_node() const {
    int32_t best = 0;
    for (size_t i = 1; i < tree_.nodes.size(); ++i) {
      const auto node = static_cast<int32_t>(i);
      if (worth(node) >= worth(best)) best = node;
    }
    return best;
  }

  void assign(int32_t best) {
    const BlockTree::Node& chosen = tree_.nodes[best];
    // Nodes inside the chosen one that would be better left out.
    std::vector<bool> dropped(tree_.nodes.size(), false);
    for (size_t i = best + 1; i < tree_.nodes.size() && tree_.nodes[i].begin < chosen.end; ++i) {
      const BlockTree::Node& node = tree_.nodes[i];
      dropped[i] =
          dropped[node.parent] || (node.end - node.begin > 1 && worth(static_cast<int32_t>(i)) < 0);
    }
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      Block& b = page_.blocks[i];
      const int32_t node = tree_.node_of_block[i];
      b.role = roles_[node];
      if (b.role != BlockRole::kContent) continue;
      const bool inside = i >= chosen.begin && i < chosen.end;
      const bool is_links = link_bytes_[i] > 0.5 * b.text.size();
      if (!inside || dropped[node]) b.role = is_links ? BlockRole::kLinks : BlockRole::kBeside;
    }
    drop_lone_headings(chosen);
  }

  // A heading that no content follows belongs to what was left out.
  void drop_lone_headings(const BlockTree::Node& chosen) {
    bool followed = false;
    for (size_t i = chosen.end; i-- > chosen.begin;) {
      Block& b = page_.blocks[i];
      if (b.role == BlockRole::kContent && b.kind == BlockKind::kHeading && !followed)
        b.role = BlockRole::kBeside;
      else if (b.role == BlockRole::kContent && b.kind != BlockKind::kHeading)
        followed = true;
      else if (b.role != BlockRole::kContent)
        followed = false;
    }
  }

  BlockTree& tree_;
  Page& page_;
  std::vector<uint32_t> link_bytes_;  // of each block
  std::vector<double> plain_;         // sums of the bytes that are not links
  std::vector<BlockRole> roles_;      // of each node
  std::vector<double> worth_;         // of each node
};

}  // namespace

void mark_content(BlockTree& tree, Page& page) { ContentMarker(tree, page).mark(); }

}  // namespace dowser
