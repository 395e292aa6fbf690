#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serve/http_message.h"

// Any program of this machine and any page in its browser can reach what listens on loopback. A
// service that answers only to those who were shown a token is open to neither.

namespace dowser {

// 32 hexadecimal digits of the operating system's randomness.
Result<std::string> random_token();

// The answer that refuses a request, or nothing if it is admitted. An admitted request
//
//   - carries the token, as "Authorization: Bearer TOKEN" or as "?token=TOKEN". How long that takes
//     to find out says nothing about the token but its length;
//   - was sent to this machine by name: a page of the web that lets its own name lead to 127.0.0.1
//     (DNS rebinding) is refused, even if it knows the token;
//   - comes from no page of the web: an Origin is that of this service, or of an extension.
std::optional<Response> refusal_of(const HttpRequest& request, std::string_view token);

}  // namespace dowser
