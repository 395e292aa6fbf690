#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mine/hit_counter.h"
#include "mine/path_completion.h"
#include "mine/usage_session.h"

// Processes finished sessions: those of robots are dropped, the paths of the others are completed
// and counted.

namespace dowser {

struct PageTally {
  uint64_t views = 0;                           // as the log has them
  uint64_t inferred = 0;                        // put in by path completion
  uint64_t entries = 0, exits = 0, single = 0;  // sessions that begin, end, or begin and end here
  uint64_t seconds = 0, timed = 0;              // view time, and of how many views it is known
};

// How visits of one kind went.
struct SourceTally {
  uint64_t sessions = 0, views = 0;
  std::vector<uint64_t> converted;  // by event: sessions in which it happened
};

struct EventTally {
  uint64_t sessions = 0, times = 0;
  uint64_t views_before = 0;  // page views up to the first, summed over the sessions
  uint64_t seconds_before = 0;
};

// The paths of sessions, for the search for patterns. If there are too many, it keeps every second
// one, then every fourth, and so on.
class SessionSample {
 public:
  explicit SessionSample(size_t most_sessions, size_t most_views)
      : most_sessions_(most_sessions), most_views_(most_views) {}
  void add(const std::vector<SessionView>& path);
  const std::vector<std::vector<uint32_t>>& paths() const { return paths_; }
  uint64_t one_in() const { return stride_; }

 private:
  const size_t most_sessions_, most_views_;
  std::vector<std::vector<uint32_t>> paths_;
  size_t views_ = 0;
  uint64_t seen_ = 0, stride_ = 1;
};

class SessionCounter {
 public:
  using Sink = std::function<Status(const UsageSession&)>;

  // `sink` gets every session that counts, with its path completed.
  SessionCounter(const UsageOptions& options, HitCounter& hits, bool has_referrers, LinkTest links,
                 bool knows_links, Sink sink);

  void add(UsageSession&& session);
  const Status& status() const { return status_; }

  uint64_t sessions = 0, views = 0, inferred = 0, joined = 0, single = 0;
  uint64_t seconds = 0, timed = 0;               // of views whose time is known
  uint64_t session_seconds = 0;                  // from first to last request
  uint64_t robot_sessions = 0, robot_views = 0;  // that were left out
  std::vector<uint64_t> robot_reasons = std::vector<uint64_t>(3);
  std::map<size_t, uint64_t> lengths;  // sessions by their views
  std::vector<PageTally> pages;
  std::vector<EventTally> events;
  std::map<std::string, SourceTally> sources;  // by source_of()
  SessionSample sample{250'000, 4'000'000};

 private:
  int robot_reason(const UsageSession& session) const;  // -1: no robot
  void count_pages(const UsageSession& session);
  void count_events(const UsageSession& session);

  const UsageOptions& options_;
  HitCounter& hits_;
  const bool has_referrers_;
  const LinkTest links_;
  const bool knows_links_;
  const Sink sink_;
  Status status_;
};

// Where a visit came from: "direct", "search engines", "other sites", "this site".
std::string source_of(const UsageSession& session, const HitCounter& hits);

inline constexpr const char* kRobotReasons[] = {"asked for robots.txt",
                                                "ten pages or more without a referrer or an asset",
                                                "twenty pages or more, one a second"};

}  // namespace dowser
