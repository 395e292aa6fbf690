#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "mine/log_file.h"
#include "mine/log_format.h"
#include "mine/usage_options.h"

// Several logs read at once, each line as an entry. The log that is furthest behind is read next,
// so that the entries are nearly in the order of time; LogOrder corrects the rest.

namespace dowser {

struct LogTally {
  std::string path;
  std::string format;
  uint64_t lines = 0;        // without comments and empty lines
  uint64_t cut = 0;          // damaged, but good enough to be counted
  uint64_t broken = 0;       // not understood, and not counted
  uint64_t too_long = 0;     // of the cut and broken ones
  uint64_t late = 0;         // out of order by more than the window
  std::string first_broken;  // the beginning of the first one, for the message
  std::string problem;       // why it could not be read to its end
};

class LogMerge {
 public:
  // Opens them all, and finds out their formats. An error names the file.
  static Result<LogMerge> open(const UsageOptions& options);

  // Reads some lines, and calls `use` for each with its entry, whose time is corrected. False: all
  // are read.
  using UseLine = std::function<void(std::string_view line, const LogEntry& entry)>;
  bool read_some(const UseLine& use);

  // No entry that is still to come is earlier, unless its line is out of order by more than the
  // window.
  int64_t complete_until() const { return complete_until_; }

  const std::vector<LogTally>& tallies() const { return tallies_; }
  uint64_t lines() const;
  uint64_t bytes_read() const;
  uint64_t bytes_total() const;  // 0: not known
  bool has_referrers() const;

 private:
  struct Source {
    LogFile file;
    LogFormat format;
    int64_t offset = 0;
    // The times of the last two lines; the earlier one is used, so that one wrong date does no
    // harm.
    int64_t last = INT64_MIN, before_last = INT64_MIN;
    size_t tally = 0;

    int64_t reached() const { return last < before_last ? last : before_last; }
  };

  explicit LogMerge(int64_t window) : window_(window) {}
  bool read_line(Source& source, const UseLine& use);

  const int64_t window_;
  std::vector<Source> sources_;  // those that are not read to their end
  std::vector<LogTally> tallies_;
  uint64_t finished_bytes_ = 0, total_bytes_ = 0;
  bool total_known_ = true, referrers_ = false;
  int64_t complete_until_ = INT64_MIN;
};

}  // namespace dowser
