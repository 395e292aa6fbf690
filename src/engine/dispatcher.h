#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/saved_flight.h"
#include "engine/workers.h"
#include "fetch/robots.h"
#include "fetch/robots_answer.h"
#include "frontier/host_access.h"

// Fetches chosen links politely. robots.txt is read first, once a day for each origin, and obeyed
// for every redirect; no host is asked before its time, or with more connections than allowed. The
// dispatcher runs on the thread of the crawl; the workers send the requests.
//
// A fetch waits until the robots.txt of its origin is known and its host may be asked; then it is
// given to the workers. If the answer is a redirect, the fetch waits again, for the target; every
// other answer ends it.
//
// Every request, for a page or for robots.txt, reserves a connection to its host first, also after
// a redirect. A fetch that has reserved a connection waits only for an answer or a time, never for
// another connection or for robots.txt, so there is no deadlock. The workers resolve the name of a
// host before they connect. If all connections to its IP address are in use they refuse, and the
// fetch waits until a connection to that address, which the frontier knows then, is free.
//
// fetch/robots_answer.h says what an answer for robots.txt means. Up to five redirects of
// robots.txt are followed. While it is read again, and if that fails, the old rules hold. A host
// that cannot be reached at all is abandoned, with all links that wait there.

namespace dowser {

struct DispatchOptions {
  std::string agent = "dowser";  // the name that robots.txt is searched for
  size_t max_in_flight = 1;
  bool live = false;  // real hosts: Crawl-delay is obeyed, and some failures are retried
  // Called for every redirect of a candidate. False: the redirect itself is the final answer.
  using MayFollow = std::function<bool(const Candidate&, const Url& from, const Url& to)>;
  MayFollow may_follow = [](const Candidate&, const Url&, const Url&) { return true; };
  // Called with a candidate that is not fetched after all, and with the targets of its redirects
  // that may_follow() had allowed: they wait in the frontier again.
  using PutBack = std::function<void(const Candidate&, std::span<const Url> targets)>;
  PutBack put_back = [](const Candidate&, std::span<const Url>) {};
  // Called when a host is abandoned.
  std::function<void(std::string_view host)> on_host_abandoned = [](std::string_view) {};
  // Called for the sitemaps that a robots.txt names.
  std::function<void(const Url&)> on_sitemap = [](const Url&) {};
};

// A candidate that was fetched.
struct Fetched {
  Candidate candidate;
  std::vector<Response> redirects;  // in order; empty if the first answer was final
  WorkerResult result;              // of the last request
  std::vector<ArchiveForm> forms;   // of the redirects and the answer, if they are wanted
  bool probe = false;               // started by submit_probe()
};

class Dispatcher {
 public:
  Dispatcher(Workers& workers, HostAccess hosts, DispatchOptions options)
      : workers_(workers), hosts_(hosts), options_(std::move(options)) {}

  void submit(Candidate candidate);
  // Asks for an address that is not a candidate; its redirects are followed.
  void submit_probe(const Url& url);

  // True while fewer than max_in_flight fetches are in flight. Fetches that have to wait for long
  // are not counted, up to a limit; nor are documents that came and are being converted, which the
  // memory for them bounds.
  bool wants_more() const {
    const size_t not_counted = std::min(parked_, kMaxParked * options_.max_in_flight);
    return in_flight_ < options_.max_in_flight + not_counted + converting_.size();
  }
  bool idle() const { return in_flight_ == 0; }
  size_t in_flight() const { return in_flight_; }

  // Starts the fetches that may start at `now`. Returns those that ended without a request because
  // robots.txt forbids them.
  std::vector<Fetched> start_ready(Time now);

  // The waiting fetch or robots.txt that may start first, and when; nothing if all of them wait for
  // answers. The address is valid until the dispatcher changes.
  struct Start {
    Time ready;
    const Url* url;
  };
  std::optional<Start> next_start() const;
  // Nothing was requested that has not been answered, and no document is being converted.
  bool is_only_waiting() const {
    return running_.empty() && reading_.empty() && converting_.empty();
  }
  Duration delay_of(const Url& url) const { return hosts_.delay_of(url); }

  // Handles a result of the workers, which came at `now` by the crawl's clock. (Its `fetched_at` is
  // by the wall clock, which may have been set meanwhile.) Returns nothing if the fetch continues,
  // or if its link waits in the frontier again.
  std::optional<Fetched> take(WorkerResult result, Time now);

  // Fetches that wait and for which nothing was requested yet go back to the frontier.
  void put_back_waiting();

