#include <algorithm>
#include <cstdlib>
#include <vector>

#include "fetch/robots.h"

// The fast matcher against one that tries everything. An input is some patterns, one a line, and on
// the last line a target; a pattern in a line that begins with '+' is allowed, others are not.

namespace dowser {
namespace {

// Plain dynamic programming: reach[j] is whether the pattern so far can have consumed j bytes.
bool matches(std::string_view pattern, std::string_view target) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  std::vector<bool> reach(target.size() + 1);
  reach[0] = true;
  for (const char p : pattern) {
    std::vector<bool> next(target.size() + 1);
    for (size_t j = 0; j <= target.size(); ++j) {
      if (p == '*') {
        next[j] = reach[j] || (j > 0 && next[j - 1]);
      } else {
        next[j] = j > 0 && reach[j - 1] && target[j - 1] == p;
      }
    }
    reach = std::move(next);
  }
  return anchored ? reach[target.size()]
                  : std::find(reach.begin(), reach.end(), true) != reach.end();
}

struct Best {
  size_t length = 0, line = 0;
  bool allow = true;
};

void require(bool condition) {
  if (!condition) std::abort();
}

void compare(std::string_view input) {
  std::string file = "User-agent: *\n";
  Best best;
  const size_t last = input.rfind('\n');
  const std::string target = "/" + std::string(last == input.npos ? "" : input.substr(last + 1));
  std::string_view rest = input.substr(0, last == input.npos ? 0 : last + 1);
  for (size_t line = 2; !rest.empty(); ++line) {
    std::string_view pattern = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(pattern.size() + 1);
    const bool allow = pattern.starts_with('+');
    if (allow) pattern.remove_prefix(1);
    file += (allow ? "Allow: " : "Disallow: ") + std::string(pattern) + "\n";
    const bool better =
        pattern.size() > best.length || (pattern.size() == best.length && allow && !best.allow);
    if (better && matches(pattern, target)) {
      best = {pattern.size(), line, allow};
    }
  }
  const RobotsRules::Verdict verdict = Robots::parse(file).check("dowser", target);
  require(verdict.allowed == best.allow);
  require(verdict.line == best.line);
}

// What the comparison leaves out, since the obvious matcher does not know it.
bool is_plain(std::string_view input) {
  return input.find("index.htm") == input.npos &&
         std::all_of(input.begin(), input.end(), [](char c) {
           return c == '\n' || (c > ' ' && c < 0x7f && c != '#' && c != '%');
         });
}

}  // namespace
}  // namespace dowser

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (size < 4096 && is_plain(input)) compare(input);
  // And any bytes as a file: they must only not crash.
  const RobotsRules rules = Robots::parse(input, 2048).rules_for("dowser");
  (void)rules.allows(input.substr(0, 200));
  (void)rules.check(input.substr(0, 200));
  return 0;
}
