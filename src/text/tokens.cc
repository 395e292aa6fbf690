// There are two scanners. Words of ASCII letters, which is almost all of an English text, are found
// with a table of 256 bytes and converted to lower case eight bytes at a time. A word that contains
// anything else (another script, an apostrophe, a soft hyphen) is read again from its beginning by
// the second scanner, which works on code points and asks ICU for the class of each. This agrees
// with the word boundaries of Unicode (UAX 29) for languages that separate words by spaces, without
// ICU's iterator, which is ten times slower. Only runs of scripts without spaces are given to the
// iterator, which has dictionaries for them.
//
// Differences from UAX 29: "_" and "." separate words, apostrophes and hyphens follow the options,
// soft hyphens are removed, and full-width letters become ASCII.

#include "text/tokens.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "text/char_kind.h"
#include "text/utf8.h"

namespace dowser {
namespace {

enum ByteClass : uint8_t { kOther = 0, kLetter = 1, kDigit = 2 };

constexpr std::array<uint8_t, 256> kByteClass = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 0x20] = kLetter;
  return classes;
}();

uint8_t byte_class(char c) { return kByteClass[static_cast<uint8_t>(c)]; }

// The code point at the start of `text`; full-width forms are returned as ASCII.
CodePoint next_code_point(std::string_view text) {
  CodePoint c = decode_utf8(text);
  if (c.value >= 0xFF01 && c.value <= 0xFF5E) c.value -= 0xFEE0;
  return c;
}

class BreakIterator {
 public:
  BreakIterator() {
    UErrorCode status = U_ZERO_ERROR;
    iterator_.reset(ubrk_open(UBRK_WORD, "", nullptr, 0, &status));
  }

  template <class Callback>
  void for_each_segment(std::string_view run, Callback callback) {
    UErrorCode status = U_ZERO_ERROR;
    UText text = UTEXT_INITIALIZER;
    utext_openUTF8(&text, run.data(), static_cast<int64_t>(run.size()), &status);
    if (iterator_ != nullptr) ubrk_setUText(iterator_.get(), &text, &status);
    if (iterator_ == nullptr || U_FAILURE(status)) {
      callback(run);
    } else {
      int32_t begin = ubrk_first(iterator_.get());
      for (int32_t end; (end = ubrk_next(iterator_.get())) != UBRK_DONE; begin = end) {
        callback(run.substr(begin, end - begin));
      }
    }
    utext_close(&text);
  }

 private:
  struct Close {
    void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
  };
  std::unique_ptr<UBreakIterator, Close> iterator_;
};

class Tokenizer {
 public:
  Tokenizer(std::string_view text, const TokenOptions& options, TokenCallback callback)
      : text_(text), options_(options), callback_(callback) {
    max_length_ = std::min(options.max_length, kLongestToken);
  }

  void run();

 private:
  bool ascii_word_ends_here(size_t end) const;
  void emit_ascii(size_t begin, size_t end, bool has_digit);
  size_t any_word(size_t at);
  size_t unspaced_run(size_t at);
  bool follows(size_t at, bool digit_too) const;
  void add(char32_t c);
  void add_mark(char32_t c);
  void order_marks();
  void finish();

  const std::string_view text_;
  const TokenOptions& options_;
  const TokenCallback callback_;
  size_t max_length_;

  // The word that any_word is building.
  char word_[4 * kLongestToken + 8];
  size_t size_ = 0;       // bytes of word_
  size_t length_ = 0;     // characters, also those beyond max_length_
  size_t last_size_ = 0;  // word_ without its last character
  char32_t last_ = 0;     // that character
  bool has_digit_ = false;
  bool has_loose_mark_ = false;  // a mark that could not be composed with the character before it
  bool capital_sigma_ = false;   // the last character was Σ
  bool cut_ = false;             // ignore the rest of the word
};

