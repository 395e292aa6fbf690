#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "tests/hostile/dns_answer.h"
#include "tests/hostile/exhibits.h"
#include "tests/hostile/good_web.h"
#include "tests/hostile/request_log.h"
#include "tests/hostile/tls_identity.h"

namespace dowser {

// A web of ours to test crawlers with: good pages on the hosts h1.test, h2.test, …, and exhibits
// (exhibits.h), hosts that misbehave, each in its own way. All of them are on loopback addresses of
// this machine; Host fields tell them apart. Everything that was asked is in the log.
//
// A thread a connection, so that each misbehaviour is a plain function that waits when it likes.
// More than kMaxConnections at a time are refused.
class HostileWeb {
 public:
  static constexpr size_t kMaxConnections = 1000;

  struct Host {
    std::string name, address;
    uint16_t port;
    bool is_allowed = true;  // false: a crawler must refuse it for its private address
  };

  // Listens and answers until stop() or its destruction.
  static Result<std::unique_ptr<HostileWeb>> start(HostileOptions options);
  ~HostileWeb() { stop(); }
  HostileWeb(const HostileWeb&) = delete;
  HostileWeb& operator=(const HostileWeb&) = delete;

  // Ends what goes on and closes all connections.
  void stop();

  uint16_t port() const { return port_; }
  uint16_t tls_port() const { return tls_port_; }
  // A name server (UDP) that knows all the hosts: "127.0.0.1:8900".
  std::string name_server() const { return "127.0.0.1:" + std::to_string(port_); }
  // Where each host is: number K, from 1, is at the K mod `addresses`-th loopback address.
  const std::vector<Host>& hosts() const { return hosts_; }
  std::string start_url() const { return url("h1.test", "/"); }
  std::string url(std::string_view host, std::string_view path) const;
  const std::string& certificate() const { return trusted_.certificate(); }

  const GoodWeb& good_web() const { return good_; }
  const std::vector<Exhibit>& exhibits() const { return exhibits_; }
  // What a crawl that starts at start_url() has to fetch, as "host/path": the good pages, and those
  // of exhibits that can be had with patience and manners.
  std::vector<std::string> pages_to_fetch() const;
  std::vector<std::string> pages_on_topic() const;

  RequestEvents log() const { return log_.events(); }
  // The requests that no crawler with manners makes: for what robots.txt forbids, to hosts that
  // were not linked to (private addresses), with fields that a link or redirect smuggled in.
  RequestEvents offences(std::span<const RequestEvent> log) const;
  // Of pages_to_fetch(), those that were never answered.
  std::vector<std::string> missing(std::span<const RequestEvent> log) const;

 private:
  enum class Speaks : uint8_t { kHttp, kTls, kNothing };
  struct Listener {
    int socket;
    std::string address;
    Speaks speaks;
  };
  struct Worker {
    std::thread thread;
    std::atomic<bool> is_done = false;
  };
  explicit HostileWeb(HostileOptions options);

  void place_hosts();
  Status listen_everywhere();
  Status listen_for_names();
  Status listen(const std::string& address, uint16_t& port, Speaks speaks);
  void close_listeners();

  void accept_all();
  void accept_one(const Listener& listener);
  void answer_name();
  DnsReply resolve(const std::string& name) const;
  void converse(int socket, const Listener& listener, uint16_t client_port);
  struct OpenConnection {
    RequestEvent event;
    int socket = -1;
  };
  void log_opening(const RequestEvent& event, int socket);
  void log_closing(std::map<uint64_t, OpenConnection>::iterator open);  // with open_mutex_
  bool begin_tls(Stream& stream, std::string_view address);
  bool serve_one(Stream& stream, std::string& input, const RequestEvent& from);
  void respond(Exchange& exchange) const;
  void varied_robots(size_t host, Exchange& exchange) const;
  void respond_well(size_t page, Exchange& exchange) const;
  std::vector<std::string> hrefs(size_t page) const;
  std::string_view host_at(std::string_view address) const;
  const Exhibit* exhibit_of(std::string_view host) const;
  uint16_t port_of(const Exhibit& exhibit) const;
  std::string entry_url(const Exhibit& exhibit) const;

  const HostileOptions options_;
  const GoodWeb good_;
  std::vector<Exhibit> exhibits_;
  std::map<std::string, size_t, std::less<>> exhibit_numbers_;  // by host
  std::vector<Host> hosts_;                                     // the good ones, then the exhibits
  const TlsIdentity trusted_, self_signed_;
  uint16_t port_ = 0, tls_port_ = 0;
  uint16_t deaf_port_ = 0;  // taken, but nobody listens

  int stop_ = -1;   // an eventfd that is ready when it is time to end
  int names_ = -1;  // the socket of the name server
  std::vector<Listener> listeners_;
  std::thread acceptor_;
  std::list<Worker> workers_;  // of the acceptor
  std::atomic<uint64_t> connections_ = 0, requests_ = 0;
  RequestLog log_;
  std::mutex open_mutex_;
  std::map<uint64_t, OpenConnection> open_;  // connections without a closing in the log
};

// Kept apart for logs that were written by a program: does the exhibit forbid this?
bool is_forbidden(const Exhibit& exhibit, std::string_view target);

}  // namespace dowser
