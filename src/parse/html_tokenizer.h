#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "parse/byte_scan.h"
#include "parse/character_reference.h"
#include "parse/html_token.h"
#include "parse/raw_text.h"

// The tokenizer of the WHATWG HTML standard (https://html.spec.whatwg.org/#tokenization) in one
// pass over UTF-8 text in memory.
//
// The standard defines eighty states that read one character each, because the input of a browser
// arrives in pieces. With the whole text in memory, most states become "find the byte that ends
// this": a run of text ends at '<' or '&', a quoted value at its quote, a script at an end tag
// found under the rules of its escapes. So text is scanned sixteen bytes at a time and passed on as
// views of the input; only what changes (character references, upper case in unknown names, NUL) is
// copied. Names are looked up while they are read.
//
// clang-format off
//   struct Sink {
//     void text(std::string_view);          // in pieces: consecutive calls belong together
//     TextState start_tag(const Tag&);      // returns how to read on, usually state_after(tag.id)
//     void end_tag(const Tag&);
//     void comment(std::string_view);       // optional, as are the next two: what a sink does not
//     void doctype(const Doctype&);         //   have is skipped and not built
//     bool cdata_allowed();                 // whether inside SVG or MathML, where <![CDATA[ counts
//     static constexpr bool kOldComments;   // true: a comment that is never closed ends at its first
//   };                                      //   '>' (as in browsers of the 1990s), not with the page
// clang-format on
//
// Differences from the standard: parse errors are not reported, since a crawler has no use for
// them; carriage returns must be removed before (normalize_newlines); and a tag keeps its first 256
// attributes, because checking for duplicate names would otherwise take quadratic time on a
// malicious page. NUL in text is passed on, as in the standard; the sink drops it.
//
// It is tested with the whole html5lib suite.

namespace dowser {

template <class Sink>
class HtmlTokenizer {
 public:
  static constexpr size_t kMaxAttributes = 256;

  HtmlTokenizer(std::string_view input, Sink& sink)
      : p_(input.data()), end_(input.data() + input.size()), sink_(sink) {}

  // `last_start_tag` is what an end tag must match if the text does not start as markup.
  void run(TextState state = TextState::kData, std::string_view last_start_tag = {}) {
    state_ = state;
    last_start_tag_ = last_start_tag;
    while (p_ != end_) {
      switch (state_) {
        case TextState::kData:
          data();
          break;
        case TextState::kRcdata:
        case TextState::kRawtext:
        case TextState::kScript:
          raw_text();
          break;
        case TextState::kPlaintext:
          emit_raw(end_, false);
          break;
        case TextState::kCdata:
          cdata();
          break;
      }
    }
  }

 private:
  // What a byte of a name is read as; 0 ends the name. NUL is read as 1: it does not end a name,
  // and no known name contains it.
  using NameBytes = std::array<uint8_t, 256>;
  static constexpr NameBytes make_name_bytes(std::string_view stops) {
    NameBytes bytes{};
    for (int c = 0; c < 256; ++c) bytes[c] = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    bytes[0] = 1;
    for (const char c : stops) bytes[static_cast<uint8_t>(c)] = 0;
    return bytes;
  }
  static constexpr NameBytes kTagBytes = make_name_bytes(" \t\n\f\r/>");
  static constexpr NameBytes kAttrBytes = make_name_bytes(" \t\n\f\r/>=");

  static bool is_alpha(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
  static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
  }
  static std::string_view view(const char* from, const char* to) {
    return {from, static_cast<size_t>(to - from)};
  }
  size_t left(const char* p) const { return end_ - p; }
  bool starts_with(const char* p, std::string_view word) const {
    return left(p) >= word.size() && std::memcmp(p, word.data(), word.size()) == 0;
  }
  // `word` is in lower case and has letters only.
  bool starts_with_letters(const char* p, std::string_view word) const {
    if (left(p) < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
      if ((p[i] | 0x20) != word[i]) return false;
    }
    return true;
  }
  void skip_spaces() {
    while (p_ != end_ && is_space(*p_)) ++p_;
  }
  void emit(const char* from, const char* to) {
    if (from != to) sink_.text(view(from, to));
  }

  // --- text ---

