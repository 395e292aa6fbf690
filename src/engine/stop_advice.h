#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/advice.h"
#include "engine/judge_in_use.h"
#include "model/visit.h"

// Is it working, and when do I stop? How many relevant pages are left, and what the next thousand
// fetches will bring; the idea, and how far it can be trusted, is told in the .cc file.

namespace dowser {

class StopAdvice {
 public:
  // The judge outlives it.
  explicit StopAdvice(const JudgeInUse& judge) : judge_(judge) {}

  // A page has come back, and the judge has learned from it. Visits come in the order of their ids.
  void learn(const Visit& visit);

  // Brings a new one to where that of an earlier crawl was, by reading some of its visits again.
  // `fetched` of its `visits` were asked for. The judge must be there already. What cannot be read
  // is left out: the crawl continues all the same.
  using ReadVisit = std::function<Result<Visit>(VisitId)>;
  void restore(uint32_t visits, size_t fetched, const ReadVisit& read_visit);

  // Nothing while it is too early to tell. `waiting`: links; `found`: relevant pages, as the crawl
  // counts them (if it does not, as many as a strict person would count); `sites`: hosts with
  // waiting links.
  std::optional<Advice> advise(size_t waiting, std::optional<size_t> found = {},
                               size_t sites = 1) const;

  static constexpr size_t kLeastFetches = 100;

 private:
  struct SampledPage {
    uint64_t rank = 0;  // of its visit: the lowest are kept
    uint32_t visit = 0;
    bool was_fetched = false;
    double relevance = 0;
    KeptTerms words;  // empty if it need not be judged again

    bool operator<(const SampledPage& other) const { return rank < other.rank; }
  };

  void add(const Visit& visit);
  void judge_again();

  const JudgeInUse& judge_;
  uint64_t generation_ = 0;  // of the judge that judged the sample
  uint32_t visits_ = 0;
  size_t fetched_ = 0;
  std::vector<SampledPage> sample_;  // a heap, the highest rank first
};

}  // namespace dowser
