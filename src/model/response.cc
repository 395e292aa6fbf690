#include "model/response.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dowser {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Takes the first line off `text`; without its line end, which may be \r\n or \n.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "HTTP/1.1 200 OK"; the version and the reason may be missing: "HTTP 200".
bool read_status_line(std::string_view line, Response& response) {
  if (line.size() < 4 || !same_name(line.substr(0, 4), "HTTP")) return false;
  const size_t space = line.find_first_of(" \t");
  if (space == std::string_view::npos) return false;
  const std::string_view rest = trim(line.substr(space));
  const char* const end = rest.data() + std::min<size_t>(rest.size(), 3);
  const auto [stop, error] = std::from_chars(rest.data(), end, response.status);
  if (error != std::errc() || stop != rest.data() + 3 || response.status < 100) return false;
  response.reason = trim(rest.substr(3));
  return true;
}

// Takes the header fields and the empty line after them off `text`.
Headers take_headers(std::string_view& text) {
  std::vector<std::pair<std::string, std::string>> fields;
  while (!text.empty()) {
    // A server that forgot the empty line: no field starts like this, but most pages do.
    if (text.front() == '<') break;
    const std::string_view line = take_line(text);
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!fields.empty() && !trim(line).empty())
        fields.back().second.append(" ").append(trim(line));
      continue;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trim(line.substr(0, colon));
    if (!name.empty()) fields.emplace_back(name, trim(line.substr(colon + 1)));
  }
  Headers headers;
  for (auto& [name, value] : fields) headers.add(std::move(name), std::move(value));
  return headers;
}

struct Joined {
  std::string body;
  bool truncated = false;
};

// The size that starts a chunk, taken off `text` with its line; nothing if there is none.
std::optional<size_t> take_chunk_size(std::string_view& text) {
  std::string_view after = text;
  std::string_view line = take_line(after);
  line = trim(line.substr(0, line.find(';')));
  uint64_t size = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
  if (error != std::errc() || stop != line.data() + line.size()) return std::nullopt;
  text = after;
  return static_cast<size_t>(size);
}

// The chunks of `text` as one body, or nothing if it is not chunked at all.
std::optional<Joined> join_chunks(std::string_view text) {
  Joined joined;
  for (bool first = true; true; first = false) {
    const std::optional<size_t> size = take_chunk_size(text);
    if (!size) {
      if (first) return std::nullopt;
      joined.truncated = true;
      return joined;
    }
    if (*size == 0) return joined;
    joined.body += text.substr(0, *size);
    if (*size > text.size()) {
      joined.truncated = true;
      return joined;
    }
    text.remove_prefix(*size);
    // Where no line end follows, the "size" was the first word of a plain body.
    if (!text.empty() && !text.starts_with("\r\n") && !text.starts_with("\n")) {
      if (first) return std::nullopt;
      joined.truncated = true;
      return joined;
    }
    take_line(text);
  }
}

bool claims_chunks(const Headers& headers) {
  const auto coding = headers.get("Transfer-Encoding");
  if (!coding) return false;
  std::string text(*coding);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text.find("chunked") != std::string::npos;
}

// A line end inside a value would start a new field.
void append_line(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\r' || c == '\n' ? ' ' : c;
  out += "\r\n";
}

// Well-formed UTF-8, over-long forms and surrogates aside: they cannot be told from Latin-1 anyway.
bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int more = first < 0x80                    ? 0
                     : first >= 0xc2 && first < 0xe0 ? 1
                     : first >= 0xe0 && first < 0xf0 ? 2
                     : first >= 0xf0 && first < 0xf5 ? 3
                                                     : -1;
    if (more < 0) return false;
    for (int n = 0; n < more; ++n, ++i) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

// Bytes that are not ASCII as %XX. So browsers send a Latin-1 Location back to its server.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    byte < 0x80 ? out += c : out += fmt::format("%{:02X}", byte);
  }
  return out;
}

}  // namespace

void Headers::add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

std::optional<std::string_view> Headers::get(std::string_view name) const {
  for (const auto& [field, value] : fields_) {
    if (same_name(field, name)) return value;
  }
  return std::nullopt;
}

