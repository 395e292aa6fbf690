#include "fetch/http_transfer.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "fetch/address_rules.h"
#include "fetch/curl_failure.h"
#include "fetch/http_request.h"

namespace dowser {
namespace {

// curl's own memory of names is only a way to hand over what Resolver knows. It walks through all
// of it after each transfer, so it is kept small.
constexpr long kCurlRemembers = 2;

// '+': curl forgets it again, after kCurlRemembers.
std::string resolve_entry(const Url& url, std::string_view addresses) {
  return fmt::format("+{}:{}:{}", name_without_dot(url), url.effective_port(), addresses);
}

long milliseconds(Duration d) {
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(d).count());
}

}  // namespace

HttpTransfer::HttpTransfer(const LiveWebOptions& options, AddressConnections& connections)
    : options_(options),
      connections_(connections),
      user_agent_(one_line(options.user_agent)),
      handle_(curl_easy_init()) {
  if (!handle_) throw std::bad_alloc();
  set_constant_options();
}

HttpTransfer::~HttpTransfer() { curl_easy_cleanup(handle_); }

HttpTransfer& HttpTransfer::of(CURL* handle) {
  char* self = nullptr;
  curl_easy_getinfo(handle, CURLINFO_PRIVATE, &self);
  return *reinterpret_cast<HttpTransfer*>(self);
}

void HttpTransfer::set_constant_options() {
  const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(handle_, option, value); };
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_ERRORBUFFER, &error_[0]);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROXY, "");  // not even one of the environment
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(CURLOPT_USERAGENT, user_agent_.c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options_.limits.connect));
  set(CURLOPT_DNS_CACHE_TIMEOUT, kCurlRemembers);
  set(CURLOPT_HEADERFUNCTION, on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_PREREQFUNCTION, on_request);
  set(CURLOPT_PREREQDATA, this);
  set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  if (!options_.ca_file.empty()) set(CURLOPT_CAINFO, options_.ca_file.c_str());
}

HttpTransfer::List HttpTransfer::list_of(std::string_view text) {
  return List(text.empty() ? nullptr : curl_slist_append(nullptr, std::string(text).c_str()));
}

HttpTransfer::List HttpTransfer::list_of(const Headers& fields) {
  List list;
  for (const auto& [name, value] : fields) {
    curl_slist* const longer =
        curl_slist_append(list.get(), fmt::format("{}: {}", name, value).c_str());
    if (!list) list.reset(longer);
  }
  return list;
}

void HttpTransfer::begin(FetchJob job, const Route& route) {
  job_ = std::move(job);
  ip_address_ = route.ip;
  may_be_private_ = route.may_be_private;
  refused_ = opened_ = asked_ = head_complete_ = false;
  no_socket_ = 0;
  stop_ = Stop::kNo;
  header_bytes_ = 0;
  head_.clear();
  response_ = Response();
  plan_ = {};
  lease_ = {};
  paused_ = reserved_ = false;
  error_[0] = '\0';

  const Headers fields = request_fields(job_.validators);
  response_.request_head = request_head(job_.url, user_agent_, fields);
  headers_ = list_of(fields);
  resolve_ = list_of(route.addresses.empty() ? "" : resolve_entry(job_.url, route.addresses));
  connect_to_ = list_of(route.elsewhere.empty() ? "" : "::" + route.elsewhere);
  curl_easy_setopt(handle_, CURLOPT_URL, server_of(job_.url).c_str());
  curl_easy_setopt(handle_, CURLOPT_REQUEST_TARGET, std::string(job_.url.request_target()).c_str());
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers_.get());
  curl_easy_setopt(handle_, CURLOPT_RESOLVE, resolve_.get());
  curl_easy_setopt(handle_, CURLOPT_CONNECT_TO, connect_to_.get());
  enter(Phase::kConnecting);
  started_ = last_event_;
}

void HttpTransfer::enter(Phase phase) {
  phase_ = phase;
  last_event_ = std::chrono::steady_clock::now();
}

