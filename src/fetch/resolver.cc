#include "fetch/resolver.h"

#include <ares.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace dowser {
namespace {

std::string text_of(const sockaddr& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.sa_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(address);
    return inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof text) ? text : "";
  }
  if (address.sa_family != AF_INET6) return "";
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(address);
  if (!inet_ntop(AF_INET6, &ipv6.sin6_addr, text, sizeof text)) return "";
  return fmt::format("[{}]", text);
}

Failure failure_of(int status) {
  switch (status) {
    case ARES_SUCCESS:
      return Failure::kNone;
    case ARES_ENOTFOUND:
    case ARES_ENODATA:
    case ARES_EBADNAME:
    case ARES_ENONAME:
      return Failure::kDns;
    default:
      return Failure::kTimeoutDns;
  }
}

}  // namespace

struct Resolver::Query {
  Resolver* resolver;
  std::string host;
};

Resolver::Resolver(const std::string& servers, Duration patience, Poller& poller, uint32_t owner,
                   OnAnswer on_answer)
    : poller_(poller), owner_(owner), on_answer_(std::move(on_answer)) {
  ares_options options{};
  char lookups[] = "fb";  // /etc/hosts, then name servers
  options.lookups = lookups;
  options.flags = ARES_FLAG_NOSEARCH;  // "intranet" on an untrusted page is not a host of ours
  options.timeout = static_cast<int>(std::max<int64_t>(
      1, std::chrono::duration_cast<std::chrono::milliseconds>(patience).count()));
  options.tries = 2;
  options.sock_state_cb_data = this;
  options.sock_state_cb = [](void* self, ares_socket_t socket, int readable, int writable) {
    auto& resolver = *static_cast<Resolver*>(self);
    if (!readable && !writable) return resolver.poller_.forget(socket);
    const uint32_t what = (readable ? EPOLLIN : 0u) | (writable ? EPOLLOUT : 0u);
    resolver.poller_.watch(socket, what, resolver.owner_);
  };
  const int set = ARES_OPT_LOOKUPS | ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
                  ARES_OPT_SOCK_STATE_CB;
  int status = ares_init_options(&channel_, &options, set);
  if (status == ARES_SUCCESS && !servers.empty()) {
    status = ares_set_servers_ports_csv(channel_, servers.c_str());
    if (status != ARES_SUCCESS) ares_destroy(channel_);
  }
  if (status != ARES_SUCCESS) {
    throw std::runtime_error(
        fmt::format("cannot use the name servers '{}': {}", servers, ares_strerror(status)));
  }
}

Resolver::~Resolver() { ares_destroy(channel_); }

const Resolver::Answer* Resolver::find(const std::string& host, SteadyTime now) const {
  const auto found = known_.find(host);
  return found == known_.end() || found->second.expires <= now ? nullptr : &found->second.answer;
}

void Resolver::ask(const std::string& host) {
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  ++asking_;
  const auto callback = [](void* argument, int status, int, ares_addrinfo* result) {
    const std::unique_ptr<Query> query(static_cast<Query*>(argument));
    // The resolver is being destroyed: nothing waits for the answer.
    if (status != ARES_EDESTRUCTION) query->resolver->answered(query->host, status, result);
    if (result) ares_freeaddrinfo(result);
  };
  ares_getaddrinfo(channel_, host.c_str(), nullptr, &hints, callback, new Query{this, host});
}

void Resolver::answered(const std::string& host, int status, const ares_addrinfo* result) {
  --asking_;
  Answer answer;
  std::chrono::seconds life = kMaxLife;
  for (const auto* node = result ? result->nodes : nullptr; node; node = node->ai_next) {
    const std::string address = text_of(*node->ai_addr);
    if (address.empty()) continue;
    answer.addresses += (answer.addresses.empty() ? "" : ",") + address;
    life = std::min(life, std::chrono::seconds(std::max(0, node->ai_ttl)));
  }
  life = std::max<std::chrono::seconds>(life, kMinLife);
  if (answer.addresses.empty()) {
    answer.failure = status == ARES_SUCCESS ? Failure::kDns : failure_of(status);
    answer.detail = ares_strerror(status == ARES_SUCCESS ? ARES_ENODATA : status);
    life = answer.failure == Failure::kDns ? kFailureLife : kTimeoutLife;
  }
  const SteadyTime now = std::chrono::steady_clock::now();
  if (known_.size() >= kMaxNames) make_room(now);
  known_[host] = {answer, now + life};
  on_answer_(host, answer);
}

void Resolver::make_room(SteadyTime now) {
  absl::erase_if(known_, [&](const auto& known) { return known.second.expires <= now; });
  // Removing a few expired names each time would cost more than resolving them again.
  if (known_.size() > kMaxNames / 2) known_.clear();
}

void Resolver::handle(const Poller::Event& event) {
  const bool failed = event.what & (EPOLLERR | EPOLLHUP);
  const bool reads = failed || (event.what & EPOLLIN), writes = event.what & EPOLLOUT;
  ares_process_fd(channel_, reads ? event.socket : ARES_SOCKET_BAD,
                  writes ? event.socket : ARES_SOCKET_BAD);
}

void Resolver::handle_timers() {
  if (asking_ > 0) ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

std::optional<SteadyTime> Resolver::next_timer() const {
  timeval left{};
  if (asking_ == 0 || !ares_timeout(channel_, nullptr, &left)) return std::nullopt;
  return std::chrono::steady_clock::now() + std::chrono::seconds(left.tv_sec) +
         std::chrono::microseconds(left.tv_usec);
}

}  // namespace dowser
