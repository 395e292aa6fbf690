#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "serve/http_message.h"

// Any program of this machine and any page in its browser can reach what listens on loopback. A
// service that answers only to those who were shown a token is open to neither.

namespace dowser {

// 32 hexadecimal digits of the operating system's randomness.
Result<std::string> random_token();

// Whether the request carries the token, as "Authorization: Bearer TOKEN" or as "?token=TOKEN". How
// long that takes says nothing about the token but its length.
bool carries_token(const HttpRequest& request, std::string_view token);

// The answer to a request that does not.
Response token_refusal();

}  // namespace dowser
