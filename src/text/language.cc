// Language detection by CLD2 (Compact Language Detector 2), which scores four-letter sequences of
// alphabetic scripts and the characters of other scripts with naive Bayes. It takes about 10 ns for
// each byte, so a long text is sampled in pieces spread over it: pages often begin with menus in a
// different language from the text below.
//
// CLD2 needs "interchange-valid" UTF-8: it may read beyond the buffer on ill-formed bytes, and it
// refuses control characters. The sample is a copy in which both are replaced.

#include "text/language.h"

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <unicode/uchar.h>

#include "text/utf8.h"

namespace dowser {
namespace {

// The first sample is enough for almost every page; the second is six times as large.
constexpr size_t kFirstLook = 640;
constexpr size_t kSecondLook = 4096;
constexpr int kMinLetters = 20;
// Percent of a sample in one language. What a page says about itself is often left over from a
// template, so detection can contradict it, if nearly all of the text is in another language.
constexpr int kSure = 80, kVerySure = 90;
constexpr size_t kEnoughToContradict = 200;

// CLD2 reads beyond the end before it stops at a byte that is not a letter; trailing spaces make
// that safe.
constexpr std::string_view kPadding = "        ";

bool goes_in(char32_t c) {
  if (c < 0x20) return c == '\n' || c == '\t';
  return c != 0x7F && (c < 0x80 || c >= 0xA0) && (c & 0xFFFE) != 0xFFFE &&
         (c < 0xFDD0 || c > 0xFDEF) && c != kReplacement;
}

// Three bytes of UTF-8 are a character of a script with one or few languages, or half a word.
int letters_worth(char32_t c) {
  if (c < 0x80) return (c | 0x20) - 'a' < 26u;
  return !u_isalpha(static_cast<UChar32>(c)) ? 0 : c < 0x800 ? 1 : 2;
}

// Appends a piece of about `size` bytes that begins near `begin`, cut at spaces if there are any,
// and returns the number of letters in it.
int append_piece(std::string_view text, size_t begin, size_t size, std::string& out) {
  size_t end = begin + size;
  if (begin > 0) {
    const size_t blank = text.find_first_of(" \n", begin);
    if (blank < begin + 64) begin = blank;
  }
  if (end < text.size()) {
    const size_t blank = text.find_last_of(" \n", end);
    if (blank != std::string_view::npos && blank > begin && blank + 64 > end) end = blank;
  }
  const std::string_view piece = text.substr(begin, end - begin);
  int letters = 0;
  for (size_t i = 0; i < piece.size();) {
    const CodePoint c = decode_utf8(piece.substr(i));
    if (goes_in(c.value)) {
      out.append(piece.substr(i, c.length));
      letters += letters_worth(c.value);
    } else {
      out += ' ';
    }
    i += c.length;
  }
  out += '\n';
  return letters;
}

// CLD2's code as ISO 639: without script or country, and withdrawn codes replaced.
std::string iso_code(CLD2::Language language) {
  std::string_view code = CLD2::LanguageCode(language);
  code = code.substr(0, code.find('-'));
  if (code == "iw") return "he";
  if (code == "jw") return "jv";
  if (code == "in") return "id";
  if (code == "mo") return "ro";
  if (code == "xx" || code == "un" || code == "tlh" || code == "zzp") return "";
  return std::string(code);
}

// Puts `pieces` pieces of a long text, or all of a short one, into `sample`; returns their letters.
int take_sample(std::string_view text, size_t bytes, size_t pieces, std::string& sample) {
  sample.clear();
  if (text.size() <= bytes) return append_piece(text, 0, text.size(), sample);
  const size_t piece = bytes / pieces;
  int letters = 0;
  for (size_t i = 0; i < pieces; ++i) {
    letters += append_piece(text, (text.size() - piece) * i / (pieces - 1), piece, sample);
  }
  return letters;
}

struct Guess {
  std::string language;  // empty if CLD2 is unsure
  int percent = 0;       // of the sample that is in it
};

Guess guess_of(std::string& sample) {
  const int size = static_cast<int>(sample.size());
  sample += kPadding;
  const CLD2::CLDHints no_hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::Language top[3];
  int percent[3];
  double score[3];
  int text_bytes = 0, valid_bytes = 0;
  bool reliable = false;
  const CLD2::Language language = CLD2::ExtDetectLanguageSummaryCheckUTF8(
      sample.data(), size, /*is_plain_text=*/true, &no_hints, /*flags=*/0, top, percent, score,
      /*resultchunkvector=*/nullptr, &text_bytes, &reliable, &valid_bytes);
  if (!reliable) return {};
  return {iso_code(language), language == top[0] ? percent[0] : 0};
}

Guess first_guess(std::string_view utf8) {
  std::string sample;
  if (take_sample(utf8, kFirstLook, 4, sample) < kMinLetters) return {};
  return guess_of(sample);
}

Guess second_guess(std::string_view utf8) {
  std::string sample;
  if (take_sample(utf8, kSecondLook, 8, sample) < kMinLetters) return {};
  return guess_of(sample);
}

// The first part of "de-AT" in lower case; empty if it is not a code of a language.
std::string main_language(std::string_view declared) {
  std::string code;
  for (const char c : declared.substr(0, declared.find_first_of("-_,; "))) {
    const char lower = static_cast<char>(c | 0x20);
    if (lower < 'a' || lower > 'z') return "";
    code += lower;
  }
  return code.size() == 2 || code.size() == 3 ? code : "";
}

}  // namespace

std::string detect_language(std::string_view utf8, std::string_view declared) {
  const std::string said = main_language(declared);
  const Guess first = first_guess(utf8);
  const bool is_long = utf8.size() > kFirstLook;
  if (said.empty()) {
    // Names and titles in other languages mislead a small sample, not a large one.
    if (!is_long || first.percent >= kSure) return first.language;
    return second_guess(utf8).language;
  }
  if (first.language == said || first.language.empty()) return said;
  if (!is_long) {
    return first.percent >= kVerySure && utf8.size() >= kEnoughToContradict ? first.language : said;
  }
  const Guess second = second_guess(utf8);
  const bool is_very_sure = second.language == first.language && second.percent >= kVerySure;
  return is_very_sure ? second.language : said;
}

}  // namespace dowser
