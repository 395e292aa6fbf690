#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "learn/weighted_bayes.h"
#include "model/page_terms.h"
#include "strategy/strategy.h"

namespace dowser {

// Tells pages that are not relevant but lead to relevant ones (layer 2) from those that lead
// nowhere. layer_two.cc describes what it learns from.
class LayerTwo {
 public:
  enum class TunnelBy : uint8_t { kFactor, kOdds };
  struct Options {
    uint32_t steps = 5;  // back-links
    double bias = 0.75;  // while tunnelling
    TunnelBy tunnel_by = TunnelBy::kFactor;
  };
  // Learns from the back-links of the examples, if they are known.
  static Result<LayerTwo> make(const Options& options, const StrategyContext& context);

  // Every visit, with what is known about its page.
  void learn(const Visit& visit, bool is_relevant);

  // Of a page that is not relevant. While tunnelling more pages are in the layer.
  bool contains(const Page& page, bool is_tunnelling) const;
  bool is_trained() const { return bayes_.has_value(); }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  static constexpr uint32_t kOut = 0, kIn = 1;  // classes
  // A page of the crawl that is not relevant, and what its links brought.
  struct Sampled {
    uint32_t visit = 0;
    uint32_t tried = 0, relevant = 0;  // pages fetched from its links
    KeptTerms terms;
  };

  explicit LayerTwo(const Options& options) : options_(options) {}
  void sample(const Visit& visit);
  void train();

  Options options_;
  std::vector<Example> given_;  // of the back-links; not saved, since they are read again
  std::vector<Sampled> sample_;
  absl::flat_hash_map<uint32_t, uint32_t> places_;  // in the sample, by visit
  uint32_t seen_ = 0;                               // pages that are not relevant
  uint32_t visits_ = 0, next_training_ = 0;
  Random random_{1};
  std::optional<WeightedBayes> bayes_;
};

}  // namespace dowser
