#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "run/saved_crawl.h"
#include "store/store.h"

// The thread that writes, so that nothing else waits for a disk. What comes within a twentieth of a
// second is written together. For each visit the order is archive, catalogue, state; a crash loses
// what was handed over and not yet written, which is fetched again.

namespace dowser {

class Keeper {
 public:
  // None of them is used by others until drain() or the end of the Keeper.
  Keeper(Store& store, SavedCrawl& saved);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Hands a visit over; waits where the writing is far behind. An error is that of an earlier one:
  // nothing is written after it.
  Status keep(Outcome outcome, SavedCrawl::Change change);

  // Waits until everything is written.
  Status drain();

 private:
  struct Job {
    Outcome outcome;
    SavedCrawl::Change change;
  };

  void run();
  Status write(std::vector<Job> jobs);
  Status write_or_fail(std::vector<Job> jobs);
  Status sync_in_time();

  Store& store_;
  SavedCrawl& saved_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool writing_ = false;
  bool ends_ = false, drains_ = false;
  Status status_;
  std::thread thread_;
};

}  // namespace dowser
