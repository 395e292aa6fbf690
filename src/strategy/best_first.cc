#include "strategy/strategy.h"

// Best-first: a link is as good as the page it is on is relevant (Uluhan 2006, fig. 5; "naive
// best-first" in Küçük 2009, section 3.1.3.1).
//
//   cp(link) = relevance(page)
//
// All links of a page get the same score, so this separates good pages from bad ones, but not the
// good links of a page from its bad ones. The judge defines the relevance: the cosine to the topic
// in Uluhan, any judge here.
//
// best-first-n (Uluhan, fig. 7; "best-N-first" in Küçük) takes the n best links at once and fetches
// all of them before it chooses again. That makes it less greedy: the links that were second best
// are fetched before the children of the best one displace them. Uluhan gives no n. Pant,
// Srinivasan and Menczer (2002) found n = 256 best for crawls of thousands of pages; for the few
// hundred pages of most crawls here that would be almost breadth-first, so the default is 10.

namespace dowser {
namespace {

constexpr int64_t kDefaultBatch = 10;

class BestFirst final : public Strategy, public ExplainsScores, public HasNoState {
 public:
  // A batch of 1 is plain best-first.
  BestFirst(std::string name, int64_t batch) : name_(std::move(name)), batch_(batch) {}

  std::optional<Score> score(const Visit& visit, const Link&) override {
    return Score(visit.judgement.relevance.value);
  }

  std::vector<Candidate> select(FrontierView& frontier) override {
    if (batch_ == 1) return Strategy::select(frontier);
    return frontier.take_best(static_cast<size_t>(batch_));
  }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    return {{"page", visit.judgement.relevance.value}};
  }

  Spec spec() const override {
    if (name_ == "best-first") return {name_, {}};
    return {name_, {{"n", std::to_string(batch_)}}};
  }

 private:
  const std::string name_;
  const int64_t batch_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_best_first(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<BestFirst>(spec.name, 1));
}

Result<std::unique_ptr<Strategy>> make_best_first_n(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  const int64_t n = p.integer("n", kDefaultBatch);
  if (auto bad = p.finish()) return *bad;
  if (n < 1) return Error{"n of best-first-n must be at least 1"};
  return std::unique_ptr<Strategy>(std::make_unique<BestFirst>(spec.name, n));
}

}  // namespace dowser
