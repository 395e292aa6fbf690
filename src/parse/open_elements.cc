#include "parse/open_elements.h"

#include <algorithm>
#include <initializer_list>

namespace dowser {
namespace {

bool is_one_of(TagId id, std::initializer_list<TagId> ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool is_foreign_root(TagId id) { return id == TagId::kSvg || id == TagId::kMath; }

}  // namespace

void OpenElements::push(const OpenElement& element) {
  stack_.push_back(element);
  derive(stack_.size() - 1);
}

void OpenElements::erase(size_t i) {
  stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(i));
  for (; i < stack_.size(); ++i) derive(i);
}

void OpenElements::derive(size_t i) {
  OpenElement& e = stack_[i];
  const OpenElement& parent = i > 0 ? stack_[i - 1] : page_;
  const ElementRule& rule = rule_of(e.id);
  const auto own = static_cast<int16_t>(i);
  e.kind = rule.has_kind ? rule.kind : parent.kind;
  e.level = rule.has_kind ? rule.level : parent.level;
  e.hidden = parent.hidden || e.hides || rule.has(kInvisible);
  e.inert = parent.inert || e.id == TagId::kTemplate;
  e.foreign = is_foreign_root(e.id) || (parent.foreign && e.id != TagId::kForeignobject);
  e.block = rule.has(kBlock) ? own : parent.block;
  e.item = rule.has(kItem) ? own : parent.item;
  e.list = e.own_list >= 0 ? e.own_list : parent.list;
  e.path = -1;
}

int OpenElements::find(TagId id, int barrier) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].id == id) return static_cast<int>(i);
    if (rule_of(stack_[i].id).has(barrier)) return -1;
  }
  return -1;
}

int OpenElements::find_any_of(std::initializer_list<TagId> ids) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (is_one_of(stack_[i].id, ids)) return static_cast<int>(i);
  }
  return -1;
}

bool OpenElements::in_table() const { return find(TagId::kTable, 0) >= 0; }

// The li (or dt, dd) that a new one ends. Only address, div, p and inline elements may be between
// them.
int OpenElements::find_item_to_end(TagId id) const {
  using enum TagId;
  for (size_t i = stack_.size(); i-- > 0;) {
    const TagId at = stack_[i].id;
    if (at == id || (id != kLi && (at == kDt || at == kDd))) return static_cast<int>(i);
    if (rule_of(at).has(kBlock | kScope) && !is_one_of(at, {kAddress, kDiv, kP})) return -1;
  }
  return -1;
}

// A part of a table ends everything inside the table down to its own parent.
size_t OpenElements::table_height_before(TagId id) const {
  using enum TagId;
  int keep = -1;
  if (is_one_of(id, {kTd, kTh})) {
    keep = find_any_of({kTr, kTbody, kThead, kTfoot, kTable, kTemplate});
  } else if (id == kTr) {
    keep = find_any_of({kTbody, kThead, kTfoot, kTable, kTemplate});
  } else if (id == kCol) {
    keep = find_any_of({kColgroup, kTable, kTemplate});
  } else {
    keep = find_any_of({kTable, kTemplate});
  }
  return keep < 0 ? stack_.size() : static_cast<size_t>(keep) + 1;
}

size_t OpenElements::height_before(TagId id) const {
  using enum TagId;
  const ElementRule& rule = rule_of(id);
  if (rule.has(kTablePart)) return table_height_before(id);
  int height = -1;
  if (rule.has(kItem)) height = find_item_to_end(id);
  if (id == kButton) height = find(kButton, kScope);
  if (id == kTable) {
    height = find_any_of({kTable, kTd, kTh, kCaption, kTemplate});
    if (height >= 0 && stack_[height].id != kTable) height = -1;
  }
  if (height < 0 && rule.has(kClosesP)) {
    height = find(kP, kScope);
    if (height >= 0 && find(kButton, kScope) > height) height = -1;
  }
  if (height >= 0) return static_cast<size_t>(height);

  size_t open = stack_.size();
  const auto last_is = [&](std::initializer_list<TagId> ids) {
    return open > 0 && is_one_of(stack_[open - 1].id, ids);
  };
  if (rule.has(kHeading) && open > 0 && rule_of(stack_[open - 1].id).has(kHeading)) --open;
  if (is_one_of(id, {kOption, kOptgroup}) && last_is({kOption})) --open;
  if (id == kOptgroup && last_is({kOptgroup})) --open;
  if (is_one_of(id, {kRb, kRt, kRtc, kRp}) && last_is({kRb, kRt, kRp})) --open;
  return open;
}

OpenElements::Ending OpenElements::ending_of(const Tag& tag) const {
  using enum TagId;
  const ElementRule& rule = rule_of(tag.id);
  if (tag.id == kUnknown || top().foreign) {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].name == tag.name) return {static_cast<int>(i)};
      if (!stack_[i].foreign && rule_of(stack_[i].id).has(kBlock | kScope)) break;
    }
    if (tag.id == kUnknown) return {};
  }
  if (rule.has(kFormatting)) return {find(tag.id, kScope), true};
  if (rule.has(kHeading)) {
    for (size_t i = stack_.size(); i-- > 0;) {
      const ElementRule& at = rule_of(stack_[i].id);
      if (at.has(kHeading)) return {static_cast<int>(i)};
      if (at.has(kScope)) return {};
    }
    return {};
  }
  if (tag.id == kTable || tag.id == kTemplate) return {find(tag.id, 0)};
  if (rule.has(kTablePart)) {
    const int found = find_any_of({tag.id, kTable, kTemplate});
    return {found >= 0 && stack_[found].id == tag.id ? found : -1};
  }
  if (tag.id == kLi) return {find(kLi, kScope | kList)};
  if (rule.has(kBlock | kScope)) return {find(tag.id, kScope)};
  return {find(tag.id, kScope | kBlock)};
}

}  // namespace dowser
