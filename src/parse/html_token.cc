#include "parse/html_token.h"

#include <algorithm>
#include <cstring>

#include "parse/byte_scan.h"
#include "parse/character_reference.h"

namespace dowser {
namespace {

constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Reads the parts of a doctype one after the other; `text` is the rest.
struct DoctypeReader {
  std::string_view text;
  TokenArena& arena;

  void skip_spaces() {
    while (!text.empty() && is_space(text[0])) text.remove_prefix(1);
  }

  bool take_keyword(std::string_view keyword) {
    if (text.size() < keyword.size()) return false;
    for (size_t i = 0; i < keyword.size(); ++i) {
      if (lower_of(text[i]) != keyword[i]) return false;
    }
    text.remove_prefix(keyword.size());
    return true;
  }

  bool at_quote() const { return !text.empty() && (text[0] == '"' || text[0] == '\''); }

  // Returns false if the closing quote is missing; the identifier is kept nevertheless.
  bool take_quoted(std::optional<std::string_view>& id) {
    const size_t close = text.find(text[0], 1);
    id = cleaned(text.substr(1, close == text.npos ? close : close - 1), false, arena);
    text.remove_prefix(close == text.npos ? text.size() : close + 1);
    return close != text.npos;
  }
};

// Reads the identifiers after the name. Returns false if they force quirks mode.
bool read_identifiers(DoctypeReader& in, bool at_end_of_input, Doctype& doctype) {
  in.skip_spaces();
  if (in.text.empty()) return !at_end_of_input;
  const bool is_public = in.take_keyword("public");
  if (!is_public && !in.take_keyword("system")) return false;
  in.skip_spaces();
  if (!in.at_quote()) return false;
  if (is_public) {
    if (!in.take_quoted(doctype.public_id)) return false;
    in.skip_spaces();
    if (in.text.empty()) return !at_end_of_input;
    if (!in.at_quote()) return false;
  }
  if (!in.take_quoted(doctype.system_id)) return false;
  in.skip_spaces();
  return !in.text.empty() || !at_end_of_input;  // the rest is ignored
}

}  // namespace

TextState state_after(TagId id) {
  switch (id) {
    case TagId::kTitle:
    case TagId::kTextarea:
      return TextState::kRcdata;
    case TagId::kStyle:
    case TagId::kXmp:
    case TagId::kIframe:
    case TagId::kNoembed:
    case TagId::kNoframes:
      return TextState::kRawtext;
    case TagId::kScript:
      return TextState::kScript;
    case TagId::kPlaintext:
      return TextState::kPlaintext;
    default:
      return TextState::kData;
  }
}

void TokenArena::grow(size_t size) {
  capacity_ = std::max<size_t>({4096, size, capacity_ * 2});
  blocks_.push_back(std::make_unique_for_overwrite<char[]>(capacity_));
  used_ = 0;
}

void TokenArena::clear() {
  blocks_.erase(blocks_.begin(), blocks_.end() - 1);  // the last block is the largest
  used_ = 0;
}

std::string_view cleaned(std::string_view raw, bool lower, TokenArena& arena) {
  char* const out = arena.room(raw.size() * kReplacementBytes.size());
  char* to = out;
  for (const char c : raw) {
    if (c == '\0') {
      to = std::copy(kReplacementBytes.begin(), kReplacementBytes.end(), to);
    } else {
      *to++ = lower ? lower_of(c) : c;
    }
  }
  arena.keep(to - out);
  return {out, static_cast<size_t>(to - out)};
}

std::string_view attribute_value(std::string_view raw, TokenArena& arena) {
  // A reference is at most twice as long as its text; NUL becomes three bytes.
  char* const out = arena.room(raw.size() * 3);
  char* to = out;
  const char* const end = raw.data() + raw.size();
  for (const char* p = raw.data(); p != end;) {
    const char* stop = find_any<'&', '\0'>(p, end);
    to = std::copy(p, stop, to);
    p = stop;
    if (p == end) break;
    if (*p == '\0') {
      to = std::copy(kReplacementBytes.begin(), kReplacementBytes.end(), to);
      ++p;
      continue;
    }
    const CharacterReference reference =
        read_character_reference({p, static_cast<size_t>(end - p)}, true);
    if (reference.consumed == 0) {
      *to++ = *p++;
    } else {
      to = std::copy_n(reference.bytes, reference.size, to);
      p += reference.consumed;
    }
  }
  arena.keep(to - out);
  return {out, static_cast<size_t>(to - out)};
}

std::string_view normalize_newlines(std::string_view input, std::string& buffer) {
  const char* const end = input.data() + input.size();
  const char* p = find_any<'\r'>(input.data(), end);
  if (p == end) return input;
  buffer.resize(input.size());
  char* to = buffer.data();
  for (const char* from = input.data(); from != end; p = find_any<'\r'>(from, end)) {
    to = std::copy(from, p, to);
    if (p == end) break;
    *to++ = '\n';
    from = p + 1 != end && p[1] == '\n' ? p + 2 : p + 1;
  }
  return {buffer.data(), static_cast<size_t>(to - buffer.data())};
}

Doctype read_doctype(std::string_view body, bool at_end_of_input, TokenArena& arena) {
  Doctype doctype;
  DoctypeReader in{body, arena};
  in.skip_spaces();
  const auto* name_end = std::find_if(in.text.begin(), in.text.end(), is_space);
  const size_t size = name_end - in.text.begin();
  if (size == 0) {
    doctype.force_quirks = true;
    return doctype;
  }
  doctype.name = cleaned(in.text.substr(0, size), true, arena);
  in.text.remove_prefix(size);
  doctype.force_quirks = !read_identifiers(in, at_end_of_input, doctype);
  return doctype;
}

}  // namespace dowser
