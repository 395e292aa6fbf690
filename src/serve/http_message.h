#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/response.h"

// HTTP/1.1 for a server (RFC 9112): parses the heads of requests and writes the heads of answers.
// It is strict where leniency would let two programs see two different requests.

namespace dowser {

// A request. Views into the bytes it was read from.
struct HttpRequest {
  std::string_view method;
  std::string_view target;         // exactly as it came: "/a%20b?c", "http://example.org/"
  std::string_view host;           // of the Host field; "" if there is none
  std::string_view origin;         // of the Origin field; "" if there is none
  std::string_view authorization;  // that field: "Bearer 0a1b"; "" if there is none
  uint16_t port = 0;               // that the server listens on
  bool keep_alive = true;
  uint64_t content_length = 0;
  bool chunked = false;           // the body comes in chunks, and content_length is 0
  bool expects_continue = false;  // the client waits for "100 Continue" before it sends the body
  std::string_view content_type;  // "" if there is none
  std::string_view body;          // decoded; set by the connection, not by parse_request()
};

// The size of the head at the front of `input`, its empty line included; npos while there is none.
// `from` is how much of `input` an earlier call has seen.
size_t head_size(std::string_view input, size_t from = 0);

// The request, or the answer that refuses it.
std::variant<HttpRequest, Response> parse_request(std::string_view head);

// An answer of the server itself: a sentence, as plain text.
Response plain_answer(int status, std::string reason, std::string sentence);

// False for the statuses that never have a body: 1xx, 204, 304.
bool may_have_body(int status);

// The head that goes before a body of `body_size` bytes. Of the response's own fields those that
// speak of another connection than this one are left out: Connection and what it names,
// Transfer-Encoding, Content-Length and so on.
std::string answer_head(const Response& response, size_t body_size, bool keep_alive);

}  // namespace dowser
