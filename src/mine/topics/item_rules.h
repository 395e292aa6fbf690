#pragma once

#include <cstdint>
#include <string_view>

#include "text/digit_rule.h"

// Which pages and which list items cannot name sub-topics (Uluhan 2006, chapter V). The word lists
// are in item_rules.cc, and nowhere else.

namespace dowser {

// A list of publications or a page of a forum: one of a few phrases occurs more than three times.
bool is_noisy_page(std::string_view text);

enum class ItemFault : uint8_t {
  kNone,
  kEmpty,        // no word that says anything
  kLong,         // more than 15 words
  kDigits,       // WWW10, KDD2003, as far as the rule for digits says so
  kAddress,      // an address of a page, or of a person
  kSalutation,   // Mr., Dr., Professor
  kPublication,  // conference, proceedings, journal
  kFormula,      // "V = volume", "maxit=integer", a command of LaTeX such as \\vdash
};
inline constexpr int kItemFaults = static_cast<int>(ItemFault::kFormula) + 1;
std::string_view name_of(ItemFault fault);

// The first that applies, addresses and formulas before words; kEmpty only if there is no letter.
ItemFault fault_of_item(std::string_view item, const DigitRule& digits = {});

}  // namespace dowser
