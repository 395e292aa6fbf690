#include "parse/page_builder.h"

#include "parse/main_content.h"

#include <algorithm>
#include <functional>

#include "base/shorten.h"

namespace dowser {
namespace {

constexpr size_t kMaxLanguage = 35;  // RFC 5646 §4.4.1

// HTML elements that end an SVG or MathML element around them that was not closed.
bool breaks_out_of_foreign(TagId id) {
  switch (id) {
    case TagId::kB:
    case TagId::kBig:
    case TagId::kBody:
    case TagId::kBr:
    case TagId::kCode:
    case TagId::kEm:
    case TagId::kEmbed:
    case TagId::kHead:
    case TagId::kI:
    case TagId::kImg:
    case TagId::kMeta:
    case TagId::kNobr:
    case TagId::kRuby:
    case TagId::kS:
    case TagId::kSmall:
    case TagId::kSpan:
    case TagId::kStrike:
    case TagId::kStrong:
    case TagId::kSub:
    case TagId::kSup:
    case TagId::kTt:
    case TagId::kU:
    case TagId::kVar:
      return true;
    default:
      return rule_of(id).has(kClosesP);
  }
}

}  // namespace

PageBuilder::PageBuilder(std::string_view utf8, const ParseOptions& options, Syntax syntax)
    : input_(utf8),
      options_(options),
      syntax_(syntax),
      text_(std::min(utf8.size(), options.max_text), options.max_text) {}

TextState PageBuilder::start_tag(const Tag& tag) {
  if (open_.top().foreign && breaks_out_of_foreign(tag.id)) {
    size_t height = open_.size();
    while (height > 0 && open_[height - 1].foreign) --height;
    close_down_to(height);
  }
  const bool foreign = open_.top().foreign;
  const ElementRule& rule = rule_of(tag.id);
  if (!foreign) {
    if (rule.has(kEndsOthers)) close_down_to(open_.height_before(tag.id));
    if (tag.id == TagId::kA) {
      const int other = open_.find(TagId::kA, kScope);
      if (other >= 0) {
        end_link();
        open_.erase(other);
      }
    }
  }
  if (rule.has(kBlock)) end_block();
  if (rule.has(kVoid | kRoot) && !foreign) {
    void_element(tag);
    return TextState::kData;
  }
  if (rule.has(kTablePart) && !open_.in_table()) return TextState::kData;
  open_element(tag, rule);
  const bool is_empty = tag.self_closing && (foreign || syntax_ == Syntax::kXhtml);
  if (is_empty) {
    end_tag(tag);
    return TextState::kData;
  }
  // The content of noframes is for programs that do not show frames, such as a crawler.
  if (foreign || tag.id == TagId::kNoframes) return TextState::kData;
  return state_after(tag.id);
}

void PageBuilder::open_element(const Tag& tag, const ElementRule& rule) {
  if (open_.full()) {
    if (!rule.has(kVoid)) ++too_deep_;
    return;
  }
  OpenElement element{.id = tag.id,
                      .name = tag.id != TagId::kUnknown ? name_of(tag.id) : kept(tag.name)};
  for (const Attribute& a : tag.attributes) {
    if (a.id == AttrId::kClass) {
      element.hint_names[0] = kept(a.value);
      element.css_class = kept(TagPaths::first_class(a.value));
    }
    if (a.id == AttrId::kId) element.hint_names[1] = kept(a.value);
    if (a.id == AttrId::kRole || a.id == AttrId::kItemprop) element.hint_names[2] = kept(a.value);
    if (a.id == AttrId::kHidden) element.hides = true;
  }
  if (rule.has(kList)) element.own_list = new_list();
  open_.push(element);
  if (rule.has(kEmphasis)) start_emphasis();
  switch (tag.id) {
    case TagId::kA:
      add_link(tag, LinkKind::kAnchor, AttrId::kHref);
      break;
    case TagId::kArea:
      add_link(tag, LinkKind::kArea, AttrId::kHref);
      break;
    case TagId::kFrame:
    case TagId::kIframe:
      add_link(tag, LinkKind::kFrame, AttrId::kSrc);
      break;
    case TagId::kTitle:
      in_title_ = !has_title_ && !open_.top().foreign;
      break;
    default:
      break;
  }
}

void PageBuilder::void_element(const Tag& tag) {
  switch (tag.id) {
    case TagId::kBr:
      text(" ");
      break;
    case TagId::kImg:
    case TagId::kImage:
      if (open_link_ >= 0 && !open_.top().hidden) {
        if (const Attribute* alt = tag.find(AttrId::kAlt)) add_words(alt->value);
      }
      break;
    case TagId::kArea:
    case TagId::kFrame: {  // opened briefly, so that its path ends with its own name
      const size_t height = open_.size();
      open_element(tag, rule_of(tag.id));
      close_down_to(height);
      break;
    }
    case TagId::kMeta:
      meta(tag);
      break;
    case TagId::kLink:
      head_link(tag);
      break;
    case TagId::kBase:
      if (const Attribute* href = tag.find(AttrId::kHref); href && base_href_.data() == nullptr)
        base_href_ = kept(href->value);
      break;
    case TagId::kHtml:
      for (const AttrId id : {AttrId::kLang, AttrId::kXmlLang}) {
        const Attribute* lang = tag.find(id);
        if (lang && page_.declared_language.empty())
          page_.declared_language = folded(cut_text(lang->value, kMaxLanguage));
      }
      break;
    default:
      break;
  }
}

void PageBuilder::end_tag(const Tag& tag) {
  const ElementRule& rule = rule_of(tag.id);
  if (too_deep_ > 0 && !rule.has(kVoid | kRoot)) {
    --too_deep_;
    return;
  }
  if (tag.id == TagId::kBr) return text(" ");
  if (rule.has(kBlock)) end_block();
  if (rule.has(kVoid | kRoot)) return;
  const OpenElements::Ending ending = open_.ending_of(tag);
  if (ending.index < 0) return;
  if (!ending.alone) return close_down_to(ending.index);
  leave(open_[ending.index], rule);
  open_.erase(ending.index);
}

void PageBuilder::close_down_to(size_t height) {
  while (open_.size() > height) {
    leave(open_.top(), rule_of(open_.top().id));
    open_.pop();
  }
}

void PageBuilder::leave(const OpenElement& element, const ElementRule& rule) {
  if (rule.has(kBlock)) end_block();
  if (rule.has(kEmphasis)) end_emphasis();
  if (element.id == TagId::kA) end_link();
  if (element.id == TagId::kTitle && in_title_) {
    in_title_ = false;
    has_title_ = true;
  }
}

// What introduces a list: the item that contains it; if lists are nested without one, or the item
// is empty (<dt>term<dd><ul>), the last block of the outer list; otherwise the nearest heading.
int PageBuilder::new_list() {
  const OpenElement& outer = open_.top();
  List list{.parent = outer.list, .heading = last_heading_};
  if (outer.list >= 0) {
    if (last_of_list_[outer.list] >= 0) list.heading = last_of_list_[outer.list];
    if (outer.item >= 0 && open_[outer.item].list == outer.list &&
        open_[outer.item].first_block >= 0)
      list.heading = open_[outer.item].first_block;
  }
  page_.lists.push_back(list);
  last_of_list_.push_back(-1);
  return static_cast<int>(page_.lists.size()) - 1;
}

std::string_view PageBuilder::kept(std::string_view text) {
  const std::less_equal<const char*> before;
  if (text.empty()) return {input_.data(), 0};
  if (before(input_.data(), text.data()) &&
      before(text.data() + text.size(), input_.data() + input_.size()))
    return text;
  return kept_.emplace_back(text);
}

void PageBuilder::end_document() {
  close_down_to(0);
  end_block();
  page_.text = text_.view();
  if (page_.text.ends_with('\n')) page_.text.pop_back();
  const auto size = static_cast<uint32_t>(page_.text.size());
  for (Link& link : page_.links) {
    link.anchor.begin = std::min(link.anchor.begin, size);
    link.anchor.end = std::min(link.anchor.end, size);
    link.nofollow |= page_.nofollow;
  }
  page_.tag_paths = paths_.take();
  page_.title = folded(title_);
  page_.title.resize(cut_text(page_.title, options_.max_title).size());
  mark_content(tree_, page_);
}

Page PageBuilder::finish(const Url& url) {
  end_document();
  resolve(url);
  return std::move(page_);
}

}  // namespace dowser
