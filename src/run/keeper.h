#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "run/crawl_log.h"
#include "run/saved_crawl.h"
#include "store/store.h"

// The thread that writes, so that nothing else waits for a disk. What comes within a twentieth of a
// second is written together. For each visit the order is archive, catalogue, state; a crash loses
// what was handed over and not yet written, which is fetched again.

namespace dowser {

class Keeper {
 public:
  // None of them is used by others until drain() or the end of the Keeper.
  Keeper(Store& store, SavedCrawl& saved, CrawlLog& log);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Hands a visit over; waits where the writing is far behind. An error is that of an earlier one:
  // nothing is written after it.
  Status keep(KeptVisit visit, SavedCrawl::Change change);

  // Waits until everything is written.
  Status drain();

 private:
  // Visits and what each of them changed in the state.
  struct Batch {
    std::vector<KeptVisit> visits;
    std::vector<SavedCrawl::Change> changes;
  };

  void run();
  Batch take_batch();  // at most kMostTogether; with the lock
  Status write(Batch batch);
  Status write_or_fail(Batch batch);
  Status sync_in_time();

  Store& store_;
  SavedCrawl& saved_;
  CrawlLog& log_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<KeptVisit> visits_;
  std::deque<SavedCrawl::Change> changes_;  // of the same visits
  bool writing_ = false;
  bool ends_ = false, drains_ = false;
  Status status_;
  std::thread thread_;
};

}  // namespace dowser
