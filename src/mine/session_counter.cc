#include "mine/session_counter.h"

#include <algorithm>

namespace dowser {

void SessionSample::add(const std::vector<SessionView>& path) {
  if (seen_++ % stride_ != 0) return;
  std::vector<uint32_t>& pages = paths_.emplace_back();
  pages.reserve(path.size());
  for (const SessionView& view : path) {
    // A reload is not a step.
    if (pages.empty() || pages.back() != view.page) pages.push_back(view.page);
  }
  views_ += pages.size();
  if (paths_.size() < most_sessions_ && views_ < most_views_) return;
  // Every second one stays: those whose number is a multiple of the new stride.
  views_ = 0;
  for (size_t i = 0; 2 * i < paths_.size(); ++i) {
    if (i > 0) paths_[i] = std::move(paths_[2 * i]);
    views_ += paths_[i].size();
  }
  paths_.resize((paths_.size() + 1) / 2);
  stride_ *= 2;
}

SessionCounter::SessionCounter(const UsageOptions& options, HitCounter& hits, bool has_referrers,
                               LinkTest links, bool knows_links, Sink sink)
    : events(options.pages.events.size()),
      options_(options),
      hits_(hits),
      has_referrers_(has_referrers),
      links_(std::move(links)),
      knows_links_(knows_links),
      sink_(std::move(sink)) {}

// Robots that do not say so (Tan and Kumar 2002). People do not ask for robots.txt; their browsers
// load style sheets and pictures and tell referrers; and they read. Only what the visitor had asked
// for when the session ended counts, so that the verdict does not depend on how much of the log was
// read when it was given.
int SessionCounter::robot_reason(const UsageSession& session) const {
  const auto user = hits_.users.find(session.looks_like);
  const auto views = static_cast<int64_t>(session.views.size());
  if (user != hits_.users.end()) {
    if (user->second.robots_txt <= session.last()) return 0;
    const bool silent =
        std::all_of(session.views.begin(), session.views.end(),
                    [](const SessionView& view) { return view.from == CameFrom::kNowhere; });
    if (views >= 10 && has_referrers_ && silent && hits_.asset_hits > 0 &&
        user->second.assets > session.last()) {
      return 1;
    }
  }
  return views >= 20 && session.last() - session.start() <= views ? 2 : -1;
}

void SessionCounter::add(UsageSession&& session) {
  const int reason = options_.keep.robot_behaviour ? -1 : robot_reason(session);
  if (reason >= 0) {
    ++robot_sessions;
    robot_views += session.views.size();
    ++robot_reasons[static_cast<size_t>(reason)];
    return;
  }
  UserTally& user = hits_.user(session.user);
  if (session.user != session.looks_like && user.sessions == 0) {
    const auto alike = hits_.users.find(session.looks_like);
    if (alike != hits_.users.end()) user = alike->second;
    user.sessions = user.views = 0;
  }
  if (user.first == 0) {  // forgotten since
    user.first = session.start();
    user.last = session.last();
    user.agent = session.agent;
    user.identified = session.identified;
  }
  ++user.sessions;
  user.views += static_cast<uint32_t>(session.views.size());
  ++sessions;
  joined += session.joined;
  views += session.views.size();
  ++lengths[session.views.size()];
  session_seconds += static_cast<uint64_t>(std::max<int64_t>(0, session.last() - session.start()));
  HitCounter::DayTally& day = hits_.days[hits_.day_of(session.start())];
  ++day.sessions;
  day.views += session.views.size();

  session.views = complete_path(session.views, links_, knows_links_);
  count_pages(session);
  count_events(session);
  sample.add(session.views);
  if (status_) status_ = sink_(session);
}

void SessionCounter::count_pages(const UsageSession& session) {
  const auto of = [&](uint32_t page) -> PageTally& {
    if (page >= pages.size()) pages.resize(std::max<size_t>(page + 1, hits_.pages().size()));
    return pages[page];
  };
  const SessionView* last = nullptr;  // with a time
  size_t requested = 0;
  for (const SessionView& view : session.views) {
    if (view.inferred) {
      ++inferred;
      ++of(view.page).inferred;
      // Nobody knows how long the visitor looked at the page before and how long at this one.
      last = nullptr;
      continue;
    }
    ++requested;
    ++of(view.page).views;
    if (last && view.time >= last->time) {
      const auto stayed = static_cast<uint64_t>(view.time - last->time);
      PageTally& before = of(last->page);
      before.seconds += stayed;
      ++before.timed;
      seconds += stayed;
      ++timed;
    }
    last = &view;
  }
  ++of(session.views.front().page).entries;
  ++of(session.views.back().page).exits;
  if (requested == 1) {
    ++of(session.views.front().page).single;
    ++single;
  }
}

std::string source_of(const UsageSession& session, const HitCounter& hits) {
  const SessionView& first = session.views.front();
  if (first.from == CameFrom::kNowhere) return "direct";
  if (first.from == CameFrom::kPage) return "this site";
  if (session.referrer == StringTable::kNone) return "other sites";
  return hits.referrer(session.referrer).engine.empty() ? "other sites" : "search engines";
}

void SessionCounter::count_events(const UsageSession& session) {
  SourceTally& source = sources[source_of(session, hits_)];
  ++source.sessions;
  source.views += session.views.size();
  source.converted.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    bool happened = false;
    for (size_t v = 0; v < session.views.size(); ++v) {
      if (!(session.views[v].events >> i & 1)) continue;
      ++events[i].times;
      if (std::exchange(happened, true)) continue;
      ++events[i].sessions;
      ++source.converted[i];
      events[i].views_before += v;
      events[i].seconds_before +=
          static_cast<uint64_t>(std::max<int64_t>(0, session.views[v].time - session.start()));
    }
  }
}

}  // namespace dowser
