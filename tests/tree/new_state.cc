#include "base/random.h"
#include "strategy/strategy.h"

// New state: a strategy whose author has never heard of resuming. It learns from every page, draws
// random numbers, asks the judge about words, and saves nothing. The tests of tools/new kill its
// crawls: what they leave must be what an unbroken crawl leaves.

namespace dowser {
namespace {

class NewState final : public Strategy {
 public:
  explicit NewState(const JudgeView* judge) : judge_(judge) {}

  void learn(const Visit& visit) override {
    mean_ = 0.9 * mean_ + 0.1 * visit.judgement.relevance.value;
    luck_ = 0.01 * random_.uniform();
    if (judge_ && !visit.page.terms.empty()) {
      mean_ += 0.01 * judge_->direction_of({&visit.page.terms.front().term, 1});
    }
  }
  std::optional<Score> score(const Visit& visit, const Link&) override {
    return Score(visit.judgement.relevance.value - mean_ + luck_ +
                 1e-5 * static_cast<double>(++n_));
  }
  Spec spec() const override { return {"new-state", {}}; }

 private:
  const JudgeView* const judge_;
  Random random_{1};
  double mean_ = 0, luck_ = 0;
  uint64_t n_ = 0;  // links scored
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_new_state(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<NewState>(context.judge));
}

}  // namespace dowser
