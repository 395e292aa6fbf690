#include "serve/http_server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "absl/container/flat_hash_map.h"

namespace dowser {
namespace {

using WaitFor = HttpConnection::WaitFor;
using Moment = HttpConnection::Moment;

constexpr int kBacklog = 1024;
constexpr std::chrono::seconds kTick{1};  // how often connections are checked for being overdue

Error system_error(std::string_view what) {
  return Error{fmt::format("{}: {}", what, std::strerror(errno))};
}

void watch(int epoll, int operation, int file, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = file;
  if (epoll_ctl(epoll, operation, file, &event) != 0) {
    throw std::runtime_error(system_error("epoll_ctl failed").message);
  }
}

}  // namespace

// What one thread does.
class HttpServer::Loop {
 public:
  explicit Loop(const HttpServer& server) : server_(server) {
    if (epoll_ < 0) throw std::runtime_error(system_error("epoll_create1 failed").message);
    watch(epoll_, EPOLL_CTL_ADD, server_.stop_, EPOLLIN);
    watch_listener();
  }
  ~Loop() { close(epoll_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void run() {
    std::array<epoll_event, 256> events;
    while (true) {
      const int n = epoll_wait(epoll_, events.data(), events.size(), 1000 * kTick.count());
      const Moment now = std::chrono::steady_clock::now();
      for (int i = 0; i < n; ++i) {
        const int file = events[i].data.fd;
        if (file == server_.stop_) return;
        file == server_.listener_ ? accept_one(now) : serve(file, now);
      }
      if (now >= next_tick_) tick(now);
    }
  }

 private:
  struct Client {
    std::unique_ptr<HttpConnection> connection;
    WaitFor waits_for = WaitFor::kInput;
    Moment last_event{};
  };

  // One at a time: the others are for the other threads, one of which epoll wakes.
  void accept_one(Moment now) {
    const int socket = accept4(server_.listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      // Out of files or memory: the queue would wake us again and again until somebody leaves.
      const bool is_full = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
      if (is_full && listening_) {
        epoll_ctl(epoll_, EPOLL_CTL_DEL, server_.listener_, nullptr);
        listening_ = false;
      }
      return;
    }
    if (server_.max_connections_ > 0 && clients_.size() >= server_.max_connections_) close_idlest();
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Client client{std::make_unique<HttpConnection>(socket, server_.service_)};
    watch(epoll_, EPOLL_CTL_ADD, socket, EPOLLIN);
    clients_.insert_or_assign(socket, std::move(client));
    serve(socket, now);  // the request is mostly there already
  }

  void serve(int socket, Moment now) {
    const auto found = clients_.find(socket);
    if (found == clients_.end()) return;
    Client& client = found->second;
    client.last_event = now;
    const WaitFor next = client.connection->go_on(now);
    if (next == WaitFor::kNothing) {
      clients_.erase(found);
    } else if (next != client.waits_for) {
      client.waits_for = next;
      watch(epoll_, EPOLL_CTL_MOD, socket, next == WaitFor::kInput ? EPOLLIN : EPOLLOUT);
    }
  }

  void close_idlest() {
    clients_.erase(std::ranges::min_element(
        clients_, {}, [](const auto& entry) { return entry.second.last_event; }));
  }

  void tick(Moment now) {
    next_tick_ = now + kTick;
    absl::erase_if(clients_,
                   [&](const auto& entry) { return entry.second.connection->is_overdue(now); });
    if (!listening_) watch_listener();
  }

  void watch_listener() {
    watch(epoll_, EPOLL_CTL_ADD, server_.listener_, EPOLLIN | EPOLLEXCLUSIVE);
    listening_ = true;
  }

  const HttpServer& server_;
  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  bool listening_ = false;
  Moment next_tick_{};
  absl::flat_hash_map<int, Client> clients_;  // by socket
};

HttpServer::HttpServer(int listener, HttpHandler handler, HttpServerOptions options)
    : listener_(listener),
      address_(ListenAddress::of_socket(listener)),
      service_{std::move(handler), options.limits, address_.port()},
      max_connections_(options.max_connections),
      stop_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (stop_ < 0) throw std::runtime_error(system_error("eventfd failed").message);
  for (int i = 0; i < options.threads; ++i) {
    threads_.emplace_back([this] { Loop(*this).run(); });
  }
}

HttpServer::~HttpServer() {
  // Never read, so it stays ready until every thread has seen it.
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_, &one, sizeof one);
  for (std::thread& thread : threads_) thread.join();
  close(listener_);
  close(stop_);
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const ListenAddress& address,
                                                      HttpHandler handler,
                                                      HttpServerOptions options) {
  const int listener =
      socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (listener < 0) return system_error("cannot make a socket");
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, address.data(), address.size()) != 0 || listen(listener, kBacklog) != 0) {
    const Error error = system_error(fmt::format("cannot listen on {}", address.to_string()));
    close(listener);
    return error;
  }
  return std::unique_ptr<HttpServer>(new HttpServer(listener, std::move(handler), options));
}

}  // namespace dowser
