#include "mine/topics/item_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/tokens.h"

// The lists are those of Uluhan (2006), with the forms that "e.g." stands for written out. All are
// English: on pages in other languages the rules for addresses, digits and length still apply.
// Formulas are ours: the thesis took only pages that people had written about a topic, and manuals
// and encyclopedias are full of them.

namespace dowser {
namespace {

// A page with one of these more often than three times is skipped. Parts of words count:
// "journals".
constexpr std::array<std::string_view, 5> kNoise = {"in proceeding", "journal", "next message",
                                                    "previous message", "reply to"};
constexpr int kMostNoise = 3;

// An item with one of these words is dropped. Whole words count.
constexpr std::array<std::string_view, 8> kSalutations = {"mr", "mrs",  "ms",        "miss",
                                                          "dr", "prof", "professor", "professors"};
constexpr std::array<std::string_view, 6> kPublications = {
    "conference", "conferences", "proceeding", "proceedings", "journal", "journals"};

// Beginnings of addresses.
constexpr std::array<std::string_view, 5> kAddresses = {
    "http:", "https:", "ftp:", "mailto:", "www."};

constexpr size_t kMostWords = 15;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool is_letter(char c) {
  const char l = lower(c);
  return l >= 'a' && l <= 'z';
}

bool is_word_part(char c) { return is_letter(c) || (c >= '0' && c <= '9') || (c & 0x80) != 0; }

// "jo@cs.example.edu", also within brackets.
bool has_mail_address(std::string_view text) {
  for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at + 1)) {
    if (at > 0 && at + 1 < text.size() && is_word_part(text[at - 1]) &&
        is_word_part(text[at + 1])) {
      return true;
    }
  }
  return false;
}

// An equation or assignment, or a command of LaTeX: a backslash and letters. Pictures of formulas
// have the LaTeX text as their alternative, so it is on many pages.
bool is_formula(std::string_view text) {
  if (text.find('=') != text.npos) return true;
  for (size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 1)) {
    if (at + 2 < text.size() && is_letter(text[at + 1]) && is_letter(text[at + 2])) return true;
  }
  return false;
}

size_t words_in(std::string_view text) {
  size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    words += !blank && !in_word;
    in_word = !blank;
  }
  return words;
}

}  // namespace

bool is_noisy_page(std::string_view text) {
  const std::string page = lower(text);
  for (const std::string_view phrase : kNoise) {
    int times = 0;
    for (size_t at = page.find(phrase); at != page.npos; at = page.find(phrase, at + 1)) {
      if (++times > kMostNoise) return true;
    }
  }
  return false;
}

std::string_view name_of(ItemFault fault) {
  static constexpr std::array<std::string_view, kItemFaults> kNames = {
      "kept", "empty", "long", "digits", "address", "salutation", "publication", "formula"};
  return kNames[static_cast<size_t>(fault)];
}

ItemFault fault_of_item(std::string_view item, const DigitRule& digits) {
  if (words_in(item) > kMostWords) return ItemFault::kLong;
  if (!digits.accepts(item)) return ItemFault::kDigits;
  const std::string text = lower(item);
  for (const std::string_view begin : kAddresses) {
    if (text.find(begin) != text.npos) return ItemFault::kAddress;
  }
  if (has_mail_address(text)) return ItemFault::kAddress;
  if (is_formula(item)) return ItemFault::kFormula;
  bool empty = true;
  ItemFault fault = ItemFault::kNone;
  for_each_token(item, {}, [&](std::string_view word) {
    empty = false;
    if (fault != ItemFault::kNone) return;
    if (std::find(kSalutations.begin(), kSalutations.end(), word) != kSalutations.end()) {
      fault = ItemFault::kSalutation;
    } else if (std::find(kPublications.begin(), kPublications.end(), word) != kPublications.end()) {
      fault = ItemFault::kPublication;
    }
  });
  return empty ? ItemFault::kEmpty : fault;
}

}  // namespace dowser
