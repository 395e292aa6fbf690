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

bool is_field_name(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != kMarks.npos;
  });
}

}  // namespace

Headers request_fields(const Headers& extra) {
  Headers fields;
  fields.add("Accept", kAccept);
  fields.add("Accept-Encoding", kAcceptEncoding);
  for (const auto& [name, value] : extra) {
    if (is_field_name(name) && std::ranges::none_of(value, is_control)) fields.add(name, value);
  }
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
    head.append("\r\n").append(name).append(value.empty() ? ":" : ": ").append(value);
  }
  return head + "\r\n\r\n";
}

std::string server_of(const Url& url) {
  return fmt::format("{}://{}:{}/", url.scheme(), name_without_dot(url), url.effective_port());
}

}  // namespace dowser
