#pragma once

#include "frontier/frontier.h"

namespace dowser {

// What the dispatcher may do with the frontier: keep the rules of politeness for the hosts that it
// sends requests to. Every address names its host.
class HostAccess {
 public:
  explicit HostAccess(Frontier& frontier) : frontier_(frontier) {}

  // A connection to a host is reserved before a request is sent there and released after the
  // answer. Each request is noted.
  void reserve(const Url& url) { frontier_.reserve(url); }
  void release(const Url& url) { frontier_.release(url); }
  // A connection to the host, and to its IP address if that is known, is free.
  bool can_reserve(const Url& url) const { return frontier_.can_reserve(url); }
  // More connections to the IP address are reserved than allowed: one should be released, and wait.
  bool is_over_limit(const Url& url) const { return frontier_.is_over_limit(url); }
  void note_request(const Url& url, Time now) { frontier_.note_request(url, now); }
  void set_address(const Url& url, std::string_view ip) { frontier_.set_address(url, ip); }

  Time now() const { return frontier_.now(); }
  // When the host may be asked next; not before now().
  Time ready_at(const Url& url) const { return frontier_.ready_at(url); }
  // The host must not be asked before that time.
  void hold(const Url& url, Time until) { frontier_.hold(url, until); }
  // The least time between two requests to the host; never less than FrontierOptions::delay.
  void set_delay(const Url& url, Duration delay) { frontier_.set_delay(url, delay); }
  Duration delay_of(const Url& url) const { return frontier_.delay_of(url); }

  // Until it is unblocked, no link of the host is taken.
  void block(const Url& url) { frontier_.block(url); }
  void unblock(const Url& url) { frontier_.unblock(url); }
  // Abandons the host at this port: what waits there is dropped, and what is offered is refused.
  // (Only this port, since anybody may link to a port of another's host at which nothing listens.
  // The default ports of http and https count as one.)
  void abandon(const Url& url) { frontier_.abandon(url); }

 private:
  Frontier& frontier_;
};

}  // namespace dowser
