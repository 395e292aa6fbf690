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
  return keep(Waiting{std::move(visit), std::move(change)});
}

Status Keeper::keep(SavedCrawl::Change change) {
  return keep(Waiting{std::nullopt, std::move(change)});
}

Status Keeper::keep(Waiting waiting) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || !status_.ok(); });
  if (!status_.ok()) return status_;
  waiting_.push_back(std::move(waiting));
  const bool wake = waiting_.size() == 1 || waiting_.size() == kMostTogether;
  lock.unlock();
  if (wake) changed_.notify_all();
  return {};
}

Status Keeper::drain() {
  std::unique_lock lock(mutex_);
  drains_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return (waiting_.empty() && !writing_) || !status_.ok(); });
  drains_ = false;
  return status_;
}

void Keeper::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || ends_; });
    changed_.wait_for(lock, kPatience,
                      [this] { return waiting_.size() >= kMostTogether || ends_ || drains_; });
    if (waiting_.empty() || !status_.ok()) return;
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
  while (!waiting_.empty() && batch.changes.size() < kMostTogether) {
    Waiting& first = waiting_.front();
    if (first.visit) batch.visits.push_back(std::move(*first.visit));
    batch.changes.push_back(std::move(first.change));
    waiting_.pop_front();
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
  Result<std::vector<StoreMark>> marks = std::vector<StoreMark>();
  if (!batch.visits.empty()) marks = store_.keep(batch.visits);
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
