#include "mine/site_template.h"

#include <algorithm>

#include "base/hash.h"
#include "text/shingles.h"

// The pages of a site are made from a template. Their main content differs from page to page; what
// stands around it hardly does (Küçük 2009, section 2.1.4, "tree matching").
//
// Learning takes three steps.
//
//   1. Trees of two pages are matched. Simple Tree Matching (Yang 1991) pairs two nodes if they
//   have
//      the same tag, and their children in order so that the number of pairs is highest:
//
//        match(a, b) = 1 + max over alignments of the children of Σ match(aᵢ, bⱼ)
//
//      A leaf is a block of text. Two leaves with the same words count twice, so that of several
//      equal alignments the one is taken that brings equal blocks together.
//   2. Two corresponding blocks say the same if the Jaccard coefficient of their shingles (equation
//      2-1) is at least 0.8. Digits do not count, so "Last changed: 12 May" is "Last changed: 3
//      May".
//   3. A block that says the same on at least half of the pages that its page is compared with
//      belongs to the template.
//
// Example: of <ul><li>Home<li>News</ul><p>Rain is likely and the same page with <p>Snow is near the
// blocks Home and News are the template, and the paragraphs are the content.
//
// To mark a page its tree is not matched again, which would cost more than parsing it: a block
// belongs to the template if a block with the same tag path and the same shingles does.
//
// What differs: nothing is rendered, so visual cues are not used. The tree is made from the tag
// paths of the blocks: neighbouring blocks share the nodes of their common beginning. Elements
// without text are not in it, and two neighbouring elements with equal paths are one node.
//
// Parameters: the thesis leaves window and threshold to experiments; 0.8 is
// our guess, and bench/templates is there to measure it. Cost of learning: pages × partners × the
// product of two tree sizes, with at most 400 blocks of a page.

namespace dowser {
namespace {

constexpr size_t kMostBlocks = 400;  // of a page that are matched: the first and the last ones
constexpr size_t kLongestPath = 64;  // elements

// Without digits, so that dates and counters make no difference.
std::string without_digits(std::string_view text) {
  std::string result;
  for (const char c : text) result += c >= '0' && c <= '9' ? ' ' : c;
  return result;
}

struct Node {
  uint64_t label = 0;
  int32_t block = -1;  // of a leaf
  uint64_t words = 0;  // of a leaf: a digest
  std::vector<uint32_t> children;
};

// The blocks of a page as a tree. nodes[0] is the page.
class Tree {
 public:
  explicit Tree(const Page& page) {
    nodes_.push_back({});
    std::vector<uint64_t> path;  // of the block before
    std::vector<uint32_t> open = {0};
    const size_t all = page.blocks.size();
    for (size_t i = 0; i < all; ++i) {
      if (all > kMostBlocks && i >= kMostBlocks / 2 && i < all - kMostBlocks / 2) continue;
      const Block& block = page.blocks[i];
      const std::vector<uint64_t> labels = labels_of(page.tag_paths[block.tag_path]);
      size_t common = 0;
      while (common < labels.size() && common < path.size() && labels[common] == path[common]) {
        ++common;
      }
      // The last element of a path is the one that the block begins with: it is not shared, as
      // two items of a list are two elements.
      if (common == labels.size() && common > 0) --common;
      open.resize(common + 1);
      for (size_t j = common; j < labels.size(); ++j) open.push_back(add(open.back(), labels[j]));
      const uint32_t leaf = add(open.back(), 0);
      nodes_[leaf].block = static_cast<int32_t>(i);
      nodes_[leaf].words = hash64(without_digits(page.words(block.text)));
      path = labels;
    }
  }

  const Node& operator[](uint32_t i) const { return nodes_[i]; }
  size_t size() const { return nodes_.size(); }

 private:
  static std::vector<uint64_t> labels_of(std::string_view path) {
    std::vector<uint64_t> labels;
    for (size_t begin = 0; begin < path.size() && labels.size() < kLongestPath;) {
      const size_t end = std::min(path.find('>', begin), path.size());
      labels.push_back(hash64(path.substr(begin, end - begin)));
      begin = end + 1;
    }
    return labels;
  }

  uint32_t add(uint32_t parent, uint64_t label) {
    const auto node = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({label, -1, 0, {}});
    nodes_[parent].children.push_back(node);
    return node;
  }

  std::vector<Node> nodes_;
};

class TreeMatch {
 public:
  TreeMatch(const Tree& a, const Tree& b) : a_(a), b_(b), scores_(a.size() * b.size(), -1) {}

  std::vector<std::pair<uint32_t, uint32_t>> blocks() {
    score(0, 0);
    collect(0, 0);
    return std::move(pairs_);
  }

 private:
  int32_t score(uint32_t x, uint32_t y) {
    int32_t& known = scores_[x * b_.size() + y];
    if (known >= 0) return known;
    const Node &a = a_[x], &b = b_[y];
    if (a.label != b.label || (a.block < 0) != (b.block < 0)) return known = 0;
    if (a.block >= 0) return known = a.words == b.words ? 2 : 1;
    const std::vector<int32_t> table = align(a, b);
    return known = 1 + table.back();
  }

