#include "serve/http_connection.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace dowser {
namespace {

constexpr size_t kPiece = 16 * 1024;
// Answers to one client before the others have their turn.
constexpr int kTurn = 16;
// How long a client has to take what was sent to it before the connection is cut.
constexpr std::chrono::milliseconds kLinger{2000};

}  // namespace

HttpConnection::HttpConnection(int socket, const HttpService& service)
    : socket_(socket),
      service_(service),
      deadline_(std::chrono::steady_clock::now() + service.limits.slow) {}

HttpConnection::~HttpConnection() { close(socket_); }

HttpConnection::WaitFor HttpConnection::go_on(Moment now) {
  for (int turn = 0; turn < kTurn;) {
    if (has_output()) {
      const Io io = write(now);
      if (io == Io::kBlocked) return WaitFor::kOutput;
      if (io == Io::kOver) return WaitFor::kNothing;
      if (closing_) start_lingering(now);
    }
    if (!lingering_ && answer_next(now)) {
      ++turn;
      continue;
    }
    const Io io = read(now);
    if (io == Io::kBlocked) return WaitFor::kInput;
    if (io == Io::kOver) return WaitFor::kNothing;
    if (lingering_) ++turn;
  }
  // More may stand in input_, of which the kernel knows nothing; that there is room for output is
  // certain to wake us.
  return WaitFor::kOutput;
}

// Answers the first request of the input, or refuses it. Returns true if there is something to
// write, and false if more input is needed.
bool HttpConnection::answer_next(Moment now) {
  if (!request_ && !read_head(now)) return has_output();
  return read_body();
}

void HttpConnection::refuse(int status, std::string reason, std::string sentence) {
  send(plain_answer(status, std::move(reason), std::move(sentence)), false, true);
}

// Reads the head of the next request into request_. Returns false if it is not complete, or if the
// request was refused.
bool HttpConnection::read_head(Moment now) {
  // RFC 9112, 2.2: empty lines before a request are not requests.
  const size_t begin = std::min(input_.find_first_not_of("\r\n"), input_.size());
  if (begin > 0) {
    input_.erase(0, begin);
    searched_ = 0;
  }
  if (input_.empty()) return false;
  const size_t size = head_size(input_, searched_);
  if (size == input_.npos && input_.size() <= service_.limits.head) {
    if (searched_ == 0) deadline_ = now + service_.limits.slow;
    searched_ = input_.size();
    return false;
  }
  searched_ = 0;
  if (size > service_.limits.head) {  // npos included
    refuse(431, "Request Header Fields Too Large", "The request's header is too large.");
    return false;
  }
  request_head_.assign(input_, 0, size);
  input_.erase(0, size);
  auto parsed = parse_request(request_head_);
  if (auto* refusal = std::get_if<Response>(&parsed)) {
    send(std::move(*refusal), false, true);
    return false;
  }
  request_ = std::get<HttpRequest>(parsed);
  request_->port = service_.port;
  request_body_.emplace(*request_, service_.limits.body);
  if (request_body_->state() != RequestBody::State::kComplete) {
    deadline_ = now + service_.limits.slow;
  }
  return true;
}

// Reads the body of request_ and, when it is complete, answers the request. Returns false if more
// input is needed.
bool HttpConnection::read_body() {
  switch (request_body_->read(input_)) {
    case RequestBody::State::kIncomplete:
      if (!std::exchange(request_->expects_continue, false)) return false;
      head_ = "HTTP/1.1 100 Continue\r\n\r\n";
      body_.clear();
      written_ = 0;
      return true;
    case RequestBody::State::kTooLarge:
      refuse(413, "Content Too Large", "The request's body is too large.");
      break;
    case RequestBody::State::kBroken:
      refuse(400, "Bad Request", "The chunks of the request's body are malformed.");
      break;
    case RequestBody::State::kComplete:
      request_->body = request_body_->data();
      send(service_.handler(*request_), request_->keep_alive, request_->method != "HEAD");
      break;
  }
  request_.reset();
  request_body_.reset();
  return true;
}

void HttpConnection::send(Response response, bool keep_alive, bool with_body) {
  closing_ = !keep_alive;
  written_ = 0;
  head_ = answer_head(response, response.body.size(), keep_alive);
  if (with_body && may_have_body(response.status)) {
    body_ = std::move(response.body);
  } else {
    body_.clear();
  }
}

HttpConnection::Io HttpConnection::read(Moment now) {
  char piece[kPiece];
  while (true) {
    const ssize_t n = recv(socket_, piece, sizeof piece, 0);
    if (n > 0) {
      if (!lingering_) input_.append(piece, static_cast<size_t>(n));
      return Io::kDone;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return Io::kOver;
    if (!lingering_ && !request_ && input_.empty()) deadline_ = now + service_.limits.idle;
    return Io::kBlocked;
  }
}

HttpConnection::Io HttpConnection::write(Moment now) {
  while (has_output()) {
    iovec parts[2];
    int count = 0;
    if (written_ < head_.size()) {
      parts[count++] = {head_.data() + written_, head_.size() - written_};
    }
    const size_t of_body = written_ - std::min(written_, head_.size());
    if (of_body < body_.size()) {
      parts[count++] = {body_.data() + of_body, body_.size() - of_body};
    }
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = static_cast<size_t>(count);
    const ssize_t n = sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (n >= 0) {
      written_ += static_cast<size_t>(n);
      deadline_ = now + service_.limits.slow;
      continue;
    }
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? Io::kBlocked : Io::kOver;
  }
  return Io::kDone;
}

// Closing with input unread makes the kernel reset the connection, which may cost the client the
// end of its answer. So our side is closed, and the client's is read until it closes too.
void HttpConnection::start_lingering(Moment now) {
  lingering_ = true;
  closing_ = false;
  input_.clear();
  shutdown(socket_, SHUT_WR);
  deadline_ = now + kLinger;
}

}  // namespace dowser
