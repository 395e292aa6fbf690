#include "mine/hit_counter.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {
namespace {

uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a + 0x9E3779B97F4A7C15ULL * (b | 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The value of a cookie in "a=1; b=2"; "" if there is none of that name.
std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view pair = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=') {
      return pair.substr(name.size() + 1);
    }
  }
  return {};
}

SitePagesOptions pages_options(const UsageOptions& options) {
  SitePagesOptions pages = options.pages;
  pages.keep_assets = options.keep.assets;
  return pages;
}

}  // namespace

HitCounter::HitCounter(const UsageOptions& options, std::vector<std::string> sites)
    : options_(options), sites_(std::move(sites)), pages_(pages_options(options)) {}

std::optional<std::string> HitCounter::site_of(std::string_view host) const {
  const std::string name = site_name(host);
  const auto it = std::find(sites_.begin(), sites_.end(), name);
  if (it == sites_.end()) return std::nullopt;
  // Names of one site are the same place.
  return std::string();
}

std::string_view HitCounter::whole_target(const LogEntry& entry) {
  if (entry.query.empty() && entry.site.empty()) return entry.target;
  scratch_.clear();
  // Pages of a virtual host that is none of the names of the site are kept apart by its name.
  if (!entry.site.empty() && !site_of(entry.site)) scratch_ = site_name(entry.site) + " ";
  scratch_ += entry.target;
  if (!entry.query.empty()) (scratch_ += '?') += entry.query;
  return scratch_;
}

Target HitCounter::read_target(const LogEntry& entry, std::string_view target,
                               TargetTally*& tally) {
  const StringTable::Added added = targets.add(target);
  if (!added.is_new) {
    tally = &target_tallies[added.number];
    return target_info_[added.number];
  }
  const size_t blank = entry.site.empty() ? target.npos : target.find(' ');
  const bool foreign = blank != target.npos && !target.starts_with('/');
  const Target info = foreign ? pages_.read(target.substr(0, blank), target.substr(blank + 1))
                              : pages_.read("", target);
  tally = &other_targets;
  if (added.number == StringTable::kNone) return info;
  target_info_.push_back(info);
  tally = &target_tallies.emplace_back();
  return info;
}

uint32_t HitCounter::read_agent_number(std::string_view agent) {
  const StringTable::Added added = agents.add(agent);
  if (added.number == StringTable::kNone || !added.is_new) return added.number;
  agent_info_.push_back(read_agent(agent));
  agent_hashes_.push_back(hash64(agent));
  agent_tallies.emplace_back();
  return added.number;
}

void HitCounter::count_name(StringTable& names, std::vector<Tally>& tallies, std::string_view name,
                            int64_t bytes) {
  const StringTable::Added added = names.add(name.empty() ? "none" : name.substr(0, 40));
  if (added.number == StringTable::kNone) return;
  if (added.is_new) tallies.emplace_back();
  tallies[added.number].add(bytes);
}

