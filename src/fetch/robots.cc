#include "fetch/robots.h"

#include <algorithm>

#include "fetch/robots_target.h"

// Reading robots.txt as RFC 9309 defines it and as the web writes it. (robots_rules.cc has the
// matching.)
//
// A file is a list of records "field: value". One or more User-agent records and the rules after
// them form a group; all groups that name an agent count as one (2.2.1), and only where there is
// none do the groups of '*'. parse() keeps the records that mean something, rules_for() walks over
// them with two baskets, one for the agent and one for '*'.
//
// Like Google's matcher, and beyond the RFC:
//   - a field may carry a tail ("Disallow-all:"), and some misspellings are understood;
//   - white space will do for a missing colon where the line has two words;
//   - "User-agent: * and more" means '*', and other names end after letters, '-' and '_';
//   - "Allow: /a/index.html" also allows "/a/" itself;
//   - a line ends after 16,663 bytes, or at a NUL; half a byte order mark is skipped.
// Unlike Google's matcher, this one understands Crawl-delay; like every record other than rules, it
// does not end a list of agents.

namespace dowser {
namespace {

constexpr size_t kLongestLine = 2083 * 8 - 1;  // in the reference: eight times the longest address

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// `prefix` is in lower case.
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                    [](char p, char t) { return p == lower(t); });
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// "Googlebot" of "Googlebot/2.1".
std::string_view product_token(std::string_view name) {
  size_t end = 0;
  while (end < name.size() && (is_letter(name[end]) || name[end] == '-' || name[end] == '_')) ++end;
  return name.substr(0, end);
}

struct KeyValue {
  std::string_view key, value;  // no key: the line means nothing
};

KeyValue split_line(std::string_view line) {
  line = trim(line.substr(0, line.find('#')));
  size_t separator = line.find(':');
  if (separator == line.npos) {
    separator = line.find_first_of(" \t");
    if (separator == line.npos) return {};
    const size_t value = line.find_first_not_of(" \t", separator);
    if (line.find_first_of(" \t", value) != line.npos) return {};  // a third word: it is prose
  }
  return {trim(line.substr(0, separator)), trim(line.substr(separator + 1))};
}

}  // namespace

// Collects what a file says to one agent.
class RobotsRules::Builder {
 public:
  explicit Builder(std::string_view agent) : agent_(product_token(agent)) {}

  void add_agent(std::string_view name) {
    if (in_rules_) for_agent_ = for_all_ = in_rules_ = false;
    if (name.starts_with('*') && (name.size() == 1 || is_space(name[1]))) {
      for_all_ = true;
    } else if (!agent_.empty() && equal_ignoring_case(product_token(name), agent_)) {
      for_agent_ = named_ = true;
    }
  }

  void add_rule(bool allow, std::string_view value, uint32_t line) {
    in_rules_ = true;
    RobotsRules* rules = basket();
    if (!rules || value.empty()) return;  // "Disallow:" forbids nothing
    // "/%7Ejoe" is known by both spellings: check() asks for the one, allows() for "/~joe".
    const std::string kept = reference_pattern(value), normal = normal_pattern(value);
    add_pattern(*rules, kept, allow, line);
    if (normal != kept) add_pattern(*rules, normal, allow, line);
  }

  void add_delay(std::string_view value) {
    RobotsRules* rules = basket();
    const Result<Duration> delay = parse_duration(value);
    if (!rules || !delay) return;
    // Of several the longest: a slow visitor harms nobody.
    rules->crawl_delay_ = std::max(rules->crawl_delay_.value_or(*delay), *delay);
  }

  RobotsRules build() && {
    RobotsRules& rules = named_ ? own_ : global_;
    rules.finish();
    return std::move(rules);
  }

 private:
  // Where a rule of the group at hand belongs; null if it is no concern of the agent.
  RobotsRules* basket() { return for_agent_ ? &own_ : for_all_ ? &global_ : nullptr; }

