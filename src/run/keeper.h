#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "run/saved_crawl.h"
#include "store/store.h"

// The thread that writes, so that the crawl does not wait for the disk. Visits that arrive within
// 50 ms are written together. The order is archive, catalogue, state. A crash loses visits that
// were handed over and not written yet; they are fetched again.

namespace dowser {

class Keeper {
 public:
  // Nobody else may use them until drain() returns or the Keeper is destroyed.
  Keeper(Store& store, SavedCrawl& saved);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Hands a visit over; blocks while too many are waiting. An Error is that of an earlier visit:
  // nothing is written after it.
  Status keep(KeptVisit visit, SavedCrawl::Change change);
  // The same for a change that belongs to no visit.
  Status keep(SavedCrawl::Change change);

  // Waits until everything is written.
  Status drain();

 private:
  // Changes of the state, and the visits to which they belong.
  struct Batch {
    std::vector<KeptVisit> visits;
    std::vector<SavedCrawl::Change> changes;
  };
  struct Waiting {
    std::optional<KeptVisit> visit;
    SavedCrawl::Change change;
  };

  Status keep(Waiting waiting);
  void run();
  Batch take_batch();  // at most kMostTogether; with the lock
  Status write(Batch batch);
  Status write_or_fail(Batch batch);
  Status sync_in_time();

  Store& store_;
  SavedCrawl& saved_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  bool writing_ = false;
  bool ends_ = false, drains_ = false;
  Status status_;
  std::thread thread_;
};

}  // namespace dowser
