#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

// robots.txt: who may fetch what (RFC 9309). Two values:
//
//   Robots       a whole file, for all agents; needed while it is read
//   RobotsRules  what it says to one agent; small, self-contained, kept for every host of a crawl
//
//   const RobotsRules rules = Robots::parse(body).rules_for("dowser");
//   if (rules.allows(url.request_target())) …

namespace dowser {

// What one agent may fetch from one host. The default value allows everything, as a host without
// robots.txt does.
class RobotsRules {
 public:
  struct Verdict {
    bool allowed = true;
    std::string rule;  // the rule that decided, "Disallow: /cgi-bin/"; "" if none matched
    size_t line = 0;   // where it stands in the file, from 1; 0 if none matched
  };

  RobotsRules() = default;

  // For a host whose robots.txt is unreachable (RFC 9309, 2.3.1.4): nothing may be fetched.
  static RobotsRules deny_all();

  // Whether a crawler may fetch this. `target` is path and query, and begins with '/'. It is
  // normalised as in RFC 9309, 2.2.2 ("%7e" is "~", "%c3" is "%C3"), and /robots.txt is always
  // allowed.
  bool allows(std::string_view target) const;

  // What the rules say about `target` exactly as it is written, and which rule decides: the verdict
  // of Google's matcher, for people who inspect a robots.txt.
  Verdict check(std::string_view target) const;

  // The least time between two requests that the host asks for. Not part of RFC 9309.
  std::optional<Duration> crawl_delay() const { return crawl_delay_; }

  size_t memory() const;  // bytes, with what is on the heap

 private:
  friend class Robots;
  class Builder;

  struct Rule {
    uint32_t text;  // where the pattern begins in patterns_
    uint32_t line;
    uint16_t text_size;   // of the pattern as it is shown
    uint16_t match_size;  // of what is matched: less a final '$'
    char bucket;          // see robots_rules.cc
    bool allow;
    bool anchored;  // the match must reach the end of the target
    bool wildcard;  // holds a '*'

    int priority() const { return match_size + anchored; }
    bool outranks(const Rule& other) const;
  };
  // For patterns that may match targets of any beginning; no pattern holds a NUL.
  static constexpr char kOpenBucket = '\0';

  void add(Rule rule);  // its bucket and wildcard are set here
  void finish();
  std::string_view pattern(const Rule& rule) const;
  const Rule* decide(std::string_view target) const;
  const Rule* first_match(char bucket, std::string_view target) const;

  std::string patterns_;     // one after another
  std::vector<Rule> rules_;  // by bucket; in a bucket the one that outranks the others first
  std::optional<Duration> crawl_delay_;
};

class Robots {
 public:
  // RFC 9309, 2.5: a crawler must read at least this much, and may stop there.
  static constexpr size_t kLimit = 500 * 1024;

  // Never fails: lines that mean nothing are skipped. What comes after `limit` is not read, nor is
  // a line that the limit cuts in two, since half a path is another path.
  static Robots parse(std::string_view bytes, size_t limit = kLimit);

  // The rules for an agent named by its product token, "dowser" or "dowser/1.0 (+http://…)".
  RobotsRules rules_for(std::string_view agent) const;

  // For a single check; for several, keep rules_for(agent).
  RobotsRules::Verdict check(std::string_view agent, std::string_view target) const;
  std::optional<Duration> crawl_delay(std::string_view agent) const;

  // The addresses of the Sitemap lines, as written and in their order. Views into this object.
  std::vector<std::string_view> sitemaps() const;

 private:
  enum class Field : uint8_t { kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap };
  struct Record {
    uint32_t value;  // where it begins in text_
    uint32_t line;
    uint16_t value_size;
    Field field;
  };

  static std::optional<Field> field_named(std::string_view key);
  void read_line(size_t begin, size_t end, uint32_t number);
  std::string_view value(const Record& record) const;

  std::string text_;
  std::vector<Record> records_;
};

}  // namespace dowser
