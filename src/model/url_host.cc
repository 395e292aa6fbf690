#include "model/url_host.h"

#include <unicode/uidna.h>

#include <array>

#include "model/percent_encode.h"
#include "model/url.h"

namespace dowser {
namespace {

constexpr std::string_view kBadCharacter = "a host with a character that no host may have";
constexpr std::string_view kBadDomain = "a host that is not a valid domain";

// What stands in a host, for each byte.
enum : uint8_t {
  kForbiddenHost = 1,    // in any host
  kForbiddenDomain = 2,  // in a domain
  kEscape = 4,           // %
  kNotAscii = 8,
};

constexpr std::array<uint8_t, 256> make_table() {
  std::array<uint8_t, 256> table{};
  for (int c = 0; c < 256; ++c) {
    if (c < 0x20 || c == 0x7F) table[c] |= kForbiddenDomain;
    if (c >= 0x80) table[c] |= kNotAscii;
  }
  for (const char c : std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17)) {
    table[static_cast<uint8_t>(c)] |= kForbiddenHost | kForbiddenDomain;
  }
  table['%'] |= kForbiddenDomain | kEscape;
  return table;
}

constexpr std::array<uint8_t, 256> kClass = make_table();

uint8_t classes_of(std::string_view text) {
  uint8_t classes = 0;
  for (const char c : text) classes |= kClass[static_cast<uint8_t>(c)];
  return classes;
}

const UIDNA* idna() {
  // Lives as long as the program; immutable and shared by all threads.
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    return uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII,
                           &status);
  }();
  return instance;
}

// "Domain to ASCII" of the standard: UTS 46 with CheckHyphens, VerifyDnsLength and
// UseSTD3ASCIIRules off. ICU always checks the first two, so these errors are skipped.
std::optional<std::string> domain_to_ascii(std::string_view domain) {
  constexpr uint32_t kPassedOver = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                   UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                   UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
  std::string out(domain.size() + 64, '\0');
  while (true) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size =
        uidna_nameToASCII_UTF8(idna(), domain.data(), static_cast<int32_t>(domain.size()),
                               out.data(), static_cast<int32_t>(out.size()), &info, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR) {
      out.resize(static_cast<size_t>(size) + 1);
      continue;
    }
    if (U_FAILURE(status) || (info.errors & ~kPassedOver)) return std::nullopt;
    out.resize(static_cast<size_t>(size));
    return out;
  }
}

std::string_view append_opaque_host(std::string& out, std::string_view text) {
  if (classes_of(text) & kForbiddenHost) return kBadCharacter;
  append_percent_encoded(out, text, EncodeSet::kC0Control);
  return {};
}

// What is ASCII only becomes lower case, even if it is punycode, valid or not: there are sites
// whose names UTS 46 refuses (https://github.com/whatwg/url/pull/914). So ICU is hardly ever asked.
std::string_view append_domain(std::string& out, std::string_view text) {
  std::string decoded;
  uint8_t classes = classes_of(text);
  if (classes & kEscape) {
    decoded = percent_decode(text);
    text = decoded;
    classes = classes_of(text);
  }
  const size_t begin = out.size();
  if (classes & kNotAscii) {
    const std::optional<std::string> ascii = domain_to_ascii(text);
    if (!ascii || ascii->empty()) return kBadDomain;
    out.append(*ascii);
    classes = classes_of(*ascii);
  } else {
    append_lower(out, text);
  }
  if (classes & kForbiddenDomain) return kBadCharacter;
  const std::string_view domain = std::string_view(out).substr(begin);
  if (ends_in_number(domain)) {
    const std::optional<uint32_t> address = parse_ipv4(domain);
    if (!address) return "a host that is not a valid IPv4 address";
    out.resize(begin);
    append_ipv4(out, *address);
  }
  return {};
}

}  // namespace

std::string_view name_without_dot(const Url& url) {
  std::string_view name = url.hostname();
  if (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

std::string_view append_host(std::string& out, std::string_view text, bool special) {
  if (text.starts_with('[')) {
    const bool closed = text.size() > 1 && text.ends_with(']');
    if (closed && append_ipv6(out, text.substr(1, text.size() - 2))) return {};
    return "a host that is not a valid IPv6 address";
  }
  return special ? append_domain(out, text) : append_opaque_host(out, text);
}

}  // namespace dowser
