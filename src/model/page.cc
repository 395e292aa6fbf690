#include "model/page.h"

#include <algorithm>

namespace dowser {

std::string_view name_of(BlockRole role) {
  static constexpr std::string_view kNames[kBlockRoles] = {
      "content", "links", "beside",   "menu",     "header",
      "footer",  "aside", "comments", "template", "drawing"};
  return kNames[static_cast<size_t>(role)];
}
namespace {

bool is_space(char c) { return c == ' ' || c == '\n'; }

}  // namespace

Page::Context Page::context(const Link& link, int n) const {
  size_t begin = link.anchor.begin;
  for (int words = 0; begin > 0 && words < n; ++words) {
    while (begin > 0 && is_space(text[begin - 1])) --begin;
    while (begin > 0 && !is_space(text[begin - 1])) --begin;
  }
  size_t end = link.anchor.end;
  for (int words = 0; end < text.size() && words < n; ++words) {
    while (end < text.size() && is_space(text[end])) ++end;
    while (end < text.size() && !is_space(text[end])) ++end;
  }
  const std::string_view all = text;
  return {all.substr(begin, link.anchor.begin - begin),
          all.substr(link.anchor.end, end - link.anchor.end)};
}

std::span<const PlacedTerm> Page::terms_in(Span span) const {
  const auto before = [](const PlacedTerm& term, uint32_t place) { return term.place < place; };
  const auto begin = std::lower_bound(placed_terms.begin(), placed_terms.end(), span.begin, before);
  auto end = begin;  // near: most spans are those of links
  while (end != placed_terms.end() && end->place < span.end) ++end;
  return {begin, end};
}

}  // namespace dowser
