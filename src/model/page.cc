#include "model/page.h"

namespace dowser {
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

}  // namespace dowser
