#include "model/link_repair.h"

#include <algorithm>
#include <optional>

#include "model/percent_encode.h"
#include "model/registrable_domain.h"
#include "model/url_host.h"

namespace dowser {
namespace {

// A repair gives the better text, or nothing if it finds nothing to do. Most links need none, so
// each looks at the first character before anything else.
using Repair = std::optional<std::string> (*)(std::string_view text, const Url& base);

bool is_slash(char c) { return c == '/' || c == '\\'; }
bool ends_host(char c) { return is_slash(c) || c == '?' || c == '#' || c == ':'; }

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char a, char b) { return a == ascii_lower(b); });
}

// The length of "http" or "https" at the front of the text, or 0.
size_t http_length(std::string_view text) {
  if (!starts_with_ignoring_case(text, "http")) return 0;
  return text.size() > 4 && ascii_lower(text[4]) == 's' ? 5 : 4;
}

size_t count_slashes(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_slash) - text.begin());
}

// Whether the text begins with what can only be meant as a host: "www.example.org/a", not
// "index.html".
bool starts_with_host(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), ends_host);
  const std::string_view host = text.substr(0, static_cast<size_t>(end - text.begin()));
  const bool plain = std::all_of(host.begin(), host.end(), [](char c) {
    return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
  if (!plain || host.starts_with('.') || host.find("..") != host.npos) return false;
  if (host.find('.') == host.npos) return host == "localhost";
  if (ends_in_number(host)) return parse_ipv4(host).has_value();
  std::string lower(host);
  std::transform(lower.begin(), lower.end(), lower.begin(), ascii_lower);
  return has_known_suffix(lower);
}

// White space that the standard takes for a part of the path: spaces of other scripts and of word
// processors, and an encoded space before a whole address.
std::optional<std::string> space_around(std::string_view text, const Url&) {
  constexpr std::string_view kSpaces[] = {"\u00A0", "\u2002", "\u2003", "\u2009", "\u200B",
                                          "\u3000", "\uFEFF", " ",      "\t",     "\n"};
  if (text.empty()) return std::nullopt;
  const bool suspect = text[0] == '%' || ((text.front() | text.back()) & 0x80);
  if (!suspect) return std::nullopt;
  const size_t size = text.size();
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view space : kSpaces) {
      if (text.starts_with(space)) text.remove_prefix(space.size()), again = true;
      if (text.ends_with(space)) text.remove_suffix(space.size()), again = true;
    }
  }
  std::string_view decoded = text;
  while (decoded.starts_with("%20")) decoded.remove_prefix(3);
  if (http_length(decoded) > 0) text = decoded;
  if (text.size() == size) return std::nullopt;
  return std::string(text);
}

// Spaces before the path: no scheme and no host has any.
std::optional<std::string> space_inside(std::string_view text, const Url&) {
  if (text.empty() || (ascii_lower(text[0]) != 'h' && !is_slash(text[0]))) return std::nullopt;
  if (text.find(' ') == text.npos) return std::nullopt;
  std::string out;
  size_t host = 0;  // where it begins in `out`, once that is known
  size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (host > 0 && out.size() > host && (is_slash(c) || c == '?' || c == '#')) break;
    out.push_back(c);
    const size_t length = http_length(out);
    const size_t slashes =
        length > 0 && out.size() > length && out[length] == ':' ? length + 1 : length;
    if (host == 0 && out.size() == slashes + 2 && count_slashes(out.substr(slashes)) == 2) {
      host = out.size();
    }
  }
  if (host == 0 || out.size() == i) return std::nullopt;
  return out.append(text.substr(i));
}

std::optional<std::string> doubled_scheme(std::string_view text, const Url&) {
  const size_t before = text.size();
  while (const size_t length = http_length(text)) {
    std::string_view rest = text.substr(length);
    if (!rest.starts_with(':')) break;
    rest.remove_prefix(1);
    rest.remove_prefix(count_slashes(rest));
    const size_t second = http_length(rest);
    if (second == 0 || !rest.substr(second).starts_with("://")) break;
    text = rest;
  }
  if (text.size() == before) return std::nullopt;
  return std::string(text);
}

// http//host, http;//host
std::optional<std::string> missing_colon(std::string_view text, const Url&) {
  const size_t length = http_length(text);
  if (length == 0) return std::nullopt;
  std::string_view rest = text.substr(length);
  if (rest.starts_with(';')) rest.remove_prefix(1);
  if (count_slashes(rest) < 2 || !starts_with_host(rest.substr(count_slashes(rest)))) {
    return std::nullopt;
  }
  return std::string(text.substr(0, length)).append(":").append(rest);
}

// http:/host, http:host. With a base of the same scheme the standard takes these for paths.
std::optional<std::string> missing_slash(std::string_view text, const Url&) {
  const size_t length = http_length(text);
  if (length == 0 || !text.substr(length).starts_with(':')) return std::nullopt;
  std::string_view rest = text.substr(length + 1);
  const size_t slashes = count_slashes(rest);
  rest.remove_prefix(slashes);
  if (slashes > 1 || !starts_with_host(rest)) return std::nullopt;
  return std::string(text.substr(0, length)).append("://").append(rest);
}

std::optional<std::string> missing_scheme(std::string_view text, const Url& base) {
  if (!starts_with_ignoring_case(text, "www.") || !starts_with_host(text)) return std::nullopt;
  return std::string(base.is_http() ? base.scheme() : "http").append("://").append(text);
}

constexpr Repair kRepairs[] = {space_around,  space_inside,  doubled_scheme,
                               missing_colon, missing_slash, missing_scheme};
static_assert(std::size(kRepairs) == kLinkRepairs.size());

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<Url> parse_link(std::string_view href, const Url& base,
                       std::vector<std::string_view>* applied) {
  std::string_view text = trimmed(href);
  std::string storage;
  for (size_t i = 0; i < std::size(kRepairs); ++i) {
    std::optional<std::string> better = kRepairs[i](text, base);
    if (!better) continue;
    storage = *std::move(better);
    text = storage;
    if (applied) applied->push_back(kLinkRepairs[i].name);
  }
  return Url::parse(text, &base);
}

}  // namespace dowser
