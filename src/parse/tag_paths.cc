#include "parse/tag_paths.h"

#include "base/hash.h"

namespace dowser {
namespace {

bool is_class_byte(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
         c == '_' || (c & 0x80) != 0;
}

}  // namespace

TagPaths::TagPaths() {
  nodes_.push_back({.parent = -1, .path = 0});
  paths_.emplace_back();
}

std::string_view TagPaths::first_class(std::string_view classes) {
  size_t from = 0;
  while (from < classes.size() && static_cast<uint8_t>(classes[from]) <= ' ') ++from;
  size_t to = from;
  while (to < classes.size() && to - from < kMaxClass && is_class_byte(classes[to])) ++to;
  // Not in the middle of a character.
  if (to < classes.size()) {
    while (to > from && (classes[to] & 0xC0) == 0x80) --to;
  }
  return classes.substr(from, to - from);
}

uint16_t TagPaths::path_of(OpenElements& open, int index) {
  const int32_t node = node_of(open, index);
  if (nodes_[node].path >= 0) return static_cast<uint16_t>(nodes_[node].path);
  std::string text = text_of(node);
  // Two nodes may have the same text, since only the innermost elements are written.
  const auto known = known_.find(text);
  uint16_t path = 0;
  if (known != known_.end()) {
    path = known->second;
  } else if (paths_.size() < kMaxPaths) {
    path = static_cast<uint16_t>(paths_.size());
    known_.emplace(text, path);
    paths_.push_back(std::move(text));
  }
  nodes_[node].path = path;
  return path;
}

int32_t TagPaths::node_of(OpenElements& open, int index) {
  int from = index;
  while (from >= 0 && open[from].path < 0) --from;
  int32_t node = from >= 0 ? open[from].path : 0;
  for (int i = from + 1; i <= index; ++i)
    node = open[i].path = child_of(node, open[i].name, open[i].css_class);
  return node;
}

int32_t TagPaths::child_of(int32_t parent, std::string_view name, std::string_view css_class) {
  if (const int32_t last = nodes_[parent].last_child; last >= 0) {
    if (nodes_[last].name == name && nodes_[last].css_class == css_class) return last;
  }
  uint64_t key = hash64(name, static_cast<uint64_t>(parent));
  if (!css_class.empty()) key = hash64(css_class, key);
  const auto [slot, is_new] = children_.try_emplace(key, static_cast<int32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({parent, name, css_class});
  nodes_[parent].last_child = slot->second;
  return slot->second;
}

std::string TagPaths::text_of(int32_t node) const {
  int32_t innermost[kMaxElements];
  size_t count = 0;
  for (; node > 0 && count < kMaxElements; node = nodes_[node].parent) innermost[count++] = node;
  std::string text;
  while (count-- > 0) {
    const Node& n = nodes_[innermost[count]];
    if (!text.empty()) text += '>';
    text += n.name.substr(0, kMaxClass);
    if (!n.css_class.empty()) (text += '.') += n.css_class;
  }
  return text;
}

}  // namespace dowser