Duration HttpTransfer::limit() const {
  switch (phase_) {
    case Phase::kConnecting:
      return options_.limits.connect;
    case Phase::kWaiting:
      return options_.limits.first_byte;
    case Phase::kReceiving:
      break;
  }
  return options_.limits.stall;
}

Duration HttpTransfer::total() const {
  return plan_.total > Duration(0) ? plan_.total : options_.limits.total;
}

SteadyTime HttpTransfer::deadline() const {
  if (paused_) return SteadyTime::max();
  return std::min(started_ + total(), last_event_ + limit());
}

Failure HttpTransfer::overdue(SteadyTime now) const {
  if (now < deadline()) return Failure::kNone;
  if (now >= started_ + total()) return Failure::kTimeoutTotal;
  switch (phase_) {
    case Phase::kConnecting:
      return Failure::kTimeoutConnect;
    case Phase::kWaiting:
      return Failure::kTimeoutFirstByte;
    case Phase::kReceiving:
      break;
  }
  return Failure::kTimeoutStall;
}

size_t HttpTransfer::on_header(char* bytes, size_t one, size_t count, void* self) {
  const size_t size = one * count;
  return static_cast<HttpTransfer*>(self)->add_header_line({bytes, size}) ? size : 0;
}

size_t HttpTransfer::on_body(char* bytes, size_t one, size_t count, void* self) {
  const size_t size = one * count;
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (!transfer.reserve_body()) {  // curl keeps these bytes and brings them again
    if (!std::exchange(transfer.paused_, true)) ++*transfer.paused_count;
    transfer.paused_at_ = std::chrono::steady_clock::now();
    return CURL_WRITEFUNC_PAUSE;
  }
  return transfer.add_body({bytes, size}) ? size : 0;
}

size_t HttpTransfer::most_bytes() const {
  return plan_.most_bytes > 0 ? plan_.most_bytes : options_.limits.body_bytes;
}

// The memory for the whole body, once.
bool HttpTransfer::reserve_body() {
  if (!plan_.counts || !options_.budget || reserved_) return true;
  const size_t length = response_.content_length().value_or(most_bytes());
  std::optional<ByteLease> lease = options_.budget->take(std::min(length, most_bytes()));
  if (!lease) return false;
  lease_ = std::move(*lease);
  return reserved_ = true;
}

bool HttpTransfer::try_again() {
  if (!reserve_body()) return false;
  paused_ = false;
  --*paused_count;
  const SteadyTime now = std::chrono::steady_clock::now();
  started_ += now - paused_at_;
  last_event_ = now;
  curl_easy_pause(handle_, CURLPAUSE_CONT);  // calls on_body()
  return true;
}

// The connection stands, new or used before, and the request goes out next.
//
// Where a connection that was used before closes without an answer, curl asks again at once, by
// itself, up to five times: it hopes that the server had closed before it saw the request. A server
// that did see it gets two within a few milliseconds, whatever delay it asked for. So the second
// one is not let out; it is a reset, and when to ask again is for the caller to say.
int HttpTransfer::on_request(void* self, char* remote, char*, int, int) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.asked_) {
    transfer.stop_ = Stop::kSecondRequest;
    return CURL_PREREQFUNC_ABORT;
  }
  transfer.response_.remote_address = remote;
  if (!transfer.move_to(remote)) return CURL_PREREQFUNC_ABORT;
  transfer.asked_ = true;
  transfer.enter(Phase::kWaiting);
  return CURL_PREREQFUNC_OK;
}

// A host may have several addresses, and a connection that is used again may lead to any of them.
bool HttpTransfer::move_to(const char* address) {
  if (!connections_.is_limited() || ip_address_ == address) return true;
  if (!connections_.reserve(address)) {
    stop_ = Stop::kNoConnection;
    return false;
  }
  connections_.release(ip_address_);
  ip_address_ = address;
  return true;
}

