#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/url.h"

namespace dowser {

// HTTP header fields in the order they came, with the spelling they had.
class Headers {
 public:
  void add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  // The value of the first field of that name (case does not matter), or nothing.
  std::optional<std::string_view> get(std::string_view name) const;

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  bool empty() const { return fields_.empty(); }
  size_t size() const { return fields_.size(); }
  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// Why there is no answer. (A 404 is an answer.)
enum class Failure : uint8_t {
  kNone,
  kNotInArchive,  // an archived web does not hold the address
  kRobots,        // robots.txt forbids it
  kTooManyRedirects,
  kBadRedirect,  // a redirect without a Location, or to what is no http address
};
std::string_view name_of(Failure failure);

// What came back from a web for one address: the answer of the server, or the failure to get one.
struct Response {
  Url url;  // the address that was asked for
  Failure failure = Failure::kNone;
  int status = 0;      // 0 where there is a failure
  std::string reason;  // of the status line: "Not Found"
  Headers headers;
  std::string body;        // as it came, still content-encoded; transfer encoding removed
  bool truncated = false;  // a limit cut the body
  Time fetched_at;

  bool ok() const { return failure == Failure::kNone && status >= 200 && status < 300; }
  bool is_redirect() const;  // 301, 302, 303, 307, 308
  // Where a redirect leads; an empty Url where it names no http address.
  Url redirect_target() const;
  // Of the Content-Type header: lower case, without parameters; "" where there is none.
  std::string content_type() const;
};

// The head of a message: "HTTP/1.1 200 OK\r\nServer: …\r\n\r\n".
std::string response_head(const Response& response);

// Reads a message as stored in archives. Tolerant, as archives hold what servers sent: bare \n, no
// reason, folded lines, junk lines; chunked bodies are joined, and a body that claims to be chunked
// but is not is kept as it is. Error only where the first line is no status line.
Result<Response> parse_response(std::string_view message);

}  // namespace dowser
