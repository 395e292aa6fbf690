#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "base/progress.h"
#include "base/result.h"
#include "mine/usage_options.h"
#include "mine/usage_result.h"

// Usage mining (Küçük 2009, 2.1.6 to 2.1.11 and 2.4): logs in, statistics, sessions and patterns
// out.
//
//   log lines --> LogMerge --> LogOrder --> HitCounter -----> SessionBuilder --> SessionCounter
//                 entries      in order     page requests   sessions           counts, paths
//
// The same requests give the same figures, however they are distributed over files, as long as no
// line is out of order by more than the window and no table is full.
//
// One pass. Memory grows with the number of different visitors and addresses, which is bounded, and
// not with the number of lines.

namespace dowser {

// A session that counts, its path completed, what its numbers mean, and the address of the site.
using UseSession =
    std::function<Status(const UsageSession&, const HitCounter&, const std::string& site)>;

struct UsageOutput {
  std::filesystem::path database;  // usage.sqlite; "": none
  UseSession session;              // called for each session; may be empty
  size_t rows = 100;               // of each list in the result
};

struct UsageRun {
  UsageResult result;
  std::vector<std::string> warnings;  // sentences for the person
};

// Nothing if `watch` asked to stop: then no file is left.
Result<std::optional<UsageRun>> mine_usage(const UsageOptions& options, const UsageOutput& output,
                                           const Watch& watch);

}  // namespace dowser
