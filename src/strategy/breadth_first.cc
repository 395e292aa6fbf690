#include "strategy/strategy.h"

// Breadth-first: first found, first fetched. It knows nothing of the topic; with random order it is
// the floor that a focused crawl must beat.
//
// Every link has the same score, and the frontier takes equal scores in the order of their offers:
// a queue. U fig. 3 writes cp(child) = cp(parent) - a instead; with first-in-first-out among equals
// both give the same order, since a queue holds parents before children. The test is the scenario
// breadth_first.txt.

namespace dowser {
namespace {

class BreadthFirst final : public Strategy {
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
