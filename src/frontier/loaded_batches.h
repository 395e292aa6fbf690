#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "model/visit.h"

namespace dowser {

struct LoadedLink {
  uint64_t fingerprint = 0;
  Candidate link;
};

// Waiting links on their way from the thread that reads the state to the one that puts them into
// the frontier, some thousand at a time: so a reload takes the time of the slower of the two.
class LoadedBatches {
 public:
  using Batch = std::vector<LoadedLink>;
  static constexpr size_t kLinks = 4'096;  // in a batch

  // Waits for room. After close() it does nothing.
  void push(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batches_.size() < kMost || closed_; });
    if (closed_) return;
    batches_.push_back(std::move(batch));
    changed_.notify_all();
  }

  // The next batch; nothing after close(), once all are taken.
  std::optional<Batch> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !batches_.empty() || closed_; });
    if (batches_.empty()) return std::nullopt;
    Batch first = std::move(batches_.front());
    batches_.pop_front();
    changed_.notify_all();
    return first;
  }

  // No batch will be pushed, or taken.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr size_t kMost = 8;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
  bool closed_ = false;
};

}  // namespace dowser
