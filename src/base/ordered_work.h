#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace dowser {

// Calls make(0), make(1), … make(count - 1) on one thread per core, and returns the values in this
// order from next(). Threads run at most kReadAhead values ahead of next(), so memory is bounded.
// The destructor waits for the calls that run.
template <class T>
class OrderedWork {
 public:
  OrderedWork(size_t count, std::function<T(size_t)> make)
      : count_(count),
        make_(std::move(make)),
        ring_(std::max(1u, std::thread::hardware_concurrency()) * kReadAhead) {
    for (size_t i = 0; i < ring_.size() / kReadAhead; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  // At most `count` times.
  T next() {
    std::unique_lock lock(mutex_);
    std::optional<T>& slot = ring_[taken_ % ring_.size()];
    changed_.wait(lock, [&] { return slot.has_value(); });
    ++taken_;
    T value = std::move(*slot);
    slot.reset();
    lock.unlock();
    changed_.notify_all();
    return value;
  }

 private:
  static constexpr size_t kReadAhead = 64;  // values, for each thread

  void work() {
    while (true) {
      size_t place;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(
            lock, [&] { return stop_ || started_ >= count_ || started_ < taken_ + ring_.size(); });
        if (stop_ || started_ >= count_) return;
        place = started_++;
      }
      T value = make_(place);
      {
        const std::lock_guard lock(mutex_);
        ring_[place % ring_.size()].emplace(std::move(value));
      }
      changed_.notify_all();
    }
  }

  const size_t count_;
  const std::function<T(size_t)> make_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<T>> ring_;
  size_t started_ = 0, taken_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace dowser
