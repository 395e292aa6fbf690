#include "mine/session_builder.h"

#include <algorithm>

#include "base/hash.h"

// Sessionization (Spiliopoulou, Mobasher, Berendt and Nakagawa 2003; Küçük 2009, 2.1.9): a
// visitor's requests are cut into visits. Three rules are known, and each can be switched on:
//
//   total     a session lasts no longer than 30 minutes;
//   stay      nobody stays on one page for longer than 10 minutes;
//   referrer  a request belongs to the session that holds its referrer; one without a referrer to
//             the latest session, if it comes within 10 seconds of the request before.
//
// Example: a visitor asks for A at 0:00, B (from A) at 0:20 and C (from A) at 0:35. The stay rule
// makes three sessions of it, the total rule A B | C, the referrer rule one.
//
// Which requests belong to one visitor? Those with the same cookie or user name; otherwise those
// with the same address and agent, although several people behind one proxy then look alike. If the
// links of the site are known, they are distinguished (Cooley, Mobasher and Srivastava 1999): a
// request whose referrer none of them has seen, for a page to which no page that they have seen
// links, comes from another person. Only a referrer within the site is such evidence, since every
// visit begins without one.
//
// Requests that make up one page view are joined: a frame, which is asked for right after the page
// that holds it and with that page as referrer (known from the site's links, or else recognised by
// the time: nobody reads and clicks within a second), and further pieces (206) of the same file.

namespace dowser {
namespace {

constexpr int64_t kFrameSeconds = 1;         // recognised by the time alone
constexpr int64_t kKnownFrameSeconds = 30;   // by the site's links
constexpr int64_t kLongestSilence = 86'400;  // where only the referrer rule is set
constexpr size_t kOpenPerUser = 16;          // by the referrer rule, or behind one proxy

bool holds(const UsageSession& session, uint32_t page) {
  return std::any_of(session.views.rbegin(), session.views.rend(),
                     [&](const SessionView& view) { return view.page == page; });
}

}  // namespace

SessionBuilder::SessionBuilder(SessionRules rules, Links links, Finished finished)
    : rules_(rules), links_(std::move(links)), finished_(std::move(finished)) {}

bool SessionBuilder::is_over(const UsageSession& session, int64_t now) const {
  if (rules_.total && now - session.start() > *rules_.total) return true;
  if (rules_.stay && now - session.last() > *rules_.stay) return true;
  // Times that run back: a clock was set. What came before it is over.
  const int64_t longest = rules_.stay    ? *rules_.stay
                          : rules_.total ? *rules_.total
                                         : kLongestSilence;
  return std::abs(now - session.last()) > std::max(longest, int64_t{60});
}

bool SessionBuilder::joins(const UsageSession& session, const PageRequest& request) const {
  const SessionView& last = session.views.back();
  if (request.partial && request.page == last.page) return true;
  if (request.from != CameFrom::kPage || request.from_page != last.page ||
      request.page == last.page) {
    return false;
  }
  const int64_t after = request.time - last.time;
  if (after < 0) return false;
  return links_.known ? after <= kKnownFrameSeconds && links_.frame(last.page, request.page)
                      : after <= kFrameSeconds;
}

std::optional<size_t> SessionBuilder::choose(const OpenSessions& sessions,
                                             const PageRequest& request, uint64_t& user) {
  const bool from_page = request.from == CameFrom::kPage;
  const bool may_split = links_.known && !request.identified && from_page;
  bool any_open = false, any_link = false;
  if (rules_.referrer || may_split) {
    for (size_t i = sessions.size(); i-- > 0;) {
      if (is_over(sessions[i], request.time)) continue;
      any_open = true;
      if (from_page && request.from_page != kNoPage && holds(sessions[i], request.from_page)) {
        return i;
      }
    }
  }
  if (may_split && any_open) {
    std::optional<size_t> linking;
    for (size_t i = sessions.size(); i-- > 0 && !linking;) {
      if (is_over(sessions[i], request.time)) continue;
      for (const SessionView& view : sessions[i].views) {
        any_link |= view.page == request.page || links_.link(view.page, request.page);
      }
      if (any_link) linking = i;
    }
    if (!linking) {
      ++split_users_;
      user = hash64({reinterpret_cast<const char*>(&user), sizeof user}, split_users_);
      return std::nullopt;
    }
    if (!rules_.referrer) return linking;
  }
  if (sessions.empty()) return std::nullopt;
  const UsageSession& latest = sessions.back();
  user = latest.user;
  if (is_over(latest, request.time)) return std::nullopt;
  if (rules_.referrer) {
    // Asked for again, or a piece of it, is not a new session whatever the referrer.
    const bool again = request.page == latest.views.back().page;
    const bool soon = request.time - latest.last() <= *rules_.referrer;
    if (!again && !(request.from == CameFrom::kNowhere && soon)) return std::nullopt;
  }
  return sessions.size() - 1;
}

void SessionBuilder::add(const PageRequest& request) {
  OpenSessions& sessions = sessions_[request.user];
  uint64_t user = request.user;
  std::optional<size_t> chosen = choose(sessions, request, user);
  if (!chosen) {
    // With time rules alone a visitor has one session at a time.
    for (size_t i = sessions.size(); i-- > 0;) {
      const bool replaced = !rules_.referrer && sessions[i].user == user;
      if (replaced || is_over(sessions[i], request.time)) end(sessions, i);
    }
    if (sessions.size() >= kOpenPerUser) end(sessions, 0);
    sessions.push_back(
        {user, request.user, request.referrer, request.agent, request.identified, {}, 0});
    ++open_;
  } else if (*chosen + 1 != sessions.size()) {
    std::rotate(sessions.begin() + static_cast<ptrdiff_t>(*chosen),
                sessions.begin() + static_cast<ptrdiff_t>(*chosen) + 1, sessions.end());
  }
  UsageSession& session = sessions.back();
  if (!session.views.empty() && joins(session, request)) {
    session.views.back().events |= request.events;
    ++session.joined;
    return;
  }
  session.views.push_back(
      {request.time, request.page, request.from_page, request.events, request.from, false});
}

void SessionBuilder::end(OpenSessions& sessions, size_t index) {
  finished_(std::move(sessions[index]));
  sessions.erase(sessions.begin() + static_cast<ptrdiff_t>(index));
  --open_;
}

void SessionBuilder::end_all(const std::function<bool(const UsageSession&)>& is_over) {
  std::vector<UsageSession> over;
  absl::erase_if(sessions_, [&](auto& entry) {
    OpenSessions& sessions = entry.second;
    for (size_t i = 0; i < sessions.size(); ++i) {
      if (is_over(sessions[i])) over.push_back(std::move(sessions[i]));
    }
    std::erase_if(sessions, [](const UsageSession& session) { return session.views.empty(); });
    return sessions.empty();
  });
  // In the order of time, so that the result does not depend on the order of a hash table.
  // Those of one visitor that begin in the same second stay in theirs.
  std::stable_sort(over.begin(), over.end(), [](const UsageSession& a, const UsageSession& b) {
    return std::pair(a.start(), a.user) < std::pair(b.start(), b.user);
  });
  open_ -= over.size();
  for (UsageSession& session : over) finished_(std::move(session));
}

void SessionBuilder::sweep(int64_t now) {
  end_all(
      [&](const UsageSession& session) { return now > session.last() && is_over(session, now); });
}

void SessionBuilder::finish() {
  end_all([](const UsageSession&) { return true; });
}

}  // namespace dowser
