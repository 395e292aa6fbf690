#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// Sorts the entries of several logs by time. Servers write a line when a request ends, so the lines
// of one log are out of order by some seconds, and logs are read one piece at a time, so those of
// several are by more. An entry is held back until nothing earlier can come.

namespace dowser {

template <class Item>
class TimeOrder {
 public:
  void add(int64_t time, const Item& item) {
    // Most items belong to the second of the one before.
    if (last_ == waiting_.end() || last_->first != time) last_ = waiting_.try_emplace(time).first;
    last_->second.push_back(item);
    ++size_;
  }

  // Hands over everything up to and including `time`, in its order; what has the same time comes in
  // the order in which it was added.
  template <class Use>
  void release(int64_t time, const Use& use) {
    while (!waiting_.empty() && waiting_.begin()->first <= time) {
      const auto first = waiting_.begin();
      for (const Item& item : first->second) use(item);
      size_ -= first->second.size();
      if (last_ == first) last_ = waiting_.end();
      waiting_.erase(first);
    }
  }

  // The earliest time that waits; call it only where something does.
  int64_t first() const { return waiting_.begin()->first; }
  size_t size() const { return size_; }

 private:
  using Waiting = std::map<int64_t, std::vector<Item>>;
  Waiting waiting_;
  typename Waiting::iterator last_ = waiting_.end();
  size_t size_ = 0;
};

}  // namespace dowser
