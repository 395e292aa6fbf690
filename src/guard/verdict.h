#pragma once

#include <string_view>

namespace dowser {

// What a guard says about an address. The reason is a short name, the same in counters, events and
// the catalogue; it lives as long as the program.
struct Verdict {
  bool ok = true;
  std::string_view reason;  // "" if it is ok

  static Verdict refused(std::string_view reason) { return {false, reason}; }
  explicit operator bool() const { return ok; }
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

}  // namespace dowser
