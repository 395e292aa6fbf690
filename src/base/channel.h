#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace dowser {

// Values from many threads to one. It holds no more than its users have under way: whoever limits
// that limits its memory.
template <class T>
class Channel {
 public:
  void push(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    filled_.notify_one();
  }

  // The oldest value; waits for one as long as `patience`.
  std::optional<T> pop(std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, patience, [this] { return !values_.empty(); })) return std::nullopt;
    T first = std::move(values_.front());
    values_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<T> values_;
};

}  // namespace dowser
