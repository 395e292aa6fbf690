#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "model/response.h"
#include "serve/http_message.h"
#include "serve/request_body.h"

namespace dowser {

// Answers a request. Called by every thread of a server, several at a time.
using HttpHandler = std::function<Response(const HttpRequest&)>;

struct HttpLimits {
  size_t head = 64 * 1024;                // bytes of a request's head
  size_t body = 1024 * 1024;              // bytes of a request's body; a larger one is refused: 413
  std::chrono::milliseconds idle{60000};  // between an answer and the next request
  std::chrono::milliseconds slow{
      10000};  // for a head or a body to arrive, or some bytes to be read
};

// What the connections of a server share.
struct HttpService {
  HttpHandler handler;
  HttpLimits limits;
  uint16_t port = 0;
};

// One client of a server: reads requests, has them answered in their order, writes the answers. It
// never blocks; its owner calls go_on() when the socket is ready.
class HttpConnection {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  enum class WaitFor { kInput, kOutput, kNothing };  // kNothing: it has ended

  // Owns the socket, which does not block. The service must outlive it.
  HttpConnection(int socket, const HttpService& service);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Does as much as is possible now. At most one answer waits to be written, so a client that sends
  // requests and does not read the answers uses no memory.
  WaitFor go_on(Moment now);
  bool is_overdue(Moment now) const { return now > deadline_; }
  int socket() const { return socket_; }

 private:
  enum class Io { kDone, kBlocked, kOver };

  bool answer_next(Moment now);
  bool read_head(Moment now);
  bool read_body();
  void refuse(int status, std::string reason, std::string sentence);
  void send(Response response, bool keep_alive, bool with_body);
  Io read(Moment now);
  Io write(Moment now);
  void start_lingering(Moment now);
  bool has_output() const { return written_ < head_.size() + body_.size(); }

  const int socket_;
  const HttpService& service_;
  std::string input_;                   // bytes that were received and not yet parsed
  size_t searched_ = 0;                 // bytes of input_ that contain no end of a head
  std::string request_head_;            // the bytes that request_ refers to
  std::optional<HttpRequest> request_;  // the request whose body is being read
  std::optional<RequestBody> request_body_;
  std::string head_, body_;
  size_t written_ = 0;  // of head_ and body_
  bool closing_ = false;
  bool lingering_ = false;
  Moment deadline_;
};

}  // namespace dowser
