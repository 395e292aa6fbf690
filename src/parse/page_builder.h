#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/page.h"
#include "parse/block_tree.h"
#include "parse/html_tokenizer.h"
#include "parse/open_elements.h"
#include "parse/parse_page.h"
#include "parse/tag_paths.h"
#include "parse/text_buffer.h"

namespace dowser {

// The sink of the tokenizer that makes a Page. Text goes into one buffer with a line for each
// block; a link, a block or an emphasis is stored as the position where it begins and, when its
// element ends, the position where it ends. Addresses are kept as written until the end of the
// page, since a <base> applies to all of them.
//
//   PageBuilder builder(utf8, options);
//   tokenize_html(utf8, builder);
//   Page page = builder.finish(url);
class PageBuilder {
 public:
  enum class Syntax { kHtml, kXhtml };  // in XHTML <a/> is an empty element

  // `utf8` must outlive the builder.
  PageBuilder(std::string_view utf8, const ParseOptions& options, Syntax syntax = Syntax::kHtml);

  // Called by the tokenizer.
  static constexpr bool kOldComments = true;
  void text(std::string_view piece);
  TextState start_tag(const Tag& tag);
  void end_tag(const Tag& tag);
  bool cdata_allowed() const { return open_.top().foreign; }

  // Closes everything open. The page's links have no addresses yet; hrefs() has them as written.
  void end_document();
  const std::vector<std::string_view>& hrefs() const { return hrefs_; }

  // Ends the document, resolves the addresses and returns the page.
  Page finish(const Url& url);

 private:
  // Elements: page_builder.cc.
  void void_element(const Tag& tag);
  void open_element(const Tag& tag, const ElementRule& rule);
  void close_down_to(size_t height);
  void leave(const OpenElement& element, const ElementRule& rule);
  int new_list();

  // Text and links: page_text.cc.
  void append(std::string_view words);
  void start_block();
  void end_block();
  int32_t open_nodes();
  void start_emphasis();
  void end_emphasis();
  Span trimmed(uint32_t begin, uint32_t end) const;
  void add_link(const Tag& tag, LinkKind kind, AttrId address);
  void end_link();
  void add_words(std::string_view words);

  // The head: page_meta.cc.
  void meta(const Tag& tag);
  void add_citation(std::string_view name, std::string_view content);
  void head_link(const Tag& tag);
  void resolve(const Url& url);

  // A copy of `text` that lives as long as the builder.
  std::string_view kept(std::string_view text);

  const std::string_view input_;
  const ParseOptions options_;
  const Syntax syntax_;

  Page page_;
  OpenElements open_;
  size_t too_deep_ = 0;  // number of elements that were not opened
  TagPaths paths_;
  TextBuffer text_;

  Block block_;  // the current one
  bool in_block_ = false;
  BlockTree tree_;
  int32_t block_node_ = 0;  // of block_
  int last_heading_ = -1;
  std::vector<int> last_of_list_;  // the last block of each list

  int emphasis_ = 0;  // number of open elements that emphasise
  uint32_t emphasis_begin_ = 0;

  int open_link_ = -1;  // the current <a>: index into page_.links
  uint32_t link_begin_ = 0;
  std::string_view link_title_;

  // White space is folded at the end, so more of a title is read than is kept.
  static constexpr size_t kTitleRead = 8;
  bool in_title_ = false;
  bool has_title_ = false;
  std::string title_;

  std::vector<std::string_view> hrefs_;  // of page_.links
  std::string_view base_href_;
  std::string_view canonical_href_;
  std::vector<std::string_view> alternate_hrefs_;
  std::deque<std::string> kept_;
};

}  // namespace dowser
