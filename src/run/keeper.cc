#include "run/keeper.h"

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

Status Keeper::keep(KeptVisit visit, SavedCrawl::Change change) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return visits_.size() < kMostWaiting || !status_.ok(); });
  if (!status_.ok()) return status_;
  visits_.push_back(std::move(visit));
  changes_.push_back(std::move(change));
  const bool wake = visits_.size() == 1 || visits_.size() == kMostTogether;
  lock.unlock();
  if (wake) changed_.notify_all();
  return {};
}

Status Keeper::drain() {
  std::unique_lock lock(mutex_);
  drains_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return (visits_.empty() && !writing_) || !status_.ok(); });
  drains_ = false;
  return status_;
}

void Keeper::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !visits_.empty() || ends_; });
    changed_.wait_for(lock, kPatience,
                      [this] { return visits_.size() >= kMostTogether || ends_ || drains_; });
    if (visits_.empty() || !status_.ok()) return;
    Batch batch = take_batch();
    writing_ = true;
    lock.unlock();
    changed_.notify_all();
    Status written = write_or_fail(std::move(batch));
    lock.lock();
    writing_ = false;
    status_ = std::move(written);
    changed_.notify_all();
  }
}

Keeper::Batch Keeper::take_batch() {
  Batch batch;
  while (!visits_.empty() && batch.visits.size() < kMostTogether) {
    batch.visits.push_back(std::move(visits_.front()));
    batch.changes.push_back(std::move(changes_.front()));
    visits_.pop_front();
    changes_.pop_front();
  }
  return batch;
}

// An exception (no memory, say) must not leave the thread: it would end the process.
Status Keeper::write_or_fail(Batch batch) {
  try {
    return write(std::move(batch));
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

Status Keeper::write(Batch batch) {
  const Result<std::vector<StoreMark>> marks = store_.keep(batch.visits);
  if (!marks) return marks.error();
  if (Status s = saved_.commit(std::move(batch.changes), batch.visits, *marks); !s) return s;
  return sync_in_time();
}

// The store first: the mark in the state says that the store is on disk, and the one in the
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