std::string_view name_of(Failure failure) {
  switch (failure) {
    case Failure::kNone:
      return "none";
    case Failure::kNotInArchive:
      return "not-in-archive";
    case Failure::kRobots:
      return "robots";
    case Failure::kRobotsFailed:
      return "robots-failed";
    case Failure::kTooManyRedirects:
      return "too-many-redirects";
    case Failure::kBadRedirect:
      return "bad-redirect";
    case Failure::kBadAddress:
      return "bad-address";
    case Failure::kForbiddenAddress:
      return "forbidden-address";
    case Failure::kDns:
      return "dns";
    case Failure::kTimeoutDns:
      return "timeout-dns";
    case Failure::kConnect:
      return "connect";
    case Failure::kTimeoutConnect:
      return "timeout-connect";
    case Failure::kTls:
      return "tls";
    case Failure::kTimeoutFirstByte:
      return "timeout-first-byte";
    case Failure::kTimeoutStall:
      return "timeout-stall";
    case Failure::kTimeoutTotal:
      return "timeout-total";
    case Failure::kReset:
      return "reset";
    case Failure::kBadHttp:
      return "bad-http";
    case Failure::kHeaderTooLarge:
      return "header-too-large";
    case Failure::kUnwantedType:
      return "unwanted-type";
    case Failure::kUnwantedSize:
      return "unwanted-size";
    case Failure::kOther:
      return "other";
  }
  return "unknown";
}

Failure failure_named(std::string_view name) {
  for (int i = 0; i < kFailures; ++i) {
    if (name_of(static_cast<Failure>(i)) == name) return static_cast<Failure>(i);
  }
  return Failure::kOther;
}

bool Response::is_redirect() const {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Url Response::redirect_target() const {
  const auto location = headers.get("Location");
  if (!location) return {};
  Result<Url> target =
      Url::parse(is_utf8(*location) ? std::string(*location) : escaped(*location), &url);
  return target && target->is_http() ? target->without_credentials() : Url();
}

constexpr size_t kMaxType = 255;

std::optional<uint64_t> Response::content_length() const {
  const std::string_view text = trim(headers.get("Content-Length").value_or(""));
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

std::string Response::content_type() const {
  std::string_view value = headers.get("Content-Type").value_or("");
  // Several types with commas come from servers that send the field twice: the first one counts.
  std::string type(trim(value.substr(0, value.find_first_of(";,"))));
  if (type.size() > kMaxType) return {};  // RFC 6838 §4.2: no type has such a name
  std::transform(type.begin(), type.end(), type.begin(), lower);
  return type;
}

Validators validators_of(const Response& response) {
  // A 304 may bring newer ones for the page that it stands for.
  const bool is_page = response.ok() || response.status == 304;
  if (!is_page || response.failure != Failure::kNone || response.cut_by != Failure::kNone) {
    return {};
  }
  return {std::string(response.headers.get("ETag").value_or("")),
          std::string(response.headers.get("Last-Modified").value_or(""))};
}

std::string response_head(const Response& response) {
  std::string head;
  append_line(head, fmt::format("HTTP/1.1 {} {}", response.status, response.reason));
  for (const auto& [name, value] : response.headers) {
    // The body of a Response has no transfer encoding, so a head that promised one would lie.
    if (same_name(name, "Transfer-Encoding")) continue;
    append_line(head, fmt::format("{}: {}", name, value));
  }
  head += "\r\n";
  return head;
}

Result<Response> parse_response(std::string_view message) {
  while (message.starts_with('\r') || message.starts_with('\n')) message.remove_prefix(1);
  Response response;
  if (!read_status_line(take_line(message), response)) {
    return Error{"the message does not start with a status line like HTTP/1.1 200 OK"};
  }
  response.headers = take_headers(message);
  if (claims_chunks(response.headers)) {
    if (std::optional<Joined> joined = join_chunks(message)) {
      response.body = std::move(joined->body);
      response.truncated = joined->truncated;
      return response;
    }
  }
  response.body = message;
  return response;
}

}  // namespace dowser