// The last line of defence: whatever the address looked like and whatever DNS said, this is what
// will be connected to. A connection that is used again was opened for the same host and port.
curl_socket_t HttpTransfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (!transfer.may_be_private_ && is_private(address->addr)) {
    transfer.refused_ = true;
    return CURL_SOCKET_BAD;
  }
  if (transfer.asked_) {  // for a second request, which on_request() would not let out
    transfer.stop_ = Stop::kSecondRequest;
    return CURL_SOCKET_BAD;
  }
  const int opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  // Another error says that this machine does not speak IPv6: no way there.
  if (opened < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
    transfer.no_socket_ = errno;
  }
  transfer.opened_ = true;
  return opened;
}

bool HttpTransfer::add_header_line(std::string_view line) {
  enter(Phase::kReceiving);
  header_bytes_ += line.size();
  if (header_bytes_ > options_.limits.header_bytes) {
    stop_ = Stop::kHeaderLimit;
    return false;
  }
  if (head_complete_) {
    if (response_.status >= 200) return true;  // a trailer, after the body
    head_.clear();                             // that was "100 Continue" or the like
    head_complete_ = false;
  }
  head_ += line;
  return line != "\r\n" && line != "\n" ? true : end_head();
}

bool HttpTransfer::end_head() {
  head_complete_ = true;
  if (Result<Response> head = parse_response(head_)) {
    response_.status = head->status;
    response_.reason = std::move(head->reason);
    response_.headers = std::move(head->headers);
  }
  const bool is_page = response_.status >= 200 && response_.status < 300;
  if (!is_page || job_.types == LiveWeb::Types::kAny) return true;
  plan_ = options_.plan_body(job_.url, response_);
  if (plan_.stop == Failure::kNone) return true;
  stop_ = Stop::kPlan;
  return false;
}

bool HttpTransfer::add_body(std::string_view bytes) {
  enter(Phase::kReceiving);
  std::string& body = response_.body;
  const size_t room = most_bytes() - body.size();
  body += bytes.substr(0, room);
  if (bytes.size() <= room) return true;
  stop_ = Stop::kBodyLimit;
  return false;
}

Response HttpTransfer::take_response() {
  lease_.shrink_to(response_.body.size());
  response_.url = std::move(job_.url);
  response_.elapsed =
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - started_);
  return std::move(response_);
}

Response HttpTransfer::give_up(Failure failure) {
  const bool broke = failure == Failure::kReset || failure == Failure::kBadHttp;
  const bool is_answer = broke && !response_.body.empty();
  // Of a redirect the head is all that counts.
  if (!is_answer && !response_.is_redirect()) response_.failure = failure;
  response_.truncated = !response_.body.empty() || response_.is_redirect();
  if (response_.truncated) response_.cut_by = failure;
  return take_response();
}

Response HttpTransfer::finish(CURLcode code) {
  response_.truncated = stop_ == Stop::kBodyLimit;
  const Failure failure = failure_of(code);
  if (failure == Failure::kNone) return take_response();
  if (stop_ == Stop::kSecondRequest) {
    response_.detail = "the connection was closed before an answer arrived";
  } else if (failure == Failure::kOther && no_socket_ != 0) {
    response_.detail = std::strerror(no_socket_);
  } else if (stop_ == Stop::kNo) {
    response_.detail = error_[0] ? error_ : curl_easy_strerror(code);
  }
  return give_up(failure);
}

Failure HttpTransfer::failure_of(CURLcode code) const {
  if (stop_ == Stop::kBodyLimit) return Failure::kNone;
  if (stop_ == Stop::kHeaderLimit) return Failure::kHeaderTooLarge;
  if (stop_ == Stop::kPlan) return plan_.stop;
  if (stop_ == Stop::kSecondRequest) return Failure::kReset;
  if (stop_ == Stop::kNoConnection) return Failure::kOther;  // its owner does not look at it
  // curl is content with a head that never ends, as long as the server closes the connection.
  if (code == CURLE_OK && !head_complete_) return Failure::kReset;
  const Failure failure = curl_failure(code, error_, head_complete_);
  if (failure == Failure::kConnect && refused_ && !opened_) return Failure::kForbiddenAddress;
  if (failure == Failure::kConnect && no_socket_ != 0) return Failure::kOther;  // not the host's
  return failure;
}

}  // namespace dowser
