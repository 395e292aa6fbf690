#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/response.h"
#include "model/url.h"

// What a request says: as little as will do, the same for every address, and nothing that an
// address or a field could smuggle in.

namespace dowser {

// The fields besides Host and User-Agent, as (name, value): what we understand, then If-None-Match
// and If-Modified-Since where a validator can be sent. One with a control character could start
// another field; one of many bytes would have every request refused as too large.
Headers request_fields(const Validators& validators);
inline constexpr size_t kMaxValidatorBytes = 1024;

// Without line ends, which would start another field.
std::string one_line(std::string text);

// The head of the request as it goes over the wire in HTTP/1.1.
std::string request_head(const Url& url, std::string_view user_agent, const Headers& fields);

// "http://example.org:8080/": no user, no password, no path, no dot after the name.
std::string server_of(const Url& url);

}  // namespace dowser