void Tokenizer::run() {
  size_t at = 0;
  while (at < text_.size()) {
    uint8_t seen = byte_class(text_[at]);
    if (seen == kOther) {
      if (static_cast<uint8_t>(text_[at]) < 0x80) {
        ++at;
      } else {
        at = any_word(at);
      }
      continue;
    }
    size_t end = at + 1;
    for (uint8_t c; end < text_.size() && (c = byte_class(text_[end])) != kOther; ++end) seen |= c;
    const std::string_view word = text_.substr(at, end - at);
    if (!ascii_word_ends_here(end) ||
        (options_.turkic_case && word.find('I') != std::string_view::npos)) {
      at = any_word(at);
    } else {
      emit_ascii(at, end, seen & kDigit);
      at = end;
    }
  }
}

// Whether the word really ends at `end`, where there is no ASCII letter or digit.
bool Tokenizer::ascii_word_ends_here(size_t end) const {
  if (end == text_.size()) return true;
  const char c = text_[end];
  if (static_cast<uint8_t>(c) >= 0x80) return false;
  if (c == '\'') return end + 1 == text_.size() || text_[end + 1] == ' ';
  return c != '-' || options_.hyphens == HyphenRule::kSplit;
}

void Tokenizer::emit_ascii(size_t begin, size_t end, bool has_digit) {
  const size_t length = end - begin;
  if ((has_digit && !options_.digits) || length < options_.min_length) return;
  const std::string_view word = text_.substr(begin, std::min(length, max_length_));
  if (!options_.lower) return callback_(word);
  // Setting bit 0x20 converts letters to lower case and leaves digits alone. What is copied beyond
  // the word is ignored.
  size_t i = 0;
  for (; i < word.size() && begin + i + 8 <= text_.size(); i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, word.data() + i, 8);
    bytes |= 0x2020202020202020ULL;
    std::memcpy(word_ + i, &bytes, 8);
  }
  for (; i < word.size(); ++i) word_[i] = static_cast<char>(word[i] | 0x20);
  callback_({word_, word.size()});
}

// Reads from `at` to the first ASCII byte that separates words, and returns its position.
size_t Tokenizer::any_word(size_t at) {
  while (at < text_.size()) {
    const CodePoint c = next_code_point(text_.substr(at));
    const size_t next = at + c.length;
    switch (char_kind(c.value)) {
      case CharKind::kLetter:
        add(c.value);
        break;
      case CharKind::kDigit:
        has_digit_ = true;
        add(c.value);
        break;
      case CharKind::kMark:
        if (length_ > 0) add_mark(c.value);
        break;
      case CharKind::kUnspaced:
        finish();
        at = unspaced_run(at);
        continue;
      case CharKind::kApostrophe:
        if (length_ == 0 || !follows(next, false) ||
            options_.apostrophes == ApostropheRule::kSplit) {
          finish();
        } else if (options_.apostrophes == ApostropheRule::kCut) {
          cut_ = true;
        } else {
          add('\'');
        }
        break;
      case CharKind::kHyphen:
        if (options_.hyphens == HyphenRule::kSplit || !follows(next, true)) finish();
        break;
      case CharKind::kNothing:
        break;
      case CharKind::kSeparator:
        finish();
        // By its byte: a full-width parenthesis has the value of an ASCII one, but must be skipped.
        if (static_cast<uint8_t>(text_[at]) < 0x80) return at;
        break;
    }
    at = next;
  }
  finish();
  return at;
}

// Whether there is a letter, or a digit, at `at`.
bool Tokenizer::follows(size_t at, bool digit_too) const {
  if (at >= text_.size()) return false;
  const CharKind kind = char_kind(next_code_point(text_.substr(at)).value);
  return kind == CharKind::kLetter || (digit_too && kind == CharKind::kDigit);
}

