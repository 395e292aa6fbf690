#include "text/digit_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

namespace dowser {
namespace {

constexpr auto kFlags = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;

// Regular expressions take their time, and more than that on long texts.
constexpr size_t kLongestText = 1000;

std::vector<std::string> dates_and_times() {
  const std::string month = R"((jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?)";
  const std::string day = R"(\d{1,2}(st|nd|rd|th)?)";
  return {
      R"(\b\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?\b)",                // 2004-12-23T18:00
      R"(\b\d{1,2}[./]\d{1,2}[./](\d{4}|\d{2})\b)",                      // 23.12.2004, 12/23/04
      R"(\b)" + day + "( of)? " + month + R"(,?( \d{4})?\b)",            // 23rd of December 2004
      R"(\b)" + month + " (" + day + R"((, ?\d{4})?|\d{4})\b)",          // December 23, 2004
      R"(\b\d{1,2}(:\d{2}){1,2}( ?[ap]\.?m)?\b|\b\d{1,2} ?[ap]\.?m\b)",  // 18:00, 6:00:15 pm
      R"(\b(1[5-9]|20)\d{2}\b)",                                         // a year
  };
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

struct DigitRule::Patterns {
  std::vector<std::regex> all;
};

Result<DigitRule> DigitRule::make(Kind kind, std::span<const std::string> patterns) {
  DigitRule rule;
  rule.kind_ = kind;
  auto compiled = std::make_shared<Patterns>();
  for (const std::string& pattern : patterns) {
    try {
      compiled->all.emplace_back(pattern, kFlags);
    } catch (const std::regex_error&) {
      return Error{fmt::format("'{}' is no regular expression", pattern)};
    }
  }
  if (kind == Kind::kDropButDates) {
    for (const std::string& pattern : dates_and_times()) {
      compiled->all.emplace_back(pattern, kFlags);
    }
  }
  rule.patterns_ = std::move(compiled);
  return rule;
}

bool DigitRule::accepts(std::string_view text) const {
  if (kind_ == Kind::kKeep || !has_digit(text)) return true;
  if (kind_ == Kind::kDrop || !patterns_ || text.size() > kLongestText) return false;
  std::string rest(text);
  for (const std::regex& pattern : patterns_->all) rest = std::regex_replace(rest, pattern, " ");
  return !has_digit(rest);
}

}  // namespace dowser
