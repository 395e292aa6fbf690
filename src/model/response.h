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
  void add(std::string name, std::string value);
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
  kRobotsFailed,  // robots.txt was answered with 5xx or 429, or did not come whole: all is
                  // forbidden
  kTooManyRedirects,
  kBadRedirect,       // a redirect without a Location, or to what is not an http address
  kBadAddress,        // nothing that HTTP can ask for
  kForbiddenAddress,  // the host is, or its name leads to, a private address
  kDns,               // the host has no address
  kTimeoutDns,        // the name servers did not tell, in time or at all
  kConnect,           // refused, or no way there
  kTimeoutConnect,    // TCP and TLS together took too long
  kTls,               // no common cipher, a bad certificate, not TLS at all
  kTimeoutFirstByte,  // asked, and no answer began
  kTimeoutStall,      // the answer began and then nothing came for too long
  kTimeoutTotal,      // bytes kept coming, but for too long
  kReset,             // the connection closed before anything of use came
  kBadHttp,           // no status line, broken chunks, broken HTTP/2 frames
  kHeaderTooLarge,
  kUnwantedType,  // stopped after the head, which is here: a picture, an archive, …
  kUnwantedSize,  // likewise: a document that is too small to be a paper, or too large
  kOther,
};
inline constexpr int kFailures = static_cast<int>(Failure::kOther) + 1;

std::string_view name_of(Failure failure);     // "timeout-stall"
Failure failure_named(std::string_view name);  // kOther where there is none of that name

// What came back from a web for one address: the answer of the server, or the failure to get one.
struct Response {
  Url url;  // the address that was asked for
  Failure failure = Failure::kNone;
  int status = 0;      // of the head; where there is a failure it may not have come
  std::string reason;  // of the status line: "Not Found"
  Headers headers;
  std::string body;                 // as it came, still content-encoded; transfer encoding removed
  bool truncated = false;           // the body was cut: by a limit, or by
  Failure cut_by = Failure::kNone;  // what ended the transfer after a part of the body had come
  std::string detail;          // of the failure or the cut, for people: "certificate has expired"
  std::string request_head;    // "GET / HTTP/1.1\r\n…\r\n\r\n" as it was sent; "" where not known
  std::string remote_address;  // "192.0.2.1", "2001:db8::1"; "" if no server was reached
  Time fetched_at;
  // Of a 304: all else here is of the answer that was fetched then, and this is the 304's own head.
  std::optional<Time> unchanged_since;
  std::string not_modified_head;
  Duration elapsed{};  // from the start of the request to its end

  // False where robots.txt spoke against it.
  bool was_asked_for() const {
    return failure != Failure::kRobots && failure != Failure::kRobotsFailed;
  }
  bool ok() const { return failure == Failure::kNone && status >= 200 && status < 300; }
  bool is_redirect() const;  // 301, 302, 303, 307, 308
  // Where a redirect leads; an empty Url where it names no http address.
  Url redirect_target() const;
  // Of the Content-Length header; nothing if there is none, or it is not a number.
  std::optional<uint64_t> content_length() const;
  // Of the Content-Type header: lower case, without parameters; "" if there is none.
  std::string content_type() const;
};

// What a server gave its answer to be known by, so that it can be asked later whether that still
// holds (RFC 9110 §13). A text is "" if the server gave none.
struct Validators {
  std::string etag;           // W/"abc", with the quotes
  std::string last_modified;  // "Sat, 29 Oct 1994 19:43:31 GMT", in the server's spelling

  bool empty() const { return etag.empty() && last_modified.empty(); }
  friend bool operator==(const Validators&, const Validators&) = default;
};
// Nothing for an answer that is not a page, nor for a page that broke off: "not modified" would
// make that half the last word. (One that our own limit cut would be cut again.)
Validators validators_of(const Response& response);

// The head of a message: "HTTP/1.1 200 OK\r\nServer: …\r\n\r\n".
std::string response_head(const Response& response);

// Reads a message as stored in archives. Tolerant, as archives hold what servers sent: bare \n, no
// reason, folded lines, junk lines; chunked bodies are joined, and a body that claims to be chunked
// but is not is kept as it is. Error only where the first line is not a status line.
Result<Response> parse_response(std::string_view message);

}  // namespace dowser