  static void add_pattern(RobotsRules& rules, std::string_view text, bool allow, uint32_t line) {
    Rule rule{};
    rule.text = static_cast<uint32_t>(rules.patterns_.size());
    rule.text_size = static_cast<uint16_t>(text.size());
    rule.line = line;
    rule.allow = allow;
    rule.anchored = text.ends_with('$');
    rule.match_size = static_cast<uint16_t>(text.size() - rule.anchored);
    rules.patterns_ += text;
    rules.add(rule);
    const size_t slash = text.rfind('/');
    if (allow && slash != text.npos && text.substr(slash).starts_with("/index.htm")) {
      rule.match_size = static_cast<uint16_t>(slash + 1);
      rule.anchored = true;
      rules.add(rule);
    }
  }

  const std::string_view agent_;
  RobotsRules own_, global_;
  bool named_ = false;                        // there is a group for the agent
  bool for_agent_ = false, for_all_ = false;  // whom the group at hand names
  bool in_rules_ = false;                     // so the next User-agent begins a group
};

Robots Robots::parse(std::string_view bytes, size_t limit) {
  // Offsets have 32 bits, also when each byte has become an escape and is kept in two spellings.
  limit = std::min<size_t>(limit, 1 << 29);
  for (const char mark : {'\xEF', '\xBB', '\xBF'}) {
    if (!bytes.starts_with(mark)) break;
    bytes.remove_prefix(1);
  }
  if (bytes.size() > limit) {
    const size_t end = bytes.substr(0, limit + 1).find_last_of("\r\n");
    bytes = bytes.substr(0, end == bytes.npos ? 0 : end);
  }
  Robots robots;
  robots.text_ = bytes;
  uint32_t number = 0;
  for (size_t begin = 0; begin < bytes.size();) {
    size_t end = begin;
    while (end < bytes.size() && bytes[end] != '\n' && bytes[end] != '\r') ++end;
    robots.read_line(begin, end, ++number);
    begin = end + (bytes.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return robots;
}

std::optional<Robots::Field> Robots::field_named(std::string_view key) {
  struct Name {
    std::string_view text;
    Field field;
  };
  static constexpr Name kNames[] = {
      {"user-agent", Field::kUserAgent},   {"useragent", Field::kUserAgent},
      {"user agent", Field::kUserAgent},   {"allow", Field::kAllow},
      {"disallow", Field::kDisallow},      {"dissallow", Field::kDisallow},
      {"dissalow", Field::kDisallow},      {"disalow", Field::kDisallow},
      {"diasllow", Field::kDisallow},      {"disallaw", Field::kDisallow},
      {"sitemap", Field::kSitemap},        {"site-map", Field::kSitemap},
      {"crawl-delay", Field::kCrawlDelay},
  };
  for (const Name& name : kNames) {
    if (starts_with_ignoring_case(key, name.text)) return name.field;
  }
  return std::nullopt;
}

void Robots::read_line(size_t begin, size_t end, uint32_t number) {
  std::string_view line(text_.data() + begin, std::min(end - begin, kLongestLine));
  line = line.substr(0, line.find('\0'));
  const auto [key, value] = split_line(line);
  const std::optional<Field> field = field_named(key);
  if (!field) return;
  records_.push_back({static_cast<uint32_t>(value.data() - text_.data()), number,
                      static_cast<uint16_t>(value.size()), *field});
}

std::string_view Robots::value(const Record& record) const {
  return {text_.data() + record.value, record.value_size};
}

RobotsRules Robots::rules_for(std::string_view agent) const {
  RobotsRules::Builder builder(agent);
  for (const Record& record : records_) {
    switch (record.field) {
      case Field::kUserAgent:
        builder.add_agent(value(record));
        break;
      case Field::kAllow:
        builder.add_rule(true, value(record), record.line);
        break;
      case Field::kDisallow:
        builder.add_rule(false, value(record), record.line);
        break;
      case Field::kCrawlDelay:
        builder.add_delay(value(record));
        break;
      case Field::kSitemap:
        break;
    }
  }
  return std::move(builder).build();
}

RobotsRules::Verdict Robots::check(std::string_view agent, std::string_view target) const {
  return rules_for(agent).check(target);
}

std::optional<Duration> Robots::crawl_delay(std::string_view agent) const {
  return rules_for(agent).crawl_delay();
}

std::vector<std::string_view> Robots::sitemaps() const {
  std::vector<std::string_view> addresses;
  for (const Record& record : records_) {
    if (record.field == Field::kSitemap) addresses.push_back(value(record));
  }
  return addresses;
}

}  // namespace dowser
