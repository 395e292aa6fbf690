#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/link.h"
#include "model/url.h"

// Many addresses lead to the same page, and a crawler that does not recognise this fetches the page
// many times. These rules come on top of what the parser always does: scheme and host in lower
// case, no default port, no dot segments. (Repairs of broken links come before: link_repair.h.)

namespace dowser {

struct CanonicalRules {
  // Safe rules: the server sends the same page. They apply to the address that is fetched and to
  // the key.
  bool fragment = true;             // /a#b -> /a
  bool percent_encoding = true;     // /%7euser%2f -> /~user%2F
  bool session_parameters = true;   // /a;jsessionid=1?PHPSESSID=2 -> /a
  bool tracking_parameters = true;  // /a?utm_source=b -> /a
  bool sorted_query = false;        // ?b=1&a=2 -> ?a=2&b=1

  // Very likely the same page, but a request for the other address may fail. These apply to the key
  // only.
  bool www = true;             // www.example.org -> example.org
  bool default_files = true;   // /a/index.html -> /a/
  bool trailing_slash = true;  // /a/ -> /a
  bool empty_query = true;     // /a? -> /a
  bool one_scheme = false;     // https://a/ -> http://a/

  friend bool operator==(const CanonicalRules&, const CanonicalRules&) = default;
};

struct CanonicalRule {
  std::string_view name;  // in configurations
  bool CanonicalRules::*field;
};

inline constexpr std::array<CanonicalRule, 10> kCanonicalRules = {{
    {"fragment", &CanonicalRules::fragment},
    {"percent-encoding", &CanonicalRules::percent_encoding},
    {"session-parameters", &CanonicalRules::session_parameters},
    {"tracking-parameters", &CanonicalRules::tracking_parameters},
    {"sorted-query", &CanonicalRules::sorted_query},
    {"www", &CanonicalRules::www},
    {"default-files", &CanonicalRules::default_files},
    {"trailing-slash", &CanonicalRules::trailing_slash},
    {"empty-query", &CanonicalRules::empty_query},
    {"one-scheme", &CanonicalRules::one_scheme},
}};

// Switches the rule with that name on or off; error if there is none.
Status set_rule(CanonicalRules& rules, std::string_view name, bool on);

// The address that is fetched and stored. For schemes other than http, only the fragment is
// removed. canonical(canonical(u)) == canonical(u).
Url canonical(const Url& url, const CanonicalRules& rules = {});

// The key that decides whether an address has been seen: equal for addresses that should be the
// same page. It is itself an address, and its own key. Never longer than the address.
std::string seen_key(const Url& url, const CanonicalRules& rules = {});
// The hash64 of the seen key. It is computed several times for every link of a crawl, and therefore
// without allocating a string.
uint64_t seen_fingerprint(const Url& url, const CanonicalRules& rules = {});
// By the default rules; for most links it is already stored.
inline uint64_t seen_fingerprint(const Link& link) {
  return link.fingerprint != 0 ? link.fingerprint : seen_fingerprint(link.url);
}

}  // namespace dowser
