// The part of PageBuilder that writes text: blocks, emphasis and the anchors of links.

#include "parse/page_builder.h"
#include "parse/page_head.h"

namespace dowser {

void PageBuilder::text(std::string_view piece) {
  if (!open_.top().hidden) {
    append(piece);
  } else if (in_title_ && title_.size() < kTitleRead * options_.max_title) {
    title_ += piece.substr(0, kTitleRead * options_.max_title - title_.size());
  }
}

void PageBuilder::append(std::string_view words) {
  if (!in_block_) {
    if (TextBuffer::is_blank(words)) return;
    start_block();
  }
  text_.append(words);
}

void PageBuilder::start_block() {
  const OpenElement& here = open_.top();
  block_ = {.kind = here.kind,
            .level = here.level,
            .list = here.list,
            .tag_path = paths_.path_of(open_, here.block),
            .text = {text_.size(), 0}};
  in_block_ = true;
  block_node_ = open_nodes();
}

// The node of the innermost element that is open. Elements get theirs when the first text comes.
int32_t PageBuilder::open_nodes() {
  if (tree_.nodes.empty()) tree_.nodes.emplace_back();
  size_t from = open_.size();
  while (from > 0 && (open_[from - 1].node < 0 || !rule_of(open_[from - 1].id).has(kBlock))) --from;
  int32_t node = from > 0 ? open_[from - 1].node : 0;
  for (; from < open_.size(); ++from) {
    OpenElement& e = open_[from];
    if (!rule_of(e.id).has(kBlock)) continue;
    uint8_t hints = 0;
    for (const std::string_view names : e.hint_names) hints |= name_hints(names);
    const auto begin = static_cast<uint32_t>(page_.blocks.size());
    tree_.nodes.push_back({node, e.id, hints, begin, begin});
    node = e.node = static_cast<int32_t>(tree_.nodes.size() - 1);
  }
  return node;
}

void PageBuilder::end_block() {
  if (!in_block_) return;
  in_block_ = false;
  text_.trim();
  block_.text.end = text_.size();
  if (block_.text.empty()) return;  // the limit of text was reached
  const int index = static_cast<int>(page_.blocks.size());
  page_.blocks.push_back(block_);
  tree_.node_of_block.push_back(block_node_);
  if (block_.kind == BlockKind::kHeading) last_heading_ = index;
  if (block_.list >= 0) last_of_list_[block_.list] = index;
  if (const int item = open_.top().item; item >= 0 && open_[item].first_block < 0)
    open_[item].first_block = index;
  if (emphasis_ > 0) {
    const Span span = trimmed(emphasis_begin_, text_.size());
    if (!span.empty()) page_.emphasised.push_back(span);
  }
  text_.end_line();
  emphasis_begin_ = text_.size();
}

void PageBuilder::start_emphasis() {
  if (emphasis_++ == 0) emphasis_begin_ = text_.size();
}

void PageBuilder::end_emphasis() {
  if (--emphasis_ > 0) return;
  const Span span = trimmed(emphasis_begin_, text_.size());
  if (!span.empty()) page_.emphasised.push_back(span);
}

// Without the white space at its ends. A space at the beginning of an element may have been removed
// when the element ends, so `begin` may be greater than `end`.
Span PageBuilder::trimmed(uint32_t begin, uint32_t end) const {
  const std::string_view text = text_.view();
  const auto is_space = [text](uint32_t at) { return text[at] == ' ' || text[at] == '\n'; };
  if (begin > end) begin = end;
  while (begin < end && is_space(begin)) ++begin;
  while (begin < end && is_space(end - 1)) --end;
  return {begin, end};
}

void PageBuilder::add_link(const Tag& tag, LinkKind kind, AttrId address) {
  if (open_.top().inert || page_.links.size() >= options_.max_links) return;
  Link link{.kind = kind, .position = static_cast<uint32_t>(page_.links.size())};
  const Attribute* href = nullptr;
  std::string_view title, alt;
  for (const Attribute& a : tag.attributes) {
    if (a.id == address) href = &a;
    if (a.id == AttrId::kTitle) title = a.value;
    if (a.id == AttrId::kAlt) alt = a.value;
    if (a.id == AttrId::kRel) {
      link.nofollow = has_word(a.value, "nofollow");
      link.next = has_word(a.value, "next");
    }
  }
  if (!href) return;
  link.tag_path = paths_.path_of(open_, static_cast<int>(open_.size()) - 1);
  hrefs_.push_back(kept(href->value));
  const uint32_t begin = text_.size();
  if (kind == LinkKind::kAnchor) {
    open_link_ = static_cast<int>(page_.links.size());
    link_begin_ = begin;
    link_title_ = kept(title);
  } else {  // without content, its words are in its attributes
    if (!open_.outer().hidden) add_words(TextBuffer::is_blank(alt) ? title : alt);
    link.anchor = trimmed(begin, text_.size());
  }
  page_.links.push_back(link);
}

void PageBuilder::end_link() {
  if (open_link_ < 0) return;
  Span anchor = trimmed(link_begin_, text_.size());
  if (anchor.empty()) {
    if (!open_.top().hidden) add_words(link_title_);
    anchor = trimmed(link_begin_, text_.size());
  }
  page_.links[open_link_].anchor = anchor;
  open_link_ = -1;
}

void PageBuilder::add_words(std::string_view words) {
  if (TextBuffer::is_blank(words)) return;
  append(" ");
  append(words);
  append(" ");
}

}  // namespace dowser
