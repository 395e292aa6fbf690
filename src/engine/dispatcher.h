#pragma once

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
#include "frontier/frontier.h"

// From a chosen link to its page, as a guest should: robots.txt is read first, once for each
// origin, and obeyed at every hop of a redirect; no host is asked before its time or by more
// errands than it has places. It runs on the thread that thinks; the requests themselves are the
// workers' business.
//
// An errand is a chosen link on its way. It waits until the robots.txt of its origin is known and
// its host may be asked, is handed to the workers, and comes back with an answer. A redirect sends
// it out again; every other answer ends it. (RFC 9309 §2.3.1 for robots.txt: up to five redirects
// are followed, 4xx means "no rules", 5xx means "nothing may be fetched". An archive without one is
// as good as a 404.) Where a host cannot be asked at all it is given up, with all that waits there.

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

  bool wants_more() const { return errands_ < options_.max_errands; }
  bool idle() const { return errands_ == 0; }
  size_t errands() const { return errands_; }

  // Starts what may go at `now`. What robots.txt forbids arrives without having been asked for.
  std::vector<Arrival> start_ready(Time now);

  // When something that waits here may go; nothing where it waits for an answer.
  std::optional<Time> next_ready() const;

  // Takes an answer of the workers. Nothing: the errand goes on, or its link waits in the frontier
  // again.
  std::optional<Arrival> take(Finished finished);

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

 private:
  struct Errand {
    Candidate candidate;
    std::vector<Response> redirects;
    std::vector<ArchiveForm> forms;
    Url next;              // what to ask for now
    bool entered = false;  // its place at the host of `next` is taken
    bool probe = false;
  };
  struct Reading {
    std::string origin;  // whose robots.txt it is
    Url url;             // where it is asked for
  };
  struct Robots {
    std::optional<RobotsRules> rules;      // nothing while it is being read
    Failure unreachable = Failure::kNone;  // the host could not be asked at all
    int hops = 0;
    int tries = 0;
  };

  void submit(Errand errand);
  SavedFlight::Errand saved(const Errand& errand) const;
  std::optional<Errand> restored(const SavedFlight& flight, const SavedFlight::Errand& saved,
                                 const std::function<Response(const Url&)>& get);
  void send_home(const Errand& errand);
  void follow_robots(Time now);
  bool may_start(const Errand& errand, Time now) const;
  void start(Errand errand, Time now);
  void read_robots(const std::string& origin, const Url& url, const Url& asker, Time now);
  void take_robots(const std::string& origin, const Finished& finished);
  void adopt_rules(const std::string& origin, Robots& robots, const Response& response);
  void note_answer(const Response& response);
  void rest(const Url& url, const Response& response);
  bool try_again(const Errand& errand, const Response& response);
  void give_up(const Url& url);
  Arrival arrive(Errand errand, Finished answer);
  Arrival fail(Errand errand, Failure failure, Time now);

  Workers& workers_;
  Frontier& frontier_;
  const DispatchOptions options_;
  size_t errands_ = 0;
  uint64_t next_id_ = 0;
  std::deque<Errand> waiting_;
  absl::flat_hash_map<uint64_t, Errand> running_;
  absl::flat_hash_map<uint64_t, Reading> reading_;        // robots.txt on their way
  absl::flat_hash_map<std::string, Robots> robots_;       // by origin
  std::deque<std::pair<std::string, Url>> moved_robots_;  // origin, where its robots.txt went
  absl::flat_hash_map<std::string, int> tries_;           // by address, only of what has failed
  absl::flat_hash_map<std::string, int>
      rests_;                             // by host, how often it was slowed and did not recover
  std::vector<std::string> new_origins_;  // whose rules were adopted since save()
  size_t retried_ = 0;
  size_t given_up_ = 0;
};

}  // namespace dowser
