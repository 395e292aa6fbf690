#include <algorithm>
#include <array>

#include "absl/container/inlined_vector.h"
#include "base/percent_decode.h"
#include "text/charset.h"
#include "text/tokens.h"

namespace dowser {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = is_upper(c) ? static_cast<char>(c | 0x20) : c;
  return out;
}

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The position of the first of these characters, or the end. find_first_of of the standard library
// calls a function for every character.
template <char... kChars>
size_t first_of(std::string_view text) {
  size_t i = 0;
  while (i < text.size() && ((text[i] != kChars) && ...)) ++i;
  return i;
}

// The labels of second-level suffixes such as co.uk, ac.jp, com.br.
constexpr std::array<std::string_view, 11> kSecondLevel = {"co",  "com", "org",  "net", "ac", "edu",
                                                           "gov", "gob", "gouv", "or",  "ne"};

// Names that pages have for technical reasons. A pdf or ppt, however, is informative.
constexpr std::array<std::string_view, 14> kPageExtensions = {
    "html", "htm", "shtml", "xhtml", "php", "php3", "php4",
    "php5", "asp", "aspx",  "jsp",   "cgi", "cfm",  "do"};

constexpr size_t kLongestPageExtension = 5;

// "www.example.co.uk" -> "example ". Ends with a space.
void append_host_words(std::string_view authority, std::string& words) {
  authority = authority.substr(authority.rfind('@') + 1);  // npos + 1 == 0
  const std::string host = lowered(authority.substr(0, authority.find(':')));
  absl::InlinedVector<std::string_view, 8> labels;
  for (size_t begin = 0; begin <= host.size();) {
    const size_t end = std::min(host.find('.', begin), host.size());
    labels.push_back(std::string_view(host).substr(begin, end - begin));
    begin = end + 1;
  }
  if (labels.size() > 1 && labels.back().empty()) labels.pop_back();
  if (labels.size() > 1) {
    const bool country = labels.back().size() == 2;
    labels.pop_back();
    if (country && labels.size() > 1 && is_one_of(labels.back(), kSecondLevel)) labels.pop_back();
  }
  for (const std::string_view label : labels) {
    const bool www =
        label.starts_with("www") && std::all_of(label.begin() + 3, label.end(), is_digit);
    if (www || label.starts_with("xn--")) continue;
    words += label;
    words += ' ';
  }
}

// Removes the extension of a page, and "index" or "default" before it, from the end of a path.
std::string_view without_page_name(std::string_view path) {
  const size_t segment = path.rfind('/') + 1;
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot < segment) return path;
  const std::string_view extension = path.substr(dot + 1);
  if (extension.size() > kLongestPageExtension || !is_one_of(lowered(extension), kPageExtensions)) {
    return path;
  }
  const std::string_view name = path.substr(segment, dot - segment);
  const bool is_index = (name.size() == 5 && lowered(name) == "index") ||
                        (name.size() == 7 && lowered(name) == "default");
  return path.substr(0, is_index ? segment : dot);
}

// Percent-encoding is decoded; bytes that are not UTF-8 then are taken for windows-1252.
std::string decoded(std::string_view text) {
  std::string out = percent_decode(text);
  if (!is_valid_utf8(out)) out = to_utf8(out, "windows-1252");
  return out;
}

constexpr std::string_view kBlanks = " \t\r\n\f";

enum ByteClass : uint8_t { kOther, kLower, kUpper, kDigit };

constexpr std::array<uint8_t, 256> kByteClass = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  return classes;
}();

uint8_t byte_class(char c) { return kByteClass[static_cast<uint8_t>(c)]; }

// Inserts a space where a new word begins inside a name: operaHouse, HTMLParser, page2.
void append_parted(std::string_view text, std::string& words) {
  const size_t begin = words.size();
  words.resize(begin + 2 * text.size());
  char* end = words.data() + begin;
  uint8_t before = kOther;
  for (size_t i = 0; i < text.size(); ++i) {
    const uint8_t c = byte_class(text[i]);
    if (c != before) {
      const bool is_capitalised = before == kUpper && c == kLower;
      if (c != kOther && before != kOther && !is_capitalised) *end++ = ' ';
    } else if (c == kUpper && i + 1 < text.size() && byte_class(text[i + 1]) == kLower) {
      *end++ = ' ';  // after an acronym
    }
    *end++ = text[i];
    before = c;
  }
  words.resize(static_cast<size_t>(end - words.data()));
}

void append_words(std::string_view text, std::string& words) {
  if (text.find('%') == text.npos) {
    append_parted(text, words);
  } else {
    append_parted(decoded(text), words);
  }
}

}  // namespace

void url_words(std::string_view href, std::string& words) {
  words.clear();
  while (!href.empty() && kBlanks.find(href[0]) != kBlanks.npos) href.remove_prefix(1);
  const size_t colon = first_of<':', '/', '?', '#'>(href);
  if (colon < href.size() && href[colon] == ':') {
    if (!href.substr(colon + 1).starts_with("//")) return;  // javascript:, mailto:, data:
    href.remove_prefix(colon + 1);
  }
  if (href.starts_with("//")) {
    href.remove_prefix(2);
    const size_t end = first_of<'/', '?', '#'>(href);
    std::string host;
    append_host_words(href.substr(0, end), host);
    append_parted(host, words);
    href.remove_prefix(end);
  }
  const size_t path_end = first_of<'?', '#'>(href);
  append_words(without_page_name(href.substr(0, path_end)), words);
  words += ' ';
  append_words(href.substr(path_end), words);
}

std::vector<std::string> url_tokens(std::string_view href) {
  TokenOptions options;
  options.apostrophes = ApostropheRule::kSplit;
  options.min_length = 2;
  std::string words;
  url_words(href, words);
  return tokens(words, options);
}

}  // namespace dowser
