#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace dowser {

// A queue of values from some threads to others. It has no limit of its own: its memory is limited
// only by how many values its users have in flight.
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

  // The oldest value; waits for one at most `patience`.
  std::optional<T> pop(std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, patience, [this] { return !values_.empty(); })) return std::nullopt;
    T first = std::move(values_.front());
    values_.pop_front();
    return first;
  }

  // The oldest value; waits for one without a time limit. Nothing once the channel is closed.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return is_closed_ || !values_.empty(); });
    if (is_closed_) return std::nullopt;
    T first = std::move(values_.front());
    values_.pop_front();
    return first;
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    filled_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<T> values_;
  bool is_closed_ = false;
};

}  // namespace dowser
