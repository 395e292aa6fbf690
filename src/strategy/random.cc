#include "base/hash.h"
#include "model/url_canonical.h"
#include "strategy/strategy.h"

// Random: each known link is equally likely to be next. A baseline for comparisons.
//
// The score is a hash of the address and the random seed, not a new random number for each offer:
// since the frontier keeps the best of several offers, an address found ten times would otherwise
// keep the best of ten draws, and the order would follow the in-degree.

namespace dowser {
namespace {

class RandomOrder final : public Strategy, public HasNoState {
 public:
  explicit RandomOrder(uint64_t seed) : seed_(seed) {}

  std::optional<Score> score(const Visit&, const Link& link) override {
    return Score(static_cast<double>(hash64(seen_key(link.url), seed_) >> 11) * 0x1.0p-53);
  }
  Spec spec() const override { return {"random", {}}; }

 private:
  const uint64_t seed_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_random(const Spec& spec, const StrategyContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<RandomOrder>(context.random_seed));
}

}  // namespace dowser
