#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <tuple>

#include "tests/hostile/hostile_web.h"

// The server of HostileWeb: one thread accepts, and each connection has one of its own.

namespace dowser {
namespace {

using Kind = RequestEvent::Kind;
using namespace std::string_literals;

constexpr Duration kIdle{60'000'000};     // between an answer and the next request
constexpr size_t kMaxHead = 1024 * 1024;  // bytes of a request

Error system_error(std::string_view what) {
  return Error{fmt::format("{}: {}", what, std::strerror(errno))};
}

sockaddr_in socket_address(const std::string& address, uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  inet_pton(AF_INET, address.c_str(), &out.sin_addr);
  return out;
}

// Takes a head off the input, reading until there is one. A client that begins to speak TLS
// (its first byte is 22) will never send an empty line.
bool read_head(Stream& stream, std::string& input, std::string& head) {
  while (true) {
    const size_t end = input.find("\r\n\r\n");
    const bool is_tls = input.starts_with('\x16');
    if (end != input.npos || is_tls) {
      const size_t size = is_tls ? input.size() : end + 4;
      head = input.substr(0, size);
      input.erase(0, size);
      return true;
    }
    if (input.size() > kMaxHead || !stream.read(input, kIdle)) return false;
  }
}

std::string suspicious_fields(const HostileRequest& request) {
  std::string note;
  for (const char* name : {"authorization", "cookie", "x-injected"}) {
    if (request.field(name)) note += (note.empty() ? "" : ",") + std::string(name);
  }
  return note;
}

}  // namespace

Result<std::unique_ptr<HostileWeb>> HostileWeb::start(HostileOptions options) {
  const uint16_t wanted = options.port;
  std::unique_ptr<HostileWeb> web(new HostileWeb(std::move(options)));
  web->stop_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (web->stop_ < 0) return system_error("cannot make an event");
  // A port that is free on one address may be taken on another: try others.
  for (int tries = 0;; ++tries) {
    web->port_ = wanted;
    web->tls_port_ = web->deaf_port_ = 0;
    const Status status = web->listen_everywhere();
    if (status.ok()) break;
    web->close_listeners();
    if (wanted != 0 || tries == 20) return status.error();
  }
  for (Host& host : web->hosts_) {
    const Exhibit* const exhibit = web->exhibit_of(host.name);
    host.port = exhibit == nullptr ? web->port_ : web->port_of(*exhibit);
  }
  web->acceptor_ = std::thread([raw = web.get()] { raw->accept_all(); });
  return web;
}

Status HostileWeb::listen_everywhere() {
  std::set<std::string> plain = {"127.0.0.1"}, tls, deaf;
  for (const Host& host : hosts_) {
    plain.insert(host.address);
    const Exhibit* const exhibit = exhibit_of(host.name);
    if (exhibit == nullptr) continue;
    if (exhibit->tls != TlsKind::kNone) tls.insert(host.address);
    if (exhibit->place == Place::kNobodyListens) deaf.insert(host.address);
  }
  for (const auto& [addresses, port, speaks] : {std::tuple(&plain, &port_, Speaks::kHttp),
                                                {&tls, &tls_port_, Speaks::kTls},
                                                {&deaf, &deaf_port_, Speaks::kNothing}}) {
    for (const std::string& address : *addresses) {
      if (Status status = listen(address, *port, speaks); !status) return status;
    }
  }
  return listen_for_names();
}

Status HostileWeb::listen_for_names() {
  names_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const sockaddr_in at = socket_address("127.0.0.1", port_);
  if (names_ < 0 || bind(names_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
    return system_error(fmt::format("cannot listen on {} (UDP)", name_server()));
  }
  return {};
}

Status HostileWeb::listen(const std::string& address, uint16_t& port, Speaks speaks) {
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (file < 0) return system_error("cannot make a socket");
  listeners_.push_back({file, address, speaks});
  const int on = 1;
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at = socket_address(address, port);
  socklen_t size = sizeof at;
  if (bind(file, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      (speaks != Speaks::kNothing && ::listen(file, 256) != 0) ||
      getsockname(file, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    return system_error(fmt::format("cannot listen on {}:{}", address, port));
  }
  port = ntohs(at.sin_port);
  return {};
}

void HostileWeb::close_listeners() {
  for (const Listener& listener : listeners_) close(listener.socket);
  listeners_.clear();
  if (names_ >= 0) close(names_);
  names_ = -1;
}

void HostileWeb::stop() {
  if (stop_ < 0) return;
  // Never read, so it stays ready until every thread has seen it.
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_, &one, sizeof one);
  if (acceptor_.joinable()) acceptor_.join();
  for (Worker& worker : workers_) worker.thread.join();
  workers_.clear();
  close_listeners();
  close(stop_);
  stop_ = -1;
}

void HostileWeb::accept_all() {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  const auto watch = [&](int file, uint32_t number) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = number;
    epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event);
  };
  constexpr uint32_t kStop = UINT32_MAX, kNames = kStop - 1;
  watch(stop_, kStop);
  watch(names_, kNames);
  for (uint32_t i = 0; i < listeners_.size(); ++i) {
    if (listeners_[i].speaks != Speaks::kNothing) watch(listeners_[i].socket, i);
  }

  std::array<epoll_event, 64> events;
  for (bool stopping = false; !stopping;) {
    const int n = epoll_wait(epoll, events.data(), events.size(), -1);
    for (int i = 0; i < n; ++i) {
      const uint32_t number = events[static_cast<size_t>(i)].data.u32;
      if (number == kStop) {
        stopping = true;
      } else if (number == kNames) {
        answer_name();
      } else {
        accept_one(listeners_[number]);
      }
    }
  }
  close(epoll);
}

void HostileWeb::answer_name() {
  char packet[1500];
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const ssize_t n =
      recvfrom(names_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size);
  if (n <= 0) return;
  const std::string_view query(packet, static_cast<size_t>(n));
  const std::optional<DnsQuestion> question = dns_question(query);
  if (!question) return;
  RequestEvent event;
  event.kind = Kind::kName;
  event.client_port = ntohs(from.sin_port);
  event.address = "127.0.0.1";
  event.host = question->name;
  event.target = question->type == DnsQuestion::kTypeA      ? "A"
                 : question->type == DnsQuestion::kTypeAaaa ? "AAAA"
                                                            : std::to_string(question->type);
  log_.add(event);
  const std::string answer = dns_answer(query, resolve(question->name));
  if (answer.empty()) return;
  sendto(names_, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
}

void HostileWeb::accept_one(const Listener& listener) {
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const int client = accept4(listener.socket, reinterpret_cast<sockaddr*>(&from), &size,
                             SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) {
    // Out of files: the queue would wake us again and again until somebody leaves.
    if (errno == EMFILE || errno == ENFILE) usleep(10'000);
    return;
  }
  std::erase_if(workers_, [](Worker& worker) {
    if (!worker.is_done) return false;
    worker.thread.join();
    return true;
  });
  if (workers_.size() >= kMaxConnections || requests_ >= options_.max_requests) {
    close(client);
    return;
  }
  const int on = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Worker& worker = workers_.emplace_back();
  worker.thread = std::thread([this, client, &listener, &worker, port = ntohs(from.sin_port)] {
    // libssl writes without MSG_NOSIGNAL.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    converse(client, listener, port);
    worker.is_done = true;
  });
}

void HostileWeb::converse(int socket, const Listener& listener, uint16_t client_port) {
  Stream stream(socket, stop_);
  RequestEvent event;
  event.connection = ++connections_;
  event.client_port = client_port;
  event.address = listener.address;
  event.kind = Kind::kOpen;
  log_opening(event, socket);
  std::string input;
  // Whom a connection is for is known by its address, unless hosts share addresses.
  const Exhibit* const exhibit =
      options_.addresses == 0 ? exhibit_of(host_at(listener.address)) : nullptr;
  if (exhibit != nullptr && !exhibit->speaks_first.empty()) {
    stream.write(exhibit->speaks_first, options_.patience);
    stream.read(input, options_.patience);  // an unread request would make the end a reset
  } else if (listener.speaks == Speaks::kHttp || begin_tls(stream, listener.address)) {
    while (serve_one(stream, input, event)) {
    }
  }
  // Logged before it happens: the client must not be able to connect again in between.
  const std::lock_guard lock(open_mutex_);
  if (const auto open = open_.find(event.connection); open != open_.end()) log_closing(open);
}

// A client that closes a connection and then opens another has done so in this order, whichever of
// the threads that serve the two notices it first.
void HostileWeb::log_opening(const RequestEvent& event, int socket) {
  const std::lock_guard lock(open_mutex_);
  for (auto open = open_.begin(); open != open_.end();) {
    pollfd file{open->second.socket, POLLRDHUP, 0};
    const bool is_left = poll(&file, 1, 0) > 0 && file.revents != 0;
    is_left ? log_closing(open++) : static_cast<void>(++open);
  }
  open_[event.connection] = {event, socket};
  log_.add(event);
}

void HostileWeb::log_closing(std::map<uint64_t, OpenConnection>::iterator open) {
  open->second.event.kind = Kind::kClose;
  log_.add(open->second.event);
  open_.erase(open);
}

bool HostileWeb::begin_tls(Stream& stream, std::string_view address) {
  const Exhibit* const exhibit = exhibit_of(host_at(address));
  if (exhibit == nullptr) return false;
  const TlsKind kind = exhibit->tls;
  if (kind == TlsKind::kTrusted) return stream.start_tls(trusted_.context(), options_.patience);
  if (kind == TlsKind::kSelfSigned) {
    return stream.start_tls(self_signed_.context(), options_.patience);
  }
  std::string hello;
  stream.read(hello, options_.patience);
  if (kind == TlsKind::kStalls) stream.pause(options_.patience);
  if (kind == TlsKind::kGarbage) stream.write(std::string(300, '\x5a'), options_.patience);
  // Alert, TLS 1.2, two bytes: fatal, handshake failure.
  if (kind == TlsKind::kAlert) stream.write("\x15\x03\x03\0\x02\x02\x28"s, options_.patience);
  return false;
}

// One request and its answer. False: the connection is over.
bool HostileWeb::serve_one(Stream& stream, std::string& input, const RequestEvent& from) {
  std::string head;
  if (!read_head(stream, input, head)) return false;
  HostileRequest request = HostileRequest::parse(std::move(head));
  if (request.host.empty()) request.host = host_at(from.address);
  ++requests_;

  RequestEvent event = from;
  event.kind = Kind::kRequest;
  event.host = request.host;
  event.method = request.method;
  event.target = request.target;
  event.note = suspicious_fields(request);
  log_.add(event);

  Exchange exchange(request, stream, options_, port_);
  exchange.on_reply([&] {
    event.kind = Kind::kReply;
    log_.add(event);
  });
  respond(exchange);

  event.kind = Kind::kAnswer;
  event.note.clear();
  event.status = exchange.status();
  event.wait = exchange.asked_to_wait();
  log_.add(event);
  if (exchange.resets()) stream.reset_on_close();
  return exchange.keeps_alive();
}

}  // namespace dowser
