#include "fetch/http_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "fetch/address_rules.h"

namespace dowser {
namespace {

constexpr const char* kAccept =
    "text/html, application/xhtml+xml, text/plain;q=0.9, application/xml;q=0.8, */*;q=0.1";
// Asked for here and unpacked by parse_page, so that the archive gets what came.
constexpr const char* kAcceptEncoding = "gzip, deflate, br, zstd";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool can_be_sent(std::string_view validator) {
  return !validator.empty() && validator.size() <= kMaxValidatorBytes &&
         std::ranges::none_of(validator, is_control);
}

}  // namespace

Headers request_fields(const Validators& validators) {
  Headers fields;
  fields.add("Accept", kAccept);
  fields.add("Accept-Encoding", kAcceptEncoding);
  const auto& [etag, last_modified] = validators;
  if (can_be_sent(etag)) fields.add("If-None-Match", etag);
  if (can_be_sent(last_modified)) fields.add("If-Modified-Since", last_modified);
  return fields;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

std::string request_head(const Url& url, std::string_view user_agent, const Headers& fields) {
  std::string head =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}", url.request_target(), name_without_dot(url));
  if (url.port()) head += fmt::format(":{}", *url.port());
  if (!user_agent.empty()) head.append("\r\nUser-Agent: ").append(user_agent);
  for (const auto& [name, value] : fields) {
    head.append("\r\n").append(name).append(": ").append(value);
  }
  return head + "\r\n\r\n";
}

std::string server_of(const Url& url) {
  return fmt::format("{}://{}:{}/", url.scheme(), name_without_dot(url), url.effective_port());
}

}  // namespace dowser
