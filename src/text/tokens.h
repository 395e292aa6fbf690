#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"

// Splits text into words. A token is a run of letters (and digits, if wanted) in lower case, with
// accents composed; Chinese, Japanese, Thai, Lao, Khmer and Burmese, which are written without
// spaces, are split by dictionary.
//
//   for_each_token("The dog's e-mail", {}, [](std::string_view token) { … });   // the dog e mail

namespace dowser {

enum class HyphenRule : uint8_t {
  kSplit,  // e-mail -> e, mail
  kJoin,   // e-mail -> email
};

// How an apostrophe (' or ’) between two letters is treated.
enum class ApostropheRule : uint8_t {
  kKeep,   // can't -> can't (as in stop word lists), but dog's -> dog, it's -> it: English
  kSplit,  // l'homme -> l, homme: French, Italian, Catalan
  kCut,    // Ankara'da -> ankara: Turkish, where it separates a name from its suffixes
};

struct TokenOptions {
  bool lower = true;
  // Keep tokens that contain a digit ("2004", "mp3"); otherwise they are left out entirely.
  bool digits = false;
  HyphenRule hyphens = HyphenRule::kSplit;
  ApostropheRule apostrophes = ApostropheRule::kKeep;
  // The lower case of I is ı, and that of İ is i, as in Turkish and Azerbaijani.
  bool turkic_case = false;
  // In characters. Shorter tokens are left out, except words split by dictionary: one ideograph is
  // a word.
  size_t min_length = 1;
  // Longer tokens are cut to their first 20 characters, as in Liu, Janssen and Milios 2005; at most
  // kLongestToken.
  size_t max_length = 20;

  friend bool operator==(const TokenOptions&, const TokenOptions&) = default;
};

inline constexpr size_t kLongestToken = 64;

using TokenCallback = absl::FunctionRef<void(std::string_view token)>;

// Calls `callback` with the tokens of a text in order. A token is valid only during the call.
// Ill-formed UTF-8 separates words. Nothing is allocated for ASCII text.
void for_each_token(std::string_view utf8, const TokenOptions& options, TokenCallback callback);

std::vector<std::string> tokens(std::string_view utf8, const TokenOptions& options = {});

// The words in an address, for scoring a link by it:
// "http://www.example.co.uk/OperaHouse/verdi_2.html"
// -> example opera house verdi. It is split at everything but letters, and where aB or ABc begins a
// new word; percent-encoding is decoded. Left out are the scheme, "www", common public suffixes,
// the extension of a page, numbers, and "index". `href` may be relative or malformed.
std::vector<std::string> url_tokens(std::string_view href);
// The same as a text in which the words are separated by spaces, numbers included. Replaces
// `words`.
void url_words(std::string_view href, std::string& words);

}  // namespace dowser
