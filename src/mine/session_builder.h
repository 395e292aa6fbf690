#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mine/path_completion.h"
#include "mine/usage_session.h"

// Page requests in the order of time become sessions.

namespace dowser {

// A session ends where one of the rules that are set ends it.
struct SessionRules {
  std::optional<int64_t> total;     // seconds from its first request
  std::optional<int64_t> stay;      // seconds on one page
  std::optional<int64_t> referrer;  // the referrer must be a page of the session, or be empty and
                                    // the request come within so many seconds of the one before
};

class SessionBuilder {
 public:
  using Finished = std::function<void(UsageSession&&)>;

  struct Links {
    bool known = false;
    LinkTest link, frame;
  };

  // `finished` is called with every session when it has ended, with the path as in the log.
  SessionBuilder(SessionRules rules, Links links, Finished finished);

  // Times should not run back. Where they do, by no more than a rule allows, the session continues.
  void add(const PageRequest& request);
  // Ends every session that nothing can be added to at `now` or later.
  void sweep(int64_t now);
  void finish();

  size_t open() const { return open_; }
  // Visitors with one address and agent who were distinguished by what they could not have clicked.
  uint64_t split_users() const { return split_users_; }

 private:
  using OpenSessions = std::vector<UsageSession>;  // of one visitor; the latest is the last

  bool is_over(const UsageSession& session, int64_t now) const;
  bool joins(const UsageSession& session, const PageRequest& request) const;
  // Which of the open sessions the request belongs to; nothing: to a new one.
  std::optional<size_t> choose(const OpenSessions& sessions, const PageRequest& request,
                               uint64_t& user);
  void end(OpenSessions& sessions, size_t index);
  void end_all(const std::function<bool(const UsageSession&)>& is_over);

  const SessionRules rules_;
  const Links links_;
  const Finished finished_;
  absl::flat_hash_map<uint64_t, OpenSessions> sessions_;
  size_t open_ = 0;
  uint64_t split_users_ = 0;
};

}  // namespace dowser
