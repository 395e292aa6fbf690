#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/saved_flight.h"
#include "engine/workers.h"
#include "fetch/robots.h"
#include "fetch/robots_answer.h"
#include "frontier/frontier.h"

// From a chosen link to its page, as a guest should: robots.txt is read first, once a day for each
// origin, and obeyed at every hop of a redirect; no host is asked before its time or by more
// requests than it has places. It runs on the thread that thinks; the requests themselves are the
// workers' business.
//
// An errand is a chosen link on its way. It waits until the robots.txt of its origin is known and
// its host may be asked, is handed to the workers, and comes back with an answer. A redirect sends
// it out again; every other answer ends it.
//
// Every request, for a page or for robots.txt, has a place at the host that it goes to, also behind
// a redirect. Who holds a place waits for nothing but an answer or a time, never for another place
// or for robots.txt, so nobody waits for ever. The workers know the address of a host before they
// connect; where all places of the address are taken they refuse, and the errand waits until the
// frontier, which then knows the address too, has a place for it.
//
// What robots.txt means: fetch/robots_answer.h. Up to five of its redirects are followed. While it
// is read again the old rules hold, and they are kept where it cannot be read then. Where a host
// cannot be asked at all it is given up, with all that waits there.

namespace dowser {

struct DispatchOptions {
  std::string agent = "dowser";  // the name that robots.txt is searched for
  size_t max_errands = 1;        // at a time
  bool live = false;  // real hosts: Crawl-delay counts, and what may be better later is tried again
  // Asked for every redirect of a candidate. No: the redirect itself is the final answer.
  using MayFollow = std::function<bool(const Candidate&, const Url& from, const Url& to)>;
  MayFollow may_follow = [](const Candidate&, const Url&, const Url&) { return true; };
  // Told the targets that may_follow() had allowed when the candidate comes back without a page.
  std::function<void(const Url&)> unmark = [](const Url&) {};
  // Called when a host is not asked any more.
  std::function<void(std::string_view host)> on_host_given_up = [](std::string_view) {};
  // Told the sitemaps that a robots.txt names.
  std::function<void(const Url&)> on_sitemap = [](const Url&) {};
};

// An errand at its end.
struct Arrival {
  Candidate candidate;
  std::vector<Response> redirects;  // in order; empty where the first answer was final
  Finished answer;
  std::vector<ArchiveForm> forms;  // of the redirects and the answer, where they are wanted
  bool probe = false;              // was asked by submit_probe()
};

class Dispatcher {
 public:
  Dispatcher(Workers& workers, Frontier& frontier, DispatchOptions options)
      : workers_(workers), frontier_(frontier), options_(std::move(options)) {}

  void submit(Candidate candidate);
  // Asks for an address that is no candidate, as politely; its redirects are followed.
  void submit_probe(const Url& url);

  // Errands that have to wait for long do not count, up to a number.
  bool wants_more() const {
    return errands_ < options_.max_errands + std::min(parked_, kMaxParked * options_.max_errands);
  }
  bool idle() const { return errands_ == 0; }
  size_t errands() const { return errands_; }

  // Starts what may go at `now`. What robots.txt forbids arrives without having been asked for.
  std::vector<Arrival> start_ready(Time now);

  // When something that waits here may go; nothing where it waits for an answer.
  std::optional<Time> next_ready() const;

  // Takes an answer of the workers, which came at `now` by the crawl's clock. (Its `fetched_at` is
  // a date: the wall clock may have been set meanwhile.) Nothing: the errand goes on, or its link
  // waits in the frontier again.
  std::optional<Arrival> take(Finished finished, Time now);

  // What waits here and was not asked for goes back to the frontier.
  void call_back();

  // What is under way on an archived web, and puts it there again (dispatcher_flight.cc). `get`
  // gives the answers of the web once more, in no time. Returned: what had arrived, and nobody had
  // learned from it.
  void save(SavedFlight& flight);
  std::vector<Arrival> restore(const SavedFlight& flight,
                               const std::function<Response(const Url&)>& get);

  size_t retried() const { return retried_; }
  size_t given_up() const { return given_up_; }  // hosts

  static constexpr int kMaxRedirects = 10;
  static constexpr int kMaxRobotsRedirects = 5;
  static constexpr Duration kRobotsLife = std::chrono::hours(24);  // RFC 9309, 2.4
  static constexpr size_t kMaxParked = 10;                         // times max_errands

 private:
  struct Errand {
    Candidate candidate;
    std::vector<Response> redirects;
    std::vector<ArchiveForm> forms;
    Url next;              // what to ask for now
    bool entered = false;  // its place at the host of `next` is taken
    bool probe = false;
  };
  struct Robots {
    std::optional<RobotsRules> rules;      // nothing until it was read
    Failure unreachable = Failure::kNone;  // the host could not be asked at all
    Time read_at;
    bool being_read = false;  // for the first time, or again
    Url place;                // from where, while it is being read
    int hops = 0;
    int tries = 0;
  };
  // A request for the robots.txt of an origin.
  struct RobotsRead {
    std::string origin;
    Url url;               // what to ask for now
    bool entered = false;  // its place at the host of `url` is taken
  };

  void submit(Errand errand);
  SavedFlight::Errand saved(const Errand& errand) const;
  std::optional<Errand> restored(const SavedFlight& flight, const SavedFlight::Errand& saved,
                                 const std::function<Response(const Url&)>& get);
  std::optional<RobotsRead> restored(const SavedFlight::Reading& saved);
  void restore_rules(const std::string& origin, Time now,
                     const std::function<Response(const Url&)>& get);
  void send_home(const Errand& errand);
  bool can_go_home(const Errand& errand) const;
  bool is_far(const Url& url) const;
  bool enter(const Url& url);
  void leave_if_crowded(const Url& url, bool& entered);
  void let_in();
  bool start_or_wait(Errand& errand, Time now);
  void start(Errand errand, Time now);
  void start_robots_reads(Time now);
  void read_robots(const std::string& origin, const Url& from, bool entered);
  std::optional<Arrival> take_answer(Finished finished, Time now);
  void take_robots(RobotsRead read, const Response& response, Time now);
  void take_refusal(const Finished& finished, Time now);
  void refuse_robots(RobotsRead read);
  void adopt_rules(const std::string& origin, const RobotsAnswer& answer, const Url& from,
                   Time now);
  void note_answer(const Response& response, Time now);
  void rest(const Url& url, const RetryRule& rule, const Response& response, Time now);
  bool try_again(const Errand& errand, const Response& response, Time now);
  void give_up(const Url& url);
  Arrival arrive(Errand errand, Finished answer);
  Arrival fail(Errand errand, Failure failure, Time date);

  Workers& workers_;
  Frontier& frontier_;
  const DispatchOptions options_;
  size_t errands_ = 0;
  size_t parked_ = 0;  // errands that have to wait for long
  uint64_t next_id_ = 0;
  std::deque<Errand> waiting_;
  absl::flat_hash_map<uint64_t, Errand> running_;
  absl::flat_hash_map<uint64_t, RobotsRead> reading_;  // robots.txt on their way
  absl::flat_hash_map<std::string, Robots> robots_;    // by origin
  std::deque<RobotsRead> robots_waiting_;              // for their time or place
  absl::flat_hash_map<std::string, int> tries_;        // by address, only of what has failed
  absl::flat_hash_map<std::string, int>
      rests_;                             // by host, how often it was slowed and did not recover
  std::vector<std::string> new_origins_;  // whose rules were adopted since save()
  size_t retried_ = 0;
  size_t given_up_ = 0;
};

}  // namespace dowser
