#include "eval/oracle.h"

#include "absl/container/flat_hash_set.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

class Oracle final : public Strategy {
 public:
  Oracle(const HeldWeb& web, std::vector<char> is_target)
      : web_(web), wanted_(std::move(is_target)) {
    look_again();
  }

  void learn(const Visit& visit) override {
    const Node node = web_.node_of(visit.candidate.url);
    if (node == HeldWeb::kNone || !wanted_[node]) return;
    wanted_[node] = false;
    ahead_.erase(node);
    is_stale_ = true;
  }

  std::optional<Score> score(const Visit&, const Link& link) override {
    const Node node = web_.node_of(link.url);
    if (node == HeldWeb::kNone) return std::nullopt;
    if (wanted_[node]) ahead_.insert(node);
    return score_of(node);
  }

  // Distances are too small if they lead to targets that have been found since. That matters only
  // if no target is waiting; then they are computed again.
  void revise(FrontierView& frontier) override {
    if (!is_stale_ || !ahead_.empty()) return;
    look_again();
    frontier.rescore([&](const Candidate& candidate) -> std::optional<Score> {
      if (!candidate.trail.parent) return candidate.score;  // a seed
      return score_of(web_.node_of(candidate.url));
    });
  }

  Spec spec() const override { return {"oracle", {}}; }

 private:
  void look_again() {
    std::vector<Node> targets;
    for (Node node = 0; node < wanted_.size(); ++node) {
      if (wanted_[node]) targets.push_back(node);
    }
    distances_ = distances_to(web_.links(), targets);
    is_stale_ = false;
  }

  Score score_of(Node node) const {
    const uint32_t distance = node == HeldWeb::kNone ? HeldWeb::kNone : distances_[node];
    if (distance == HeldWeb::kNone) return Score::last();
    return Score(-static_cast<double>(distance));
  }

  const HeldWeb& web_;
  std::vector<char> wanted_;         // targets that have not been found yet
  absl::flat_hash_set<Node> ahead_;  // those of them that are waiting
  std::vector<uint32_t> distances_;
  bool is_stale_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_oracle(const HeldWeb& web, std::vector<char> is_target) {
  return std::make_unique<Oracle>(web, std::move(is_target));
}

}  // namespace dowser
