#include "eval/goal_sessions.h"

#include <fmt/format.h>

#include "archive/session_file.h"

namespace dowser {

Result<GoalSessions> GoalSessions::read(const std::filesystem::path& file, const HeldWeb& web) {
  const Result<SessionFile> read = read_session_file(file);
  if (!read) return read.error();
  GoalSessions out;
  for (const Session& session : read->sessions) {
    std::vector<HeldWeb::Node> nodes;
    Walk walk;
    const auto number = static_cast<uint32_t>(out.walks_.size());
    for (const SessionPage& page : session.pages) {
      const HeldWeb::Node node = web.node_of(page.url);
      nodes.push_back(node);
      if (node == HeldWeb::kNone) continue;
      walk.pages.push_back(node);
      if (page.useful) out.by_goal_[node].push_back(number);
    }
    for (const SessionStep& step : session.steps) {
      if (step.kind == StepKind::kStart && nodes[step.page] != HeldWeb::kNone) {
        walk.tops.push_back(nodes[step.page]);
      }
    }
    for (const SessionLink& link : session.links) {
      const HeldWeb::Node from = nodes[link.from], to = nodes[link.to];
      if (from != HeldWeb::kNone && to != HeldWeb::kNone && from != to) {
        walk.links.emplace_back(from, to);
      }
    }
    out.walks_.push_back(std::move(walk));
  }
  if (out.by_goal_.empty()) {
    return Error{
        fmt::format("no session of {} has a useful page that is in the archive: import the "
                    "sessions with --goals add",
                    file.string())};
  }
  return out;
}

std::span<const uint32_t> GoalSessions::of(HeldWeb::Node goal) const {
  const auto it = by_goal_.find(goal);
  return it == by_goal_.end() ? std::span<const uint32_t>() : std::span(it->second);
}

}  // namespace dowser