void HitCounter::count_time(const LogEntry& entry) {
  if (!first_zone_) zone_ = *(first_zone_ = entry.zone);
  const int64_t local = entry.time + zone_;
  const int64_t day = local / 86'400;
  if (day != day_number_) {
    day_number_ = day;
    day_ = &days[day];
  }
  day_->add(entry.bytes);
  if (local >= 0) hours[static_cast<size_t>(local % 86'400 / 3600)].add(entry.bytes);
}

uint64_t HitCounter::user_of(const LogEntry& entry, uint32_t host, uint32_t agent,
                             bool& identified) const {
  std::string_view cookie = entry.cookie;
  if (!options_.cookie.empty()) cookie = cookie_value(cookie, options_.cookie);
  identified = true;
  if (!cookie.empty()) return hash64(cookie, 1);
  if (!entry.user.empty()) return hash64(entry.user, 2);
  identified = false;
  const uint64_t who = host == StringTable::kNone ? hash64(entry.host) : host_hashes_[host];
  return mixed(who, agent == StringTable::kNone ? hash64(entry.agent) : agent_hashes_[agent]);
}

UserTally& HitCounter::user(uint64_t id) {
  if (users.size() >= options_.most_visitors && !users.contains(id)) forget_users();
  return users[id];
}

// A half of them at once, so that it costs little for each.
void HitCounter::forget_users() {
  std::vector<int64_t> times;
  times.reserve(users.size());
  for (const auto& [id, user] : users) times.push_back(user.last);
  const auto middle = times.begin() + static_cast<ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const int64_t latest = *middle;
  absl::erase_if(users, [&](const auto& entry) {
    const UserTally& user = entry.second;
    if (user.last > latest) return false;
    if (user.sessions == 0) return true;
    ++forgotten.users;
    forgotten.returning += user.sessions > 1;
    forgotten.identified += user.identified;
    if (user.agent != StringTable::kNone) {
      if (forgotten.by_agent.size() <= user.agent) forgotten.by_agent.resize(user.agent + 1);
      ++forgotten.by_agent[user.agent];
    }
    return true;
  });
}

HitCounter::ReferrerInfo HitCounter::read_referrer_info(const LogEntry& entry) {
  ReferrerInfo info;
  info.referrer = read_referrer(entry.referrer);
  if (!info.referrer.is_address) return info;
  const bool same_host = !entry.site.empty() && site_name(entry.site) == info.referrer.site;
  const auto site = site_of(info.referrer.site);
  if (!site && !same_host) return info;
  info.from = CameFrom::kPage;
  // A page that nobody asked for has been in a cache since before the log begins.
  const Target target = pages_.read(site ? *site : info.referrer.site, info.referrer.target);
  if (target.kind == TargetKind::kPage) info.page = target.page;
  return info;
}

void HitCounter::read_from(const LogEntry& entry, PageRequest& request) {
  if (entry.referrer.empty()) return;
  const StringTable::Added added = referrers.add(entry.referrer);
  request.referrer = added.number;
  if (added.number == StringTable::kNone) {
    const ReferrerInfo info = read_referrer_info(entry);
    request.from = info.from;
    request.from_page = info.page;
    return;
  }
  if (added.is_new) {
    referrer_info_.push_back(read_referrer_info(entry));
    referrer_hits.push_back(0);
  }
  request.from = referrer_info_[added.number].from;
  request.from_page = referrer_info_[added.number].page;
  ++referrer_hits[added.number];
}

std::optional<PageRequest> HitCounter::count(const LogEntry& entry) {
  all.add(entry.bytes);
  statuses[static_cast<size_t>(entry.status)].add(entry.bytes);
  count_name(methods, method_tallies, entry.method, entry.bytes);
  count_name(protocols, protocol_tallies, entry.protocol, entry.bytes);
  count_time(entry);
  with_cookie += !entry.cookie.empty();

  TargetTally* target_tally = nullptr;
  const Target target = read_target(entry, whole_target(entry), target_tally);
  target_tally->add(entry.bytes);
  target_tally->not_found += entry.status == 404 || entry.status == 410 || entry.status == 400;
  const bool unauthorised = entry.status == 401 || entry.status == 403;
  target_tally->unauthorised += unauthorised;
  target_tally->server_errors += entry.status >= 500;

  const StringTable::Added host = hosts.add(entry.host);
  if (host.number != StringTable::kNone) {
    if (host.is_new) {
      host_tallies.emplace_back();
      host_hashes_.push_back(hash64(entry.host));
    }
    host_tallies[host.number].add(entry.bytes);
    host_tallies[host.number].unauthorised += unauthorised;
  }
  const uint32_t agent = read_agent_number(entry.agent);
  const bool robot =
      agent == StringTable::kNone ? read_agent(entry.agent).robot : agent_info_[agent].robot;
  if (agent != StringTable::kNone) agent_tallies[agent].add(entry.bytes);

  asset_hits += target.asset;
  if (robot && !options_.keep.robot_agents) {
    ++cleaned.robot_agents;
    return std::nullopt;
  }
  PageRequest request;
  request.agent = agent;
  request.user = user_of(entry, host.number, agent, request.identified);
  UserTally& user = this->user(request.user);
  if (user.first == 0) user = {entry.time, entry.time, host.number, agent};
  user.first = std::min(user.first, entry.time);
  user.last = std::max(user.last, entry.time);
  user.identified |= request.identified;
  if (target.kind == TargetKind::kRobotsTxt) {
    user.robots_txt = std::min(user.robots_txt, entry.time);
    ++cleaned.robots_txt;
    return std::nullopt;
  }
  if (target.asset) user.assets = std::min(user.assets, entry.time);
  if (target.kind == TargetKind::kAsset) {
    ++cleaned.assets;
    return std::nullopt;
  }
  if (entry.status >= 400 && !options_.keep.errors) {
    ++cleaned.errors;
    return std::nullopt;
  }
  if (entry.status >= 300 && entry.status < 400 && entry.status != 304) {
    ++cleaned.redirects;
    return std::nullopt;
  }
  if ((entry.method != "GET" && entry.method != "POST") || target.kind == TargetKind::kForeign ||
      target.page == kNoPage) {
    ++cleaned.other;
    return std::nullopt;
  }
  request.time = entry.time;
  request.page = target.page;
  request.events = target.events;
  request.partial = entry.status == 206;
  read_from(entry, request);
  return request;
}

}  // namespace dowser
