#include "text/search_words.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <array>

#include "text/char_kind.h"
#include "text/compatibility.h"
#include "text/tokens.h"
#include "text/utf8.h"

namespace dowser {
namespace {

constexpr char32_t kFirstFolded = 0xC0, kEndOfFolded = 0x250;             // Latin
constexpr char32_t kFirstAdditional = 0x1E00, kEndOfAdditional = 0x1F00;  // Latin, Vietnamese too
constexpr char32_t kFirstMark = 0x300, kEndOfMarks = 0x370;

TokenOptions token_options() {
  TokenOptions options;
  options.digits = true;
  options.max_length = kLongestToken;
  return options;
}

// Letters that Unicode does not decompose.
std::string_view spelled_out(char32_t c) {
  switch (c) {
    case 0xDF:
      return "ss";
    case 0xE6:
      return "ae";
    case 0xF8:
      return "o";
    case 0x111:
      return "d";
    case 0x131:
      return "i";  // ı
    case 0x142:
      return "l";
    case 0x153:
      return "oe";
    case 0x17F:
      return "s";  // ſ
    default:
      return {};
  }
}

// What a Latin letter is without its accents; "" if it has none.
std::string without_accents(char32_t c) {
  if (const std::string_view letters = spelled_out(c); !letters.empty()) {
    return std::string(letters);
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(status);
  icu::UnicodeString parts;
  if (U_FAILURE(status) || !nfd->getDecomposition(static_cast<UChar32>(c), parts)) return {};
  const auto letter = static_cast<char32_t>(parts.char32At(0));
  std::string letters(spelled_out(letter));  // of ǽ, which is æ with an accent
  if (letters.empty()) append_utf8(letters, letter);
  return letters;
}

class AccentTable {
 public:
  AccentTable() {
    for (char32_t c = kFirstFolded; c < kEndOfFolded; ++c) {
      low_[c - kFirstFolded] = without_accents(c);
    }
    for (char32_t c = kFirstAdditional; c < kEndOfAdditional; ++c) {
      high_[c - kFirstAdditional] = without_accents(c);
    }
  }
  std::string_view operator[](char32_t c) const {
    if (c >= kFirstFolded && c < kEndOfFolded) return low_[c - kFirstFolded];
    if (c >= kFirstAdditional && c < kEndOfAdditional) return high_[c - kFirstAdditional];
    return {};
  }

 private:
  std::array<std::string, kEndOfFolded - kFirstFolded> low_;
  std::array<std::string, kEndOfAdditional - kFirstAdditional> high_;
};

using Use = absl::FunctionRef<void(std::string_view)>;

// A token that is not all ASCII letters and digits.
void use_other(std::string_view token, Use use) {
  static const AccentTable accents;
  std::string word;
  bool after_latin = false;
  while (!token.empty()) {
    const CodePoint c = decode_utf8(token);
    const std::string_view bytes = token.substr(0, c.length);
    token.remove_prefix(c.length);
    if (c.value == '\'' || is_ideograph(c.value)) {
      if (!word.empty()) use(word);
      word.clear();
      if (c.value != '\'') use(bytes);
      after_latin = false;
      continue;
    }
    // No word begins with a mark: alone it could not be searched for.
    if (word.empty() && char_kind(c.value) == CharKind::kMark) continue;
    const bool is_mark = c.value >= kFirstMark && c.value < kEndOfMarks;
    if (is_mark && after_latin) continue;  // as of "i̇", the lower case of İ
    const std::string_view plain = accents[c.value];
    word += plain.empty() ? bytes : plain;
    after_latin = !plain.empty() || c.value < kEndOfFolded;
  }
  if (!word.empty()) use(word);
}

bool is_plain(std::string_view token) {
  for (const char c : token) {
    if (static_cast<uint8_t>(c) >= 0x80 || c == '\'') return false;
  }
  return true;
}

}  // namespace

bool is_ideograph(char32_t c) {
  return (c >= 0x3005 && c <= 0x3007) || (c >= 0x3040 && c <= 0x30FF) ||  // kana
         (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF66 && c <= 0xFF9F) || (c >= 0x20000 && c <= 0x3FFFD);
}

void for_each_search_word(std::string_view utf8, Use use) {
  static const TokenOptions options = token_options();
  std::string folded;
  for_each_token(fold_compatibility(utf8, folded), options, [use](std::string_view token) {
    if (is_plain(token)) {
      use(token);
    } else {
      use_other(token, use);
    }
  });
}

std::vector<std::string> search_words(std::string_view utf8) {
  std::vector<std::string> words;
  for_each_search_word(utf8, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

uint32_t append_search_words(std::string_view utf8, std::string& to) {
  uint32_t words = 0;
  for_each_search_word(utf8, [&](std::string_view word) {
    to += word;
    to += ' ';
    ++words;
  });
  return words;
}

}  // namespace dowser
