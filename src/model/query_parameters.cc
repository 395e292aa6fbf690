#include "model/query_parameters.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/percent_encode.h"

namespace dowser {
namespace {

// In lower case; a * at the end stands for anything.
constexpr std::string_view kSession[] = {
    "phpsessid", "jsessionid", "aspsessionid*", "asp.net_sessionid",
    "cfid",      "cftoken",    "sessionid",     "session_id",
    "sessid",    "oscsid",     "zenid",         "xtcsid",
};

constexpr std::string_view kPerhapsSession[] = {"sid", "s", "session", "sess"};

constexpr std::string_view kTracking[] = {
    // campaigns: Google and all who copied it, Matomo, Mailchimp, HubSpot, Marketo
    "utm_*", "mtm_*", "pk_*", "piwik_*", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok",
    // clicks: Google, Facebook, Microsoft, Yandex, Twitter, TikTok, Instagram
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "fbclid", "msclkid", "yclid",
    "twclid", "ttclid", "igshid"};

// Bit n: some name begins with the n-th letter; bit 31: with something else.
constexpr uint32_t letter_bit(char c) {
  return c >= 'a' && c <= 'z' ? uint32_t{1} << (c - 'a') : uint32_t{1} << 31;
}

template <size_t N>
constexpr uint32_t letters(const std::string_view (&names)[N]) {
  uint32_t bits = 0;
  for (const std::string_view name : names) bits |= letter_bit(name[0]);
  return bits;
}

bool matches(std::string_view pattern, std::string_view name) {
  const bool prefix = pattern.ends_with('*');
  if (prefix) pattern.remove_suffix(1);
  if (prefix ? name.size() < pattern.size() : name.size() != pattern.size()) return false;
  return std::equal(pattern.begin(), pattern.end(), name.begin(),
                    [](char p, char c) { return p == ascii_lower(c); });
}

template <size_t N>
bool any_matches(const std::string_view (&patterns)[N], uint32_t first_letters,
                 std::string_view name) {
  if (name.empty() || !(first_letters & letter_bit(ascii_lower(name[0])))) return false;
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](std::string_view pattern) { return matches(pattern, name); });
}

// Long, of letters and digits, and not without digits.
bool looks_like_session(std::string_view value) {
  int digits = 0;
  for (const char c : value) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (ascii_lower(c) < 'a' || ascii_lower(c) > 'z')) return false;
    digits += digit;
  }
  return value.size() >= 16 && digits >= 4;
}

}  // namespace

bool is_session_parameter(std::string_view name, std::string_view value) {
  constexpr uint32_t kFirst = letters(kSession);
  constexpr uint32_t kPerhapsFirst = letters(kPerhapsSession);
  return any_matches(kSession, kFirst, name) ||
         (any_matches(kPerhapsSession, kPerhapsFirst, name) && looks_like_session(value));
}

bool is_tracking_parameter(std::string_view name) {
  constexpr uint32_t kFirst = letters(kTracking);
  return any_matches(kTracking, kFirst, name);
}

}  // namespace dowser
