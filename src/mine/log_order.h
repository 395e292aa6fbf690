#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mine/log_format.h"

// The lines of several logs in one order, which is the same however the lines are distributed over
// files. Everything that usage mining counts follows this order, so the same requests give the same
// figures whether a log is read whole, in pieces, or as the logs of several servers.

namespace dowser {

// A line that is kept after the file has read on. The entry's views point into the text.
struct OrderedLine {
  std::string text;
  LogEntry entry;
};
using OrderedLines = std::vector<std::unique_ptr<OrderedLine>>;

class LogOrder {
 public:
  // `entry` was read from `line`, apart from its time, which may have been corrected.
  void add(std::string_view line, const LogEntry& entry);

  // Everything before `time`, in order. Call it when no line of that time can still come.
  OrderedLines take_before(int64_t time);
  // Everything that waits.
  OrderedLines take_all();
  // Takes back lines that are no longer needed, so that their memory is used again.
  void reuse(OrderedLines&& lines);

  // The earliest time that waits; call it only if something does.
  int64_t first() const { return waiting_.begin()->first; }
  size_t bytes() const { return bytes_; }  // of the lines that wait

 private:
  void take_first(OrderedLines& lines);

  std::map<int64_t, OrderedLines> waiting_;
  size_t bytes_ = 0;
  OrderedLines spare_;
};

}  // namespace dowser