  void data() {
    const char* run = p_;
    for (;;) {
      p_ = find_any<'<', '&'>(p_, end_);
      if (p_ == end_) return emit(run, p_);
      if (*p_ == '&') {
        const CharacterReference reference = read_character_reference(view(p_, end_), false);
        if (reference.consumed == 0) {
          ++p_;
          continue;
        }
        emit(run, p_);
        sink_.text(reference.text());
        p_ += reference.consumed;
      } else {
        if (!at_markup()) {
          ++p_;
          continue;
        }
        emit(run, p_);
        markup();
        if (state_ != TextState::kData) return;
      }
      run = p_;
    }
  }

  // Text without tags, up to the end tag of its element.
  void raw_text() {
    const size_t size = state_ == TextState::kScript
                            ? find_script_end(view(p_, end_), last_start_tag_)
                            : find_end_tag(view(p_, end_), last_start_tag_);
    emit_raw(p_ + size, state_ == TextState::kRcdata);
    if (p_ == end_) return;
    state_ = TextState::kData;
    p_ += 2;
    end_tag();
  }

  void cdata() {
    const char* stop = p_;
    while ((stop = find_any<']'>(stop, end_)) != end_ && !starts_with(stop, "]]>")) ++stop;
    emit(p_, stop);
    p_ = stop == end_ ? end_ : stop + 3;
    state_ = TextState::kData;
  }

  // Emits up to `stop`, NUL as U+FFFD.
  void emit_raw(const char* stop, bool references) {
    while (p_ != stop) {
      const char* hit = references ? find_any<'\0', '&'>(p_, stop) : find_any<'\0'>(p_, stop);
      emit(p_, hit);
      p_ = hit;
      if (p_ == stop) return;
      if (*p_ == '\0') {
        sink_.text("\xEF\xBF\xBD");
        ++p_;
        continue;
      }
      const CharacterReference reference = read_character_reference(view(p_, stop), false);
      sink_.text(reference.consumed ? reference.text() : "&");
      p_ += reference.consumed ? reference.consumed : 1;
    }
  }

  // --- markup ---

  bool at_markup() const {
    if (left(p_) < 2) return false;
    const char c = p_[1];
    return is_alpha(c) || c == '!' || c == '?' || (c == '/' && left(p_) > 2);
  }

  void markup() {
    const char c = p_[1];
    if (is_alpha(c)) {
      p_ += 1;
      start_tag();
    } else if (c == '/') {
      p_ += 2;
      if (is_alpha(*p_)) {
        end_tag();
      } else if (*p_ == '>') {
        ++p_;
      } else {
        bogus_comment(p_);
      }
    } else if (c == '?') {
      bogus_comment(p_ + 1);
    } else {
      declaration();
    }
  }

  void declaration() {
    p_ += 2;
    if (starts_with(p_, "--")) {
      p_ += 2;
      comment();
    } else if (starts_with_letters(p_, "doctype")) {
      p_ += 7;
      const char* stop = find_any<'>'>(p_, end_);
      if constexpr (requires { sink_.doctype(Doctype{}); }) {
        arena_.reset();
        sink_.doctype(read_doctype(view(p_, stop), stop == end_, arena_));
      }
      p_ = stop == end_ ? end_ : stop + 1;
    } else if (starts_with(p_, "[CDATA[") && cdata_allowed()) {
      p_ += 7;
      state_ = TextState::kCdata;
    } else {
      bogus_comment(p_);
    }
  }

  bool cdata_allowed() {
    if constexpr (requires { sink_.cdata_allowed(); }) return sink_.cdata_allowed();
    return false;
  }

  void bogus_comment(const char* from) {
    const char* stop = find_any<'>'>(from, end_);
    emit_comment(from, stop);
    p_ = stop == end_ ? end_ : stop + 1;
  }

  void comment() {
    if constexpr (requires { requires Sink::kOldComments; }) {
      if (comments_unclosed_) return bogus_comment(p_);
    }
    const CommentEnd found = find_comment_end(view(p_, end_));
    if constexpr (requires { requires Sink::kOldComments; }) {
      comments_unclosed_ = !found.closed;  // then all later comments are unclosed too
      if (!found.closed) return bogus_comment(p_);
    }
    emit_comment(p_, p_ + found.size);
    p_ += found.consumed;
  }

