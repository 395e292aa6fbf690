#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontier/frontier.h"

// The slow, obvious frontier: lists that are searched from end to end. Addresses are compared as
// they are written, and a score has one part.

namespace dowser {

class SlowFrontier {
 public:
  explicit SlowFrontier(FrontierOptions options) : options_(options) {}

  void offer(const std::string& href, double score, uint32_t parent = 0) {
    if (visited_.contains(href)) return;
    if (const auto it = waiting_.find(href); it != waiting_.end()) {
      if (score > it->second.score) it->second.score = score, it->second.parent = parent;
    } else if (admit(href, {score, sequence_, parent})) {
      ++sequence_;
    }
  }

  std::optional<std::string> take() {
    auto best = best_of([&](const std::string& host) { return may_go(host) && !rests(host); });
    if (!best && !anything_delayed() && connections() == 0) {
      best = best_of([&](const std::string& host) { return may_go(host); });
    }
    if (!best) return std::nullopt;
    const std::string host = host_of(*best);
    flights_[*best] = waiting_.extract(*best).mapped();
    visited_[*best] = std::nullopt;
    takes_.push_back(host);
    ++hosts_[host].taken;
    empty_used_up();
    return best;
  }

  void put_back(const std::string& href) {
    const Link link = flights_.extract(href).mapped();
    visited_.erase(href);
    --hosts_[host_of(href)].taken;
    admit(href, link);
  }
  void finish(const std::string& href, uint32_t visit) {
    waiting_.erase(href);
    flights_.erase(href);
    visited_[href] = visit;
  }
  void drop(const std::string& href) { waiting_.erase(href); }
  void set_score(const std::string& href, double score) {
    if (const auto it = waiting_.find(href); it != waiting_.end()) it->second.score = score;
  }
  void abandon(const std::string& host) {
    hosts_[host].abandoned = true;
    empty(host);
  }

  // The process dies and another one loads what it had written.
  void crash() {
    std::map<std::string, Link> flights;
    flights.swap(flights_);
    for (const auto& [href, link] : flights) --hosts_[host_of(href)].taken;
    for (const auto& [href, link] : flights) {
      visited_.erase(href);
      admit(href, link);
    }
    for (auto& [name, host] : hosts_) host.connections = 0, host.address.clear();
  }

  void set_fatigue(const std::string& host, double fatigue) { hosts_[host].fatigue = fatigue; }
  void explore(const Exploration& exploration) { exploration_ = exploration; }
  void set_time(Time now) { now_ = now; }
  void reserve(const std::string& host) { ++hosts_[host].connections; }
  void release(const std::string& host) { --hosts_[host].connections; }
  bool can_reserve(const std::string& host) {
    const size_t at_host = hosts_[host].connections;
    const size_t limit = options_.delay > Duration(0) ? 1 : options_.max_connections;
    if (options_.max_connections > 0 && at_host >= limit) return false;
    if (options_.max_per_address == 0 || hosts_[host].address.empty()) return true;
    size_t at_address = 0;
    for (const auto& [name, other] : hosts_) {
      if (other.address == hosts_[host].address) at_address += other.connections;
    }
    return at_address < options_.max_per_address;
  }
  void hold(const std::string& host, Time until) {
    hosts_[host].ready_at = std::max(hosts_[host].ready_at, until);
  }
  void note_request(const std::string& host) { hold(host, now_ + options_.delay); }
  void set_address(const std::string& host, const std::string& ip) { hosts_[host].address = ip; }

  std::optional<uint32_t> visit_of(const std::string& href) const {
    const auto it = visited_.find(href);
    return it == visited_.end() ? std::nullopt : it->second;
  }
  uint32_t parent_of_flight(const std::string& href) const { return flights_.at(href).parent; }
  size_t waiting() const { return waiting_.size(); }
  size_t known() const { return waiting_.size() + visited_.size(); }
  size_t hosts_active() const {
    std::set<std::string> hosts;
    for (const auto& [href, link] : waiting_) hosts.insert(host_of(href));
    return hosts.size();
  }

