#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// Whether a text may contain digits (Küçük 2009, section 2.1.3): numbers are dropped, except dates,
// times and those that match the given regular expressions.
class DigitRule {
 public:
  enum class Kind {
    kDrop,          // no digit at all
    kDropButDates,  // dates, times, years and the given patterns are fine
    kKeep,          // any
  };

  DigitRule() = default;  // kDrop
  // `patterns` are ECMAScript regular expressions; an error names the one that is not valid.
  static Result<DigitRule> make(Kind kind, std::span<const std::string> patterns);

  // True if every digit of the text belongs to something that is kept.
  bool accepts(std::string_view text) const;

 private:
  struct Patterns;

  Kind kind_ = Kind::kDrop;
  std::shared_ptr<const Patterns> patterns_;  // shared, since copies of a rule never change it
};

}  // namespace dowser
