#include "run/keeper.h"

#include <iterator>

namespace dowser {
namespace {

// Visits that may wait to be written, with their pages, and that are written together; and how long
// the first of them waits for the others. A transaction costs as much as the rows of some pages.
constexpr size_t kMostWaiting = 256;
constexpr size_t kMostTogether = 64;
constexpr auto kPatience = std::chrono::milliseconds(50);

// What was kept reaches the disk, so that it also survives a power cut.
constexpr auto kSyncEvery = std::chrono::seconds(5);

}  // namespace

Keeper::Keeper(Store& store, SavedCrawl& saved)
    : store_(store), saved_(saved), thread_([this] { run(); }) {}

Keeper::~Keeper() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status Keeper::keep(Outcome outcome, SavedCrawl::Change change) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.size() < kMostWaiting || !status_.ok(); });
  if (!status_.ok()) return status_;
  jobs_.push_back({std::move(outcome), std::move(change)});
  const bool wake = jobs_.size() == 1 || jobs_.size() == kMostTogether;
  lock.unlock();
  if (wake) changed_.notify_all();
  return {};
}

Status Keeper::drain() {
  std::unique_lock lock(mutex_);
  drains_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return (jobs_.empty() && !writing_) || !status_.ok(); });
  drains_ = false;
  return status_;
}

void Keeper::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !jobs_.empty() || ends_; });
    changed_.wait_for(lock, kPatience,
                      [this] { return jobs_.size() >= kMostTogether || ends_ || drains_; });
    if (jobs_.empty() || !status_.ok()) return;
    const auto end = jobs_.begin() + static_cast<ptrdiff_t>(std::min(jobs_.size(), kMostTogether));
    std::vector<Job> jobs(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(end));
    jobs_.erase(jobs_.begin(), end);
    writing_ = true;
    lock.unlock();
    changed_.notify_all();
    Status written = write_or_fail(std::move(jobs));
    lock.lock();
    writing_ = false;
    status_ = std::move(written);
    changed_.notify_all();
  }
}

// An exception (no memory, say) must not leave the thread: it would end the process.
Status Keeper::write_or_fail(std::vector<Job> jobs) {
  try {
    return write(std::move(jobs));
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

Status Keeper::write(std::vector<Job> jobs) {
  std::vector<KeptVisit> visits;
  for (const Job& job : jobs) {
    visits.push_back({&job.outcome.visit, job.outcome.links, job.outcome.forms});
  }
  const Result<std::vector<StoreMark>> marks = store_.keep(visits);
  if (!marks) return marks.error();
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (Status s = saved_.commit(std::move(jobs[i].change), (*marks)[i]); !s) return s;
  }
  return sync_in_time();
}

// The store first: the mark in the state says that the store is on the disk, and the one in the
// catalogue that the state is.
Status Keeper::sync_in_time() {
  if (std::chrono::steady_clock::now() - synced_ < kSyncEvery) return {};
  if (Status s = store_.sync(); !s) return s;
  const Result<SyncMark> mark = saved_.sync();
  if (!mark) return mark.error();
  store_.set_synced(*mark);
  synced_ = std::chrono::steady_clock::now();
  return {};
}

}  // namespace dowser