  // Saves and restores what is in flight, on an archived web (dispatcher_flight.cc). `taken` are
  // the candidates in flight, and `get` gives the answers of the web again without simulated time
  // passing. restore() returns the fetches that had ended and had not become visits yet.
  using Get = std::function<Response(const Url&)>;
  void save(SavedFlight& flight);
  std::vector<Fetched> restore(const SavedFlight& flight, const Frontier::Taken& taken,
                               const Get& get);

  // Whether a host has asked for more time between requests since this was called last, by a
  // Crawl-delay, a Retry-After, or an answer after which it is left alone.
  bool take_new_host_waits() { return std::exchange(has_new_host_waits_, false); }

  size_t retried() const { return retried_; }
  size_t hosts_abandoned() const { return hosts_abandoned_; }

  static constexpr Duration kRobotsLife = std::chrono::hours(24);  // RFC 9309, 2.4
  static constexpr size_t kMaxParked = 10;                         // times max_in_flight

 private:
  struct Fetch {
    Candidate candidate;
    std::vector<Response> redirects;
    std::vector<ArchiveForm> forms;
    Url next;               // the address of the next request
    bool reserved = false;  // a connection to the host of `next`
    bool probe = false;
  };
  struct Robots {
    std::optional<RobotsRules> rules;      // nothing until it was read
    Failure unreachable = Failure::kNone;  // why the host could not be reached
    Time read_at;
    bool being_read = false;  // for the first time, or again
    Url url;                  // from which address, while it is being read
    int redirects = 0;
    int tries = 0;
  };
  // A request for the robots.txt of an origin.
  struct RobotsRead {
    std::string origin;
    Url url;                // the address of the next request
    bool reserved = false;  // a connection to the host of `url`
  };

  void submit(Fetch fetch);
  SavedFlight::Fetch saved(const Fetch& fetch) const;
  std::optional<Fetch> restored(const SavedFlight::Fetch& saved, const Frontier::Taken& taken,
                                const Get& get);
  std::optional<RobotsRead> restored(const SavedFlight::Reading& saved);
  void restore_rules(const std::string& origin, Time now, const Get& get);
  void put_back(const Fetch& fetch);
  bool can_put_back(const Fetch& fetch) const;
  bool must_wait_long(const Url& url) const;
  bool reserve(const Url& url);
  void release_if_over_limit(const Url& url, bool& reserved);
  void reserve_waiting();
  bool start_or_wait(Fetch& fetch, Time now);
  void start(Fetch fetch, Time now);
  void start_robots_reads(Time now);
  void read_robots(const std::string& origin, const Url& from, bool reserved);
  std::optional<Fetched> take_answer(WorkerResult result, Time now);
  void take_converting(const WorkerResult& result, Time now);
  void take_robots(RobotsRead read, const Response& response, Time now);
  void take_refusal(const WorkerResult& result, Time now);
  void refuse_robots(RobotsRead read);
  void adopt_rules(const std::string& origin, const RobotsAnswer& answer, const Url& from,
                   Time now);
  void note_answer(const Response& response, Time now);
  void back_off(const Url& url, const RetryRule& rule, const Response& response, Time now);
  bool should_retry(const Fetch& fetch, const Response& response, Time now);
  void abandon_host(const Url& url);
  Fetched finish(Fetch fetch, WorkerResult result);
  Fetched fail(Fetch fetch, Failure failure, Time date);

  Workers& workers_;
  HostAccess hosts_;
  const DispatchOptions options_;
  size_t in_flight_ = 0;
  size_t parked_ = 0;  // fetches that have to wait for long
  uint64_t next_id_ = 0;
  std::deque<Fetch> waiting_;
  absl::flat_hash_map<uint64_t, Fetch> running_;
  absl::flat_hash_map<uint64_t, Fetch> converting_;    // have no connection any more
  absl::flat_hash_map<uint64_t, RobotsRead> reading_;  // robots.txt in flight
  absl::flat_hash_map<std::string, Robots> robots_;    // by origin
  std::deque<RobotsRead> robots_waiting_;              // for their time or a connection
  absl::flat_hash_map<std::string, int> tries_;        // by address, if a request failed
  absl::flat_hash_map<std::string, int> back_offs_;    // by host; falls again as it answers
  std::vector<std::string> new_origins_;               // whose rules were adopted since save()
  bool has_new_host_waits_ = false;
  size_t retried_ = 0;
  size_t hosts_abandoned_ = 0;
};

}  // namespace dowser
