#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "eval/held_web.h"

namespace dowser {

// Browsing sessions over a held web, by their goals: a goal is a page that is marked as useful.
class GoalSessions {
 public:
  struct Walk {
    std::vector<HeldWeb::Node> pages;  // visited, and the goals
    std::vector<HeldWeb::Node> tops;   // reached without a link: the first, and typed addresses
    std::vector<std::pair<HeldWeb::Node, HeldWeb::Node>> links;
  };

  // A file that dowser session import has written.
  static Result<GoalSessions> read(const std::filesystem::path& file, const HeldWeb& web);

  bool is_goal(HeldWeb::Node node) const { return by_goal_.contains(node); }
  // Indexes of the sessions that have this page as a goal.
  std::span<const uint32_t> of(HeldWeb::Node goal) const;
  const Walk& walk(uint32_t index) const { return walks_[index]; }
  size_t size() const { return walks_.size(); }

 private:
  std::vector<Walk> walks_;
  std::map<HeldWeb::Node, std::vector<uint32_t>> by_goal_;
};

}  // namespace dowser
