#include "strategy/strategy.h"

// Breadth-first: links are fetched in the order in which they were found. It ignores the topic;
// together with random order it is the baseline that a focused crawler must beat.
//
// All links have the same score, and the frontier takes links of equal score in the order of their
// offers, so it is a queue. Uluhan (2006, fig. 3) writes cp(child) = cp(parent) - a instead. Both
// give the same order, because a queue holds parents before their children. The scenario
// breadth_first.txt tests it.

namespace dowser {
namespace {

class BreadthFirst final : public Strategy, public HasNoState {
 public:
  std::optional<Score> score(const Visit&, const Link&) override { return Score(0); }
  Spec spec() const override { return {"breadth-first", {}}; }
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_breadth_first(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<BreadthFirst>());
}

}  // namespace dowser
