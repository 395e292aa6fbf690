#include "serve/token.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/percent_encode.h"

namespace dowser {
namespace {

bool is_same(std::string_view given, std::string_view token) {
  if (token.empty() || given.size() != token.size()) return false;
  volatile unsigned char difference = 0;  // volatile: no compiler may stop at the first one
  for (size_t i = 0; i < token.size(); ++i) {
    difference = difference | static_cast<unsigned char>(given[i] ^ token[i]);
  }
  return difference == 0;
}

// "abc" of "Bearer abc"; the name of the scheme may be in any case (RFC 9110, 11.1).
std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view start = authorization.substr(0, kScheme.size());
  const bool is_bearer = std::equal(start.begin(), start.end(), kScheme.begin(), kScheme.end(),
                                    [](char a, char b) { return ascii_lower(a) == b; });
  return is_bearer ? authorization.substr(kScheme.size()) : std::string_view();
}

// The value of the parameter `token` of a target; the first one counts.
std::string_view parameter_of(std::string_view target) {
  constexpr std::string_view kName = "token=";
  std::string_view rest = target.substr(std::min(target.find('?'), target.size()));
  while (!rest.empty()) {
    rest.remove_prefix(1);  // ? or &
    const std::string_view pair = rest.substr(0, rest.find('&'));
    if (pair.starts_with(kName)) return pair.substr(kName.size());
    rest.remove_prefix(pair.size());
  }
  return {};
}

// "[::1]" of "[::1]:8790".
std::string_view without_port(std::string_view host) {
  const size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

bool is_this_machine(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  const auto same = [](char a, char b) { return ascii_lower(a) == b; };
  return host == "127.0.0.1" || host == "[::1]" ||
         std::equal(host.begin(), host.end(), kName.begin(), kName.end(), same);
}

bool is_own_origin(const HttpRequest& request) {
  const std::string_view origin = request.origin;
  return origin.empty() || origin.starts_with("chrome-extension://") ||
         origin.starts_with("moz-extension://") ||
         (origin.starts_with("http://") && origin.substr(7) == request.host);
}

}  // namespace

Result<std::string> random_token() {
  std::array<uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Error{"the operating system gave no random bytes for a token"};
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::optional<Response> refusal_of(const HttpRequest& request, std::string_view token) {
  if (!is_this_machine(without_port(request.host)) || !is_own_origin(request)) {
    return plain_answer(403, "Forbidden",
                        "This service answers programs of this machine that ask for it as "
                        "127.0.0.1, [::1] or localhost, and no pages of the web.");
  }
  if (is_same(bearer_of(request.authorization), token) ||
      is_same(parameter_of(request.target), token)) {
    return std::nullopt;
  }
  Response response = plain_answer(401, "Unauthorized",
                                   "Send the token that was printed at the start, or was set, as "
                                   "'Authorization: Bearer TOKEN'.");
  response.headers.add("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace dowser