  void emit_comment([[maybe_unused]] const char* from, [[maybe_unused]] const char* to) {
    if constexpr (requires { sink_.comment(std::string_view()); }) {
      arena_.reset();
      const bool clean = find_any<'\0'>(from, to) == to;
      sink_.comment(clean ? view(from, to) : cleaned(view(from, to), false, arena_));
    }
  }

  // --- tags; a tag that is cut off by the end of the input is dropped, as in the standard ---

  void start_tag() {
    Tag tag = read_tag_name();
    if (!read_attributes<true>(tag)) return;
    state_ = sink_.start_tag(tag);
    if (state_ != TextState::kData) last_start_tag_ = tag.name;
  }

  void end_tag() {
    Tag tag = read_tag_name();
    if (read_attributes<false>(tag)) sink_.end_tag(tag);
  }

  struct Name {
    NameKey key = 0;
    bool changed = false;  // has upper case or NUL
    std::string_view raw;
  };

  // Up to a byte that `bytes` maps to 0. The first byte always belongs to the name.
  Name read_name(const NameBytes& bytes) {
    Name name;
    const char* from = p_;
    uint8_t c = static_cast<uint8_t>(*p_);
    uint8_t read_as = bytes[c] ? bytes[c] : c;
    do {
      name.key = name.key << 8 | read_as;
      name.changed |= read_as != c;
      if (++p_ == end_) break;
      c = static_cast<uint8_t>(*p_);
      read_as = bytes[c];
    } while (read_as);
    name.raw = view(from, p_);
    return name;
  }

  Tag read_tag_name() {
    arena_.reset();
    const Name name = read_name(kTagBytes);
    Tag tag{.id = tag_id(name.key, name.raw), .name = name.raw};
    if (name.changed)
      tag.name = tag.id != TagId::kUnknown ? name_of(tag.id) : cleaned(name.raw, true, arena_);
    return tag;
  }

  // Returns false at the end of the input.
  template <bool kKeep>
  bool read_attributes(Tag& tag) {
    attributes_.clear();
    for (;;) {
      skip_spaces();
      if (p_ == end_) return false;
      if (*p_ == '>') {
        ++p_;
        tag.attributes = attributes_;
        return true;
      }
      if (*p_ == '/') {
        ++p_;
        tag.self_closing = p_ != end_ && *p_ == '>';
        continue;
      }
      const Name name = read_name(kAttrBytes);
      skip_spaces();
      std::string_view value;
      if (p_ != end_ && *p_ == '=') {
        ++p_;
        skip_spaces();
        if (!read_value<kKeep>(value)) return false;
      }
      if constexpr (kKeep) add_attribute(name, value);
    }
  }

  template <bool kKeep>
  bool read_value(std::string_view& value) {
    if (p_ == end_) return false;
    const char quote = *p_;
    const bool quoted = quote == '"' || quote == '\'';
    const char* from = quoted ? p_ + 1 : p_;
    const char* stop = from;
    if (quote == '"') {
      stop = find_any<'"'>(from, end_);
    } else if (quoted) {
      stop = find_any<'\''>(from, end_);
    } else {
      while (stop != end_ && *stop != '>' && !is_space(*stop)) ++stop;
    }
    p_ = stop;
    if (stop == end_) return false;
    if (quoted) ++p_;
    if constexpr (kKeep) {
      value = view(from, stop);
      if (find_any<'&', '\0'>(from, stop) != stop) value = attribute_value(value, arena_);
    }
    return true;
  }

  void add_attribute(const Name& name, std::string_view value) {
    Attribute attribute{attr_id(name.key, name.raw), name.raw, value};
    if (name.changed) {
      attribute.name = attribute.id != AttrId::kUnknown ? name_of(attribute.id)
                                                        : cleaned(name.raw, true, arena_);
    }
    if (attributes_.size() == kMaxAttributes) return;
    for (const Attribute& other : attributes_) {
      if (other.name == attribute.name) return;
    }
    attributes_.push_back(attribute);
  }

  const char* p_;
  const char* const end_;
  Sink& sink_;
  TextState state_ = TextState::kData;
  std::string last_start_tag_;
  bool comments_unclosed_ = false;
  std::vector<Attribute> attributes_;
  TokenArena arena_;
};

template <class Sink>
void tokenize_html(std::string_view input, Sink& sink) {
  HtmlTokenizer<Sink>(input, sink).run();
}

}  // namespace dowser
