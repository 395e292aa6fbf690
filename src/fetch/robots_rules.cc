#include <algorithm>
#include <cstring>
#include <tuple>

#include "fetch/robots.h"
#include "fetch/robots_target.h"

// The verdict of RFC 9309, 2.2.2: of the rules that match a target the longest pattern decides, and
// Allow wins a tie.
//
// The idea. Rules are sorted by descending length, Allow first, so that the first one that matches
// is the verdict. To check few of them, they are put into buckets by the character after the first
// '/': "/cgi-bin" can only match targets that begin with "/c". Patterns that leave this character
// open ("/", "/*.pdf$", "*") are in one bucket more. A verdict looks into two buckets and takes the
// better of the two finds.
//
// A pattern is cut at its '*' into pieces. The first must begin the target; each other piece is
// searched for after the one before it, and its leftmost occurrence is taken. That can never be
// wrong, as it leaves the most of the target to the rest. So there is no backtracking, and as
// memmem() is linear but for a small factor, a rule costs about one pass over the target, whatever
// its author intended. fuzz/robots_fuzz.cc compares all of this with a matcher that tries
// everything; bench/robots measures it.
//
// The reference is Google's matcher (github.com/google/robotstxt), on whose practice the RFC is
// based; check() gives its verdicts. It falls short of the RFC in two points, in which allows()
// follows the RFC: it compares the target as written, so that "/a%2b" slips past "Disallow: /a%2B",
// and it lets a rule forbid /robots.txt itself.

namespace dowser {
namespace {

bool matches_wildcards(std::string_view pattern, bool anchored, std::string_view target) {
  size_t star = pattern.find('*');
  if (!target.starts_with(pattern.substr(0, star))) return false;
  target.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == pattern.npos;
    if (last && anchored) return target.ends_with(piece);
    if (!piece.empty()) {
      const void* found = memmem(target.data(), target.size(), piece.data(), piece.size());
      if (!found) return false;
      target.remove_prefix(static_cast<const char*>(found) - target.data() + piece.size());
    }
    if (last) return true;
  }
}

bool is_normal(std::string_view target) {
  return std::none_of(target.begin(), target.end(), [](char c) {
    return c == '%' || c == '*' || c == '$' || static_cast<uint8_t>(c) >= 0x80;
  });
}

}  // namespace

RobotsRules RobotsRules::deny_all() {
  return Robots::parse("User-agent: *\nDisallow: /\n").rules_for("");
}

bool RobotsRules::Rule::outranks(const Rule& other) const {
  return std::tuple(priority(), allow, other.line) >
         std::tuple(other.priority(), other.allow, line);
}

std::string_view RobotsRules::pattern(const Rule& rule) const {
  return {patterns_.data() + rule.text, rule.match_size};
}

void RobotsRules::add(Rule rule) {
  const std::string_view pattern = this->pattern(rule);
  rule.wildcard = pattern.find('*') != pattern.npos;
  const bool closed = pattern.size() > 1 && pattern[0] == '/' && pattern[1] != '*';
  rule.bucket = closed ? pattern[1] : kOpenBucket;
  rules_.push_back(rule);
}

void RobotsRules::finish() {
  std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) {
    return a.bucket != b.bucket ? a.bucket < b.bucket : a.outranks(b);
  });
  rules_.shrink_to_fit();
  patterns_.shrink_to_fit();
}

const RobotsRules::Rule* RobotsRules::first_match(char bucket, std::string_view target) const {
  auto rule = std::lower_bound(rules_.begin(), rules_.end(), bucket,
                               [](const Rule& r, char b) { return r.bucket < b; });
  for (; rule != rules_.end() && rule->bucket == bucket; ++rule) {
    const std::string_view pattern = this->pattern(*rule);
    const bool match = rule->wildcard   ? matches_wildcards(pattern, rule->anchored, target)
                       : rule->anchored ? target == pattern
                                        : target.starts_with(pattern);
    if (match) return &*rule;
  }
  return nullptr;
}

const RobotsRules::Rule* RobotsRules::decide(std::string_view target) const {
  const Rule* open = first_match(kOpenBucket, target);
  if (target.size() < 2 || target[1] == kOpenBucket) return open;
  const Rule* closed = first_match(target[1], target);
  if (!open || !closed) return open ? open : closed;
  return open->outranks(*closed) ? open : closed;
}

bool RobotsRules::allows(std::string_view target) const {
  if (target == "/robots.txt") return true;
  const Rule* rule = is_normal(target) ? decide(target) : decide(normal_target(target));
  return !rule || rule->allow;
}

RobotsRules::Verdict RobotsRules::check(std::string_view target) const {
  const Rule* rule = decide(target);
  if (!rule) return {};
  Verdict verdict{rule->allow, rule->allow ? "Allow: " : "Disallow: ", rule->line};
  verdict.rule.append(patterns_, rule->text, rule->text_size);
  return verdict;
}

size_t RobotsRules::memory() const {
  const bool on_heap = patterns_.capacity() > std::string().capacity();
  return sizeof(*this) + rules_.capacity() * sizeof(Rule) +
         (on_heap ? patterns_.capacity() + 1 : 0);
}

}  // namespace dowser
