#include "parse/raw_text.h"

#include "parse/byte_scan.h"

namespace dowser {
namespace {

bool ends_name(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == '/' || c == '>';
}

char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Whether `word`, in any case, followed by the end of a name, is at this position.
bool has_name(std::string_view text, std::string_view word) {
  if (text.size() <= word.size() || !ends_name(text[word.size()])) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (lower_of(text[i]) != word[i]) return false;
  }
  return true;
}

// `text` starts with '<'.
bool is_end_tag(std::string_view text, std::string_view name) {
  return !name.empty() && text.size() > 2 && text[1] == '/' && has_name(text.substr(2), name);
}

template <char... kStops>
size_t find_from(std::string_view text, size_t at) {
  return find_any<kStops...>(text.data() + at, text.data() + text.size()) - text.data();
}

}  // namespace

size_t find_end_tag(std::string_view text, std::string_view name) {
  size_t at = find_from<'<'>(text, 0);
  while (at != text.size() && !is_end_tag(text.substr(at), name)) at = find_from<'<'>(text, at + 1);
  return at;
}

size_t find_script_end(std::string_view text, std::string_view name) {
  enum { kPlain, kEscaped, kDoubleEscaped } mode = kPlain;
  for (size_t at = 0;; ++at) {
    at = mode == kPlain ? find_from<'<'>(text, at) : find_from<'<', '-'>(text, at);
    if (at == text.size()) return at;
    const std::string_view rest = text.substr(at);
    if (rest[0] == '-') {
      if (rest.starts_with("-->")) mode = kPlain;
    } else if (mode == kDoubleEscaped) {
      if (is_end_tag(rest, "script")) mode = kEscaped;
    } else if (is_end_tag(rest, name)) {
      return at;
    } else if (mode == kEscaped) {
      if (has_name(rest.substr(1), "script")) mode = kDoubleEscaped;
    } else if (rest.starts_with("<!--")) {
      mode = kEscaped;
      ++at;  // skips "<!" only: the dashes are read again, since "<!-->" is a whole comment
    }
  }
}

CommentEnd find_comment_end(std::string_view text) {
  if (text.starts_with(">")) return {0, 1, true};
  if (text.starts_with("->")) return {0, 2, true};
  for (size_t at = 0; (at = find_from<'-'>(text, at)) != text.size(); ++at) {
    const std::string_view rest = text.substr(at, 4);
    if (rest.starts_with("-->")) return {at, at + 3, true};
    if (rest == "--!>") return {at, at + 4, true};
  }
  // An incomplete "-->" at the end of the input is not part of the comment.
  const size_t half = text.ends_with("--!") ? 3 : text.ends_with("--") ? 2 : text.ends_with("-");
  return {text.size() - half, text.size(), false};
}

}  // namespace dowser
