#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mine/agent.h"
#include "mine/log_format.h"
#include "mine/referrer.h"
#include "mine/site_pages.h"
#include "mine/string_table.h"
#include "mine/usage_options.h"
#include "mine/usage_session.h"

// Every line that could be read is a hit and is counted here. Hits that survive cleaning become
// page requests. The properties of a string (is it an asset, a robot, a search engine?) are
// determined once, when it first appears, so that a line costs only a few hash table lookups.

namespace dowser {

struct Tally {
  uint64_t hits = 0, bytes = 0;
  void add(int64_t size) {
    ++hits;
    bytes += static_cast<uint64_t>(size);
  }
};

// Why hits are not page views. Each hit has one reason, the first of this list that fits.
struct Cleaned {
  uint64_t robot_agents = 0;
  uint64_t robots_txt = 0;
  uint64_t assets = 0;
  uint64_t errors = 0;     // status 400 and above
  uint64_t redirects = 0;  // 3xx but 304
  uint64_t other = 0;      // neither GET nor POST, an address of another site, no address at all
};

struct UserTally {
  int64_t first = 0, last = 0;
  uint32_t host = StringTable::kNone, agent = StringTable::kNone;
  uint32_t sessions = 0, views = 0;
  int64_t robots_txt = INT64_MAX, assets = INT64_MAX;  // when they were asked for first
  bool identified = false;
};

// Visitors that are no longer remembered one by one.
struct ForgottenUsers {
  uint64_t users = 0, returning = 0, identified = 0;  // with a session
  std::vector<uint64_t> by_agent;                     // likewise, by the number of the agent
};

class HitCounter {
 public:
  struct TargetTally : Tally {
    uint32_t not_found = 0, unauthorised = 0, server_errors = 0;
  };
  struct HostTally : Tally {
    uint32_t unauthorised = 0;
  };
  struct DayTally : Tally {
    uint64_t views = 0, sessions = 0;
  };

  struct ReferrerInfo {
    Referrer referrer;
    CameFrom from = CameFrom::kOutside;
    uint32_t page = kNoPage;
  };

  HitCounter(const UsageOptions& options, std::vector<std::string> sites);

  // The page request that the hit is, unless it was cleaned away.
  std::optional<PageRequest> count(const LogEntry& entry);

  SitePages& pages() { return pages_; }
  const SitePages& pages() const { return pages_; }
  const std::vector<std::string>& sites() const { return sites_; }
  // The first argument of SitePages::key() for a host of the site; nothing for another host.
  std::optional<std::string> site_of(std::string_view host) const;
  int64_t day_of(int64_t time) const { return (time + zone_) / 86'400; }

  // Counted over all hits.
  Tally all;
  uint64_t with_cookie = 0;
  std::array<Tally, 1000> statuses;
  std::array<Tally, 24> hours;  // in the zone of the earliest line
  std::map<int64_t, DayTally> days;
  StringTable methods{8 << 10}, protocols{8 << 10};
  std::vector<Tally> method_tallies, protocol_tallies;
  StringTable targets{48 << 20}, hosts{32 << 20}, agents{16 << 20};
  StringTable referrers{32 << 20, sizeof(ReferrerInfo)};
  std::vector<TargetTally> target_tallies;
  std::vector<HostTally> host_tallies;
  std::vector<Tally> agent_tallies;
  TargetTally other_targets;  // those for which there was no room
  // Counted over page requests that came from elsewhere.
  std::vector<uint64_t> referrer_hits;
  Cleaned cleaned;
  uint64_t asset_hits = 0;
  absl::flat_hash_map<uint64_t, UserTally> users;  // without robots that identify themselves
  ForgottenUsers forgotten;
  // The tally of a user, a new one if there is none. If there are too many, those who have been
  // away the longest are forgotten; one who comes back is counted once more. Other tallies may
  // move.
  UserTally& user(uint64_t id);

  const Target& target(uint32_t number) const { return target_info_[number]; }
  const Agent& agent(uint32_t number) const { return agent_info_[number]; }
  const Referrer& referrer(uint32_t number) const { return referrer_info_[number].referrer; }

 private:
  std::string_view whole_target(const LogEntry& entry);
  Target read_target(const LogEntry& entry, std::string_view target, TargetTally*& tally);
  uint32_t read_agent_number(std::string_view agent);
  uint64_t user_of(const LogEntry& entry, uint32_t host, uint32_t agent, bool& identified) const;
  void forget_users();
  void read_from(const LogEntry& entry, PageRequest& request);
  ReferrerInfo read_referrer_info(const LogEntry& entry);
  void count_time(const LogEntry& entry);
  static void count_name(StringTable& names, std::vector<Tally>& tallies, std::string_view name,
                         int64_t bytes);

  const UsageOptions& options_;
  const std::vector<std::string> sites_;
  SitePages pages_;
  std::vector<Target> target_info_;
  std::vector<Agent> agent_info_;
  std::vector<uint64_t> agent_hashes_, host_hashes_;
  std::vector<ReferrerInfo> referrer_info_;
  std::optional<int> first_zone_;
  int64_t zone_ = 0;
  std::string scratch_;
  DayTally* day_ = nullptr;
  int64_t day_number_ = INT64_MIN;
};

}  // namespace dowser
