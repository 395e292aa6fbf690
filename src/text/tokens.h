#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"

// Text to words. A token is a run of letters (and digits, where they are wanted) in lower case,
// with accents written into their letters; Chinese, Japanese, Thai, Lao, Khmer and Burmese, which
// write no blanks, are cut by dictionary.
//
//   for_each_token("The dog's e-mail", {}, [](std::string_view token) { … });   // the dog e mail

namespace dowser {

enum class HyphenRule : uint8_t {
  kSplit,  // e-mail -> e, mail
  kJoin,   // e-mail -> email
};

// What becomes of an apostrophe (' or ’) between two letters.
enum class ApostropheRule : uint8_t {
  kKeep,   // can't -> can't (as in lists of stop words), but dog's -> dog, it's -> it: English
  kSplit,  // l'homme -> l, homme: French, Italian, Catalan
  kCut,    // Ankara'da -> ankara: Turkish, where it parts a name from its endings
};

struct TokenOptions {
  bool lower = true;
  // Keep tokens with a digit in them ("2004", "mp3"); otherwise they are left out as a whole.
  bool digits = false;
  HyphenRule hyphens = HyphenRule::kSplit;
  ApostropheRule apostrophes = ApostropheRule::kKeep;
  // I goes with ı and İ with i, as in Turkish and Azerbaijani.
  bool turkic_case = false;
  // In characters. Shorter tokens are left out, except words cut by dictionary: one ideograph is a
  // word.
  size_t min_length = 1;
  // Longer ones are cut to their first 20 characters, as Liu, Janssen and Milios do; at most
  // kLongestToken.
  size_t max_length = 20;

  friend bool operator==(const TokenOptions&, const TokenOptions&) = default;
};

inline constexpr size_t kLongestToken = 64;

using TokenCallback = absl::FunctionRef<void(std::string_view token)>;

// Calls `callback` with the tokens of a text in order. A token is valid during the call only.
// Ill-formed UTF-8 parts words. Allocates nothing for ASCII text.
void for_each_token(std::string_view utf8, const TokenOptions& options, TokenCallback callback);

std::vector<std::string> tokens(std::string_view utf8, const TokenOptions& options = {});

// The words in an address, for judging a link by it:
// "http://www.example.co.uk/OperaHouse/verdi_2.html"
// -> example opera house verdi. Split at everything but letters, and where aB or ABc begins a new
// word; percent-encoding is decoded. Left out: scheme, "www", the public suffix as far as it is of
// the usual kind, the extension of a page, numbers, "index". `href` may be relative or broken.
std::vector<std::string> url_tokens(std::string_view href);
// The same, as a text in which they stand; numbers too. Replaces what was in `words`.
void url_words(std::string_view href, std::string& words);

}  // namespace dowser
