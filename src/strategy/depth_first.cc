#include "strategy/strategy.h"

// Depth-first: a child of the page just fetched goes before everything else that waits. It knows
// nothing of the topic and is kept for comparison (U fig. 2).
//
// U has cp(child) = cp(parent) + a with 0 for seeds; with a = 1 that is the depth of the path on
// which the link was found. A link found again on a deeper path takes that depth, by the frontier's
// merge rule, as in U. Among links of the same depth the first found goes first, so the children of
// a page are taken in the order of the page.

namespace dowser {
namespace {

class DepthFirst final : public Strategy {
 public:
  std::optional<Score> score(const Visit& visit, const Link&) override {
    return Score(visit.candidate.trail.depth + 1);
  }
  Spec spec() const override { return {"depth-first", {}}; }
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_depth_first(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<DepthFirst>());
}

}  // namespace dowser