 private:
  struct Link {
    double score = 0;
    int sequence = 0;
    uint32_t parent = 0;
    bool is_before(const Link& other) const {
      return score != other.score ? score > other.score : sequence < other.sequence;
    }
  };
  struct Host {
    Time ready_at{INT64_MIN};
    size_t connections = 0, taken = 0;
    std::string address;
    bool abandoned = false;
    double fatigue = 0;
  };

  static std::string host_of(const std::string& href) {
    return href.substr(7, href.find('/', 7) - 7);
  }
  // Right for hosts with one label before their registrable domain.
  static std::string site_of(const std::string& host) { return host.substr(host.find('.') + 1); }
  bool is_used_up(const std::string& host) {
    if (options_.max_per_host > 0 && hosts_[host].taken >= options_.max_per_host) return true;
    size_t taken = 0;
    for (const auto& [name, other] : hosts_) {
      if (site_of(name) == site_of(host)) taken += other.taken;
    }
    return options_.max_per_site > 0 && taken >= options_.max_per_site;
  }
  void empty_used_up() {
    std::erase_if(waiting_, [&](const auto& item) { return is_used_up(host_of(item.first)); });
  }
  void empty(const std::string& host) {
    std::erase_if(waiting_, [&](const auto& item) { return host_of(item.first) == host; });
  }
  bool admit(const std::string& href, const Link& link) {
    if (hosts_[host_of(href)].abandoned || is_used_up(host_of(href))) return false;
    if (options_.max_waiting > 0 && waiting_.size() >= options_.max_waiting) {
      auto worst = waiting_.begin();
      for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
        if (worst->second.is_before(it->second)) worst = it;
      }
      if (!link.is_before(worst->second)) return false;
      waiting_.erase(worst);
    }
    waiting_[href] = link;
    return true;
  }
  bool may_go(const std::string& host) {
    return hosts_[host].ready_at <= now_ && can_reserve(host);
  }
  bool rests(const std::string& host) const {
    const size_t gap = options_.host_gap < 2 ? 0 : options_.host_gap - 1;
    const auto begin = takes_.end() - static_cast<ptrdiff_t>(std::min(gap, takes_.size()));
    return std::find(begin, takes_.end(), host) != takes_.end();
  }
  size_t connections() const {
    size_t n = 0;
    for (const auto& [name, host] : hosts_) n += host.connections;
    return n;
  }
  bool anything_delayed() {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& item) {
      return hosts_[host_of(item.first)].ready_at > now_;
    });
  }
  // A link as it compares with those of other hosts.
  Link with_bonus(const std::string& href, Link link) {
    if (!exploration_.is_on()) return link;
    const std::string host = host_of(href);
    const auto here = std::count_if(waiting_.begin(), waiting_.end(),
                                    [&](const auto& item) { return host_of(item.first) == host; });
    link.score += exploration_.bonus(static_cast<uint32_t>(hosts_[host].taken),
                                     static_cast<size_t>(here)) -
                  hosts_[host].fatigue;
    return link;
  }
  template <class May>
  std::optional<std::string> best_of(May may) {
    auto best = waiting_.end();
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (!may(host_of(it->first))) continue;
      if (best == waiting_.end() ||
          with_bonus(it->first, it->second).is_before(with_bonus(best->first, best->second))) {
        best = it;
      }
    }
    if (best == waiting_.end()) return std::nullopt;
    return best->first;
  }

  FrontierOptions options_;
  Exploration exploration_;
  Time now_{INT64_MIN};
  int sequence_ = 0;
  std::map<std::string, Link> waiting_;
  std::map<std::string, Link> flights_;
  std::map<std::string, std::optional<uint32_t>> visited_;
  std::map<std::string, Host> hosts_;
  std::vector<std::string> takes_;
};

}  // namespace dowser
