#include "strategy/strategy.h"

// Depth-first: the children of the page fetched last go before all other waiting links (Uluhan
// 2006, fig. 2). It ignores the topic and is here for comparison.
//
// Uluhan has cp(child) = cp(parent) + a, and 0 for seeds; with a = 1 this is the depth of the path
// on which the link was found. A link that is found again on a deeper path takes the greater depth,
// by the frontier's merge rule, as in Uluhan. Among links of the same depth the first found goes
// first, so the children of a page are fetched in the order of the page.

namespace dowser {
namespace {

class DepthFirst final : public Strategy, public HasNoState {
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
