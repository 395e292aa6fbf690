#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "fetch/address_connections.h"
#include "fetch/address_rules.h"
#include "fetch/http_transfer.h"
#include "fetch/multi_shard.h"
#include "fetch/poller.h"
#include "fetch/resolver.h"

namespace dowser {

// What all fetch threads share. None of them changes it, except the connections, which have a lock.
struct FetchSetup {
  LiveWebOptions options;
  LiveWeb::Done done;
  HostTable allowed;         // may be private
  HostTable elsewhere;       // host -> "127.0.0.1:8780"
  size_t max_transfers = 1;  // of a thread, at a time
  std::unique_ptr<AddressConnections> connections;
};

// One fetch thread: an event loop that owns its connections. A job goes through it like this:
//
//   start() -> inbox -> [Resolver] -> HttpTransfer in a MultiShard -> finished -> done()
//
// The loop sleeps until a socket is ready, a job comes, or the next limit of time is due.
class FetchLoop {
 public:
  static constexpr size_t kMaxShards = 64;
  static constexpr size_t kMaxTransfers = kMaxShards * MultiShard::kMaxTransfers;

  explicit FetchLoop(const FetchSetup& setup);
  ~FetchLoop();  // abandons what is in flight
  FetchLoop(const FetchLoop&) = delete;
  FetchLoop& operator=(const FetchLoop&) = delete;

  void start(FetchJob job);  // any thread

 private:
  void run();
  // False when it is time to end.
  bool take_inbox();
  void route(FetchJob job);
  void on_names(const std::string& host, const Resolver::Answer& answer);
  void go(FetchJob job, const Resolver::Answer& answer);
  // Reserves a connection to the address of the route, then launches; or returns the job to the
  // caller.
  void enter(FetchJob job, Route route);
  void launch(FetchJob job, const Route& route);
  MultiShard* shard_for(std::string_view host, size_t& number);
  void launch_waiting();

  SteadyTime next_wake() const;
  void handle_events();
  void collect_finished();
  void check_limits(SteadyTime now);
  void resume_paused();
  void put_away(HttpTransfer& transfer);
  void fail(FetchJob job, Failure failure, std::string detail = {});
  void deliver();

  const FetchSetup& setup_;
  const size_t max_shards_, shard_size_;
  Poller poller_;
  const int wake_;  // an eventfd
  Resolver resolver_;
  std::vector<std::unique_ptr<MultiShard>> shards_;

  std::vector<std::unique_ptr<HttpTransfer>> active_, idle_;
  absl::flat_hash_map<std::string, std::vector<FetchJob>> unnamed_;  // wait for DNS, by host
  std::deque<std::pair<FetchJob, Route>> waiting_;                   // every shard was full
  struct Ended {
    uint64_t job;
    Response response;
    ByteLease lease;
    bool no_connection = false;  // nothing was sent: no connection to the address was free
  };
  std::vector<Ended> finished_;                // to be delivered
  SteadyTime next_check_ = SteadyTime::max();  // of the limits of `active_`
  size_t paused_ = 0;                          // of `active_`

  std::mutex mutex_;  // guards what follows
  std::vector<FetchJob> inbox_;
  bool ending_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace dowser