  // The best sums of the first i and j children, row by row.
  std::vector<int32_t> align(const Node& a, const Node& b) {
    const size_t n = a.children.size(), m = b.children.size(), width = m + 1;
    std::vector<int32_t> table((n + 1) * width);
    for (size_t i = 1; i <= n; ++i) {
      for (size_t j = 1; j <= m; ++j) {
        table[i * width + j] = std::max(
            {table[(i - 1) * width + j], table[i * width + j - 1],
             table[(i - 1) * width + j - 1] + score(a.children[i - 1], b.children[j - 1])});
      }
    }
    return table;
  }

  void collect(uint32_t x, uint32_t y) {
    const Node &a = a_[x], &b = b_[y];
    if (a.block >= 0) {
      pairs_.emplace_back(a.block, b.block);
      return;
    }
    const std::vector<int32_t> table = align(a, b);
    const size_t width = b.children.size() + 1;
    std::vector<std::pair<uint32_t, uint32_t>> matched;
    for (size_t i = a.children.size(), j = b.children.size(); i > 0 && j > 0;) {
      if (table[i * width + j] == table[(i - 1) * width + j]) {
        --i;
      } else if (table[i * width + j] == table[i * width + j - 1]) {
        --j;
      } else {
        matched.emplace_back(a.children[--i], b.children[--j]);
      }
    }
    for (auto it = matched.rbegin(); it != matched.rend(); ++it) collect(it->first, it->second);
  }

  const Tree &a_, &b_;
  std::vector<int32_t> scores_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
};

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> matching_blocks(const Page& a, const Page& b) {
  const Tree tree_a(a), tree_b(b);
  return TreeMatch(tree_a, tree_b).blocks();
}

SiteTemplate SiteTemplate::learn(std::span<const Page> pages, const SiteTemplateOptions& options) {
  SiteTemplate result;
  result.similarity_ = options.similarity;
  if (pages.size() < options.least_pages) return result;
  std::vector<Tree> trees;
  std::vector<std::vector<Known>> texts(pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    trees.emplace_back(pages[i]);
    for (const Block& block : pages[i].blocks) {
      const std::string words = without_digits(pages[i].words(block.text));
      Known known;
      known.digest = for_each_shingle(words, kShingleWords,
                                      [&](uint64_t shingle) { known.shingles.push_back(shingle); });
      std::sort(known.shingles.begin(), known.shingles.end());
      known.shingles.erase(std::unique(known.shingles.begin(), known.shingles.end()),
                           known.shingles.end());
      texts[i].push_back(std::move(known));
    }
  }
  const size_t partners = std::min(options.partners, pages.size() - 1);
  for (size_t i = 0; i < pages.size(); ++i) {
    std::vector<size_t> same(pages[i].blocks.size());
    for (size_t p = 1; p <= partners; ++p) {
      // Spread over all pages, as neighbours resemble one another more than others do.
      const size_t j = (i + 1 + (p - 1) * (pages.size() - 1) / partners) % pages.size();
      for (const auto& [x, y] : TreeMatch(trees[i], trees[j]).blocks()) {
        const Known &a = texts[i][x], &b = texts[j][y];
        same[x] += a.digest == b.digest || jaccard(a.shingles, b.shingles) >= options.similarity;
      }
    }
    const auto needed = std::max(2.0, options.share * static_cast<double>(partners));
    for (size_t x = 0; x < same.size(); ++x) {
      const Known& known = texts[i][x];
      if (known.digest == 0 || static_cast<double>(same[x]) < needed) continue;
      std::vector<Known>& of_path = result.known_[pages[i].tag_paths[pages[i].blocks[x].tag_path]];
      const bool is_new = std::none_of(of_path.begin(), of_path.end(), [&](const Known& other) {
        return other.digest == known.digest;
      });
      if (!is_new) continue;
      of_path.push_back(known);
      ++result.blocks_;
    }
  }
  return result;
}

bool SiteTemplate::holds(std::span<const Known> of_path, std::string_view text) const {
  std::vector<uint64_t> shingles;
  const uint64_t digest = for_each_shingle(without_digits(text), kShingleWords,
                                           [&](uint64_t shingle) { shingles.push_back(shingle); });
  if (digest == 0) return false;
  for (const Known& known : of_path) {
    if (known.digest == digest) return true;
  }
  std::sort(shingles.begin(), shingles.end());
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  return std::any_of(of_path.begin(), of_path.end(), [&](const Known& known) {
    return jaccard(known.shingles, shingles) >= similarity_;
  });
}

size_t SiteTemplate::mark(Page& page) const {
  if (known_.empty()) return 0;
  std::vector<const std::vector<Known>*> by_path;
  for (const std::string& path : page.tag_paths) {
    const auto it = known_.find(path);
    by_path.push_back(it == known_.end() ? nullptr : &it->second);
  }
  size_t marked = 0;
  for (Block& block : page.blocks) {
    const std::vector<Known>* of_path = by_path[block.tag_path];
    if (!of_path || !holds(*of_path, page.words(block.text))) continue;
    block.role = kTemplateRole;
    ++marked;
  }
  return marked;
}

}  // namespace dowser