// Splits a run of a script without spaces into words; returns its end. The run is bounded, because
// the iterator allocates memory for it.
size_t Tokenizer::unspaced_run(size_t at) {
  constexpr size_t kLongestRun = 8192;
  size_t end = at;
  while (end < text_.size() && end - at < kLongestRun) {
    const CodePoint c = next_code_point(text_.substr(end));
    const CharKind kind = char_kind(c.value);
    if (kind != CharKind::kUnspaced && kind != CharKind::kMark) break;
    end += c.length;
  }
  thread_local BreakIterator iterator;  // opening one takes far longer than processing a page
  iterator.for_each_segment(text_.substr(at, end - at), [this](std::string_view segment) {
    size_t size = 0;
    for (size_t length = 0; size < segment.size() && length < max_length_; ++length) {
      size += decode_utf8(segment.substr(size)).length;
    }
    if (size > 0) callback_(segment.substr(0, size));
  });
  return end;
}

void Tokenizer::add(char32_t c) {
  if (cut_) return;
  ++length_;
  capital_sigma_ = false;
  if (length_ > max_length_) return;
  if (options_.lower) {
    capital_sigma_ = c == 0x03A3;
    if (options_.turkic_case && c == 'I') {
      c = 0x0131;
    } else if (c < 0x80) {
      if (kByteClass[c] == kLetter) c |= 0x20;
    } else {
      c = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    }
  }
  last_ = c;
  last_size_ = size_;
  size_ += encode_utf8(c, word_ + size_);
}

// Composes a mark with the character before it if Unicode has a character for both.
void Tokenizer::add_mark(char32_t c) {
  if (cut_ || length_ > max_length_) return;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  const UChar32 both = U_FAILURE(status)
                           ? U_SENTINEL
                           : nfc->composePair(static_cast<UChar32>(last_), static_cast<UChar32>(c));
  if (both < 0) {
    has_loose_mark_ = true;
    return add(c);
  }
  last_ = static_cast<char32_t>(both);
  size_ = last_size_ + encode_utf8(last_, word_ + last_size_);
}

// Marks that were not composed may be in any order; this sorts them, so that equal words are equal.
void Tokenizer::order_marks() {
  UErrorCode status = U_ZERO_ERROR;
  char normal[sizeof word_];
  icu::CheckedArrayByteSink sink(normal, sizeof normal);
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) return;
  nfc->normalizeUTF8(0, icu::StringPiece(word_, static_cast<int32_t>(size_)), sink, nullptr,
                     status);
  if (U_FAILURE(status) || sink.Overflowed()) return;
  size_ = static_cast<size_t>(sink.NumberOfBytesWritten());
  std::memcpy(word_, normal, size_);
}

void Tokenizer::finish() {
  if (length_ > 0 && (!has_digit_ || options_.digits)) {
    if (length_ <= max_length_) {
      if (capital_sigma_ && length_ > 1) {
        last_ = 0x03C2;  // ς ends a word; both sigmas take two bytes
        encode_utf8(last_, word_ + last_size_);
      }
      if (last_ == 0x200C || last_ == 0x200D) {
        size_ = last_size_;
        --length_;
      }
    }
    if (has_loose_mark_) order_marks();
    std::string_view word(word_, size_);
    if (word.ends_with("'s") || word.ends_with("'S")) {
      word.remove_suffix(2);
      length_ -= 2;
    }
    if (word.ends_with('\'')) word.remove_suffix(1);
    if (!word.empty() && length_ >= options_.min_length) callback_(word);
  }
  size_ = length_ = last_size_ = 0;
  last_ = 0;
  has_digit_ = has_loose_mark_ = capital_sigma_ = cut_ = false;
}

}  // namespace

void for_each_token(std::string_view utf8, const TokenOptions& options, TokenCallback callback) {
  Tokenizer(utf8, options, callback).run();
}

std::vector<std::string> tokens(std::string_view utf8, const TokenOptions& options) {
  std::vector<std::string> out;
  for_each_token(utf8, options, [&out](std::string_view token) { out.emplace_back(token); });
  return out;
}

}  // namespace dowser
