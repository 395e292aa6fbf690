#include "serve/http_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

#include "model/percent_encode.h"

namespace dowser {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

bool is_token_char(char c) {
  const char l = ascii_lower(c);
  return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

// What may stand in a target or a host: no white space, no control characters.
bool is_visible(char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; }

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Takes the first line off `text`; without its line end, which may be \r\n or \n.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Calls `each` with the words of "a, b, c".
template <class Each>
void for_each_item(std::string_view list, Each&& each) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trim(list.substr(0, comma));
    if (!item.empty()) each(item);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

Response bad_request(std::string sentence) {
  return plain_answer(400, "Bad Request", std::move(sentence));
}

// Reads "GET /a HTTP/1.1"; the answer that refuses it where it is no such line.
std::optional<Response> read_request_line(std::string_view line, HttpRequest& request) {
  const size_t first = line.find(' ');
  const size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
  if (second == line.npos) return bad_request("The request line is not METHOD TARGET VERSION.");
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, second - first - 1);
  const std::string_view version = line.substr(second + 1);
  if (!is_token(request.method)) return bad_request("The method of the request is not a word.");
  if (request.target.empty() ||
      !std::all_of(request.target.begin(), request.target.end(), is_visible)) {
    return bad_request("The target of the request is empty or contains control characters.");
  }
  const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                          version[6] == '.' && hex_value(version[7]) >= 0;
  if (!is_version) return bad_request("The request line does not end with a version of HTTP.");
  if (version[5] != '1') {
    return plain_answer(505, "HTTP Version Not Supported", "This server speaks HTTP/1.1.");
  }
  request.keep_alive = version[7] != '0';
  return std::nullopt;
}

struct SeenFields {
  bool length = false, encoding = false;
};

std::optional<Response> read_field(std::string_view line, HttpRequest& request, SeenFields& seen) {
  const size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon))) {
    return bad_request("A line of the request's header is not a field NAME: VALUE.");
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trim(line.substr(colon + 1));
  if (same_name(name, "Host")) {
    const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
      return is_visible(c) && std::string_view("/\\?#@").find(c) == std::string_view::npos;
    });
    if (!plain) return bad_request("The Host field is not a host.");
    if (!request.host.empty()) return bad_request("The request has two Host fields.");
    request.host = value;
  } else if (same_name(name, "Origin")) {
    if (!request.origin.empty()) return bad_request("The request has two Origin fields.");
    request.origin = value;
  } else if (same_name(name, "Authorization")) {
    request.authorization = value;
  } else if (same_name(name, "Connection")) {
    for_each_item(value, [&](std::string_view option) {
      if (same_name(option, "close")) request.keep_alive = false;
      if (same_name(option, "keep-alive")) request.keep_alive = true;
    });
  } else if (same_name(name, "Content-Type")) {
    request.content_type = value;
  } else if (same_name(name, "Expect")) {
    request.expects_continue = same_name(value, "100-continue");
  } else if (same_name(name, "Content-Length")) {
    if (seen.length) return bad_request("The request has two Content-Length fields.");
    seen.length = true;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, request.content_length);
    if (error != std::errc() || stop != end) {
      return bad_request("The Content-Length of the request is not a number.");
    }
  } else if (same_name(name, "Transfer-Encoding")) {
    if (seen.encoding) return bad_request("The request has two Transfer-Encoding fields.");
    seen.encoding = true;
    if (!same_name(value, "chunked")) {
      return plain_answer(501, "Not Implemented",
                          "The only Transfer-Encoding that this server reads is chunked.");
    }
    request.chunked = true;
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 10> kOfTheConnection = {
    "Connection",
    "Keep-Alive",
    "Content-Length",
    "Transfer-Encoding",
    "Proxy-Connection",
    "Proxy-Authenticate",
    "TE",
    "Trailer",
    "Upgrade",
    "Proxy-Authorization",
};

bool holds(const auto& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view other) { return same_name(other, name); });
}

// Archives hold what servers sent: a line end in a value would start a new field.
void append_line(std::string& out, std::string_view value) {
  std::replace_copy_if(
      value.begin(), value.end(), std::back_inserter(out),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  out += "\r\n";
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  append_line(out, value);
}

}  // namespace

size_t head_size(std::string_view input, size_t from) {
  // An empty line is "\n\n" or "\n\r\n", and may have begun two bytes before.
  size_t at = from < 2 ? 0 : from - 2;
  while ((at = input.find('\n', at)) != input.npos) {
    const std::string_view rest = input.substr(at + 1);
    if (rest.starts_with('\n')) return at + 2;
    if (rest.starts_with("\r\n")) return at + 3;
    ++at;
  }
  return input.npos;
}

std::variant<HttpRequest, Response> parse_request(std::string_view head) {
  HttpRequest request;
  if (auto refusal = read_request_line(take_line(head), request)) return std::move(*refusal);
  const bool is_http_1_0 = !request.keep_alive;  // until the fields say otherwise
  SeenFields seen;
  for (std::string_view line = take_line(head); !line.empty(); line = take_line(head)) {
    if (auto refusal = read_field(line, request, seen)) return std::move(*refusal);
  }
  // RFC 9112, 6.1 and 6.3: with both fields, or with chunks in HTTP/1.0, two programs might
  // disagree about where the request ends.
  if (seen.length && seen.encoding) {
    return bad_request("The request has both Content-Length and Transfer-Encoding.");
  }
  if (seen.encoding && is_http_1_0) {
    return bad_request("A request of HTTP/1.0 cannot have a Transfer-Encoding.");
  }
  if (request.host.empty() && request.target.starts_with('/') && !is_http_1_0) {
    return bad_request("The request names no host: it needs a Host field.");
  }
  return request;
}

Response plain_answer(int status, std::string reason, std::string sentence) {
  Response response;
  response.status = status;
  response.reason = std::move(reason);
  response.headers.add("Content-Type", "text/plain; charset=utf-8");
  response.body = std::move(sentence) + "\n";
  return response;
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

std::string answer_head(const Response& response, size_t body_size, bool keep_alive) {
  std::vector<std::string_view> named;
  for (const auto& [name, value] : response.headers) {
    if (!same_name(name, "Connection")) continue;
    for_each_item(value, [&](std::string_view item) { named.push_back(item); });
  }
  std::string head = fmt::format("HTTP/1.1 {} ", response.status);
  append_line(head, response.reason);
  for (const auto& [name, value] : response.headers) {
    if (is_token(name) && !holds(kOfTheConnection, name) && !holds(named, name)) {
      append_field(head, name, value);
    }
  }
  if (may_have_body(response.status)) {
    append_field(head, "Content-Length", fmt::format_int(body_size).c_str());
  }
  append_field(head, "Connection", keep_alive ? "keep-alive" : "close");
  return head += "\r\n";
}

}  // namespace dowser
