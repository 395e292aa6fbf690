#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "strategy/hub_finder.h"
#include "strategy/strategy.h"

// The focused crawler (Chakrabarti, van den Berg and Dom 1999; Küçük 2009, section 3.1.3.3). A
// judge classifies pages over a tree of topics, some of which are marked good; a link is worth what
// its page is worth.
//
// clang-format off
//   R(p) = Σ Pr(c | p) over the good classes c                                           (3-6)
//
//   soft-focus   score(link) = R(p)
//   hard-focus   the same if the best leaf class of p is good or below a good class; otherwise the
//                links of p are not followed at all
// clang-format on
//
// Both come from the judge: R(p) is the relevance, and a judge over a topic tree calls a page
// relevant if its best leaf is within a good class. With any other judge soft-focus without the
// distiller is best-first, and hard-focus follows the links of pages above the judge's threshold.
//
// Example: p links to a and b and has R(p) = 0.4, but its best leaf is "cooking", which is not
// good. Soft focus gives a and b 0.4; hard focus never fetches them. Hard focus ends when no good
// page is left to follow links from: one bad page between a seed and the topic is enough. Küçük
// calls this stagnation. It is kept as published, so the seeds of hard-focus should be on the
// topic.
//
// The distiller. After `distil` visits, and then each time the number of visits has grown by a
// quarter, the `hubs` best hubs among the newest `pages` pages are computed (graph/distiller.h):
// pages with links to many relevant pages. A waiting link of such a hub is raised to the mean R of
// those links of the hub that were visited, if that is greater than the R of the pages it was found
// on. So the links of a plain list, in which a judge of words finds nothing, are followed early
// once some of them have led to relevant pages. Each time, all scores are computed again from R, so
// a link that is no longer on one of the best hubs falls back. distil=0 turns the distiller off.
//
// DistillerOptions::own_relevance stays off: with it a page that is off the topic is a poor hub,
// but the links of pages on the topic go first anyway, and the distiller is here for the others.
//
// Differences from the papers. Küçük: "some of the top hubs are added to the frontier"; but they
// are in it or visited already, so their links are raised instead, as in Chakrabarti. Neither says
// by how much; here by what the hub's links were worth so far, on the scale of R. Links within a
// host count. Chakrabarti's relevance limit ρ is the judge's: only pages that it calls relevant are
// authorities. `distil`, `hubs` and `pages` are our choice. docs/experiments.md has what is known
// of the distiller's effect.
//
// Cost: a hash for each link. Distilling is linear in the number of remembered links and, up to a
// logarithm, in the number of waiting links; it gets rarer as the crawl grows, and its share of the
// time is too small to measure over 1,000 pages. 20,000 pages of a hundred links take 16 MB.

namespace dowser {
namespace {

constexpr int64_t kDistil = 100;
constexpr int64_t kHubs = 10;
constexpr int64_t kPages = 20'000;

struct FocusOptions {
  bool hard = false;
  int64_t distil = kDistil;
  int64_t hubs = kHubs;
  int64_t pages = kPages;
};

class FocusedCrawler final : public Strategy, public ExplainsScores, public SavesState {
 public:
  explicit FocusedCrawler(const FocusOptions& options)
      : options_(options),
        hubs_(static_cast<size_t>(options.pages)),
        next_(static_cast<uint64_t>(options.distil)) {}

  void learn(const Visit& visit) override {
    if (options_.distil == 0) return;
    hubs_.add(visit);
    // Decided here and not in revise(), because revise() is not repeated when a crawl is resumed.
    is_due_ = ++visits_ >= next_;
    if (is_due_) next_ = visits_ + std::max(static_cast<uint64_t>(options_.distil), visits_ / 4);
  }

  // The second part keeps the score from before hubs raised it.
  std::optional<Score> score(const Visit& visit, const Link&) override {
    if (options_.hard && !visit.judgement.relevant) return std::nullopt;
    const double relevance = visit.judgement.relevance.value;
    return Score(relevance, relevance);
  }

  void revise(FrontierView& frontier) override {
    if (!is_due_) return;
    const HubFinder::Worths worths = hubs_.worths(static_cast<size_t>(options_.hubs));
    frontier.rescore([&](const Candidate& candidate) {
      if (!std::isfinite(candidate.score.value())) return candidate.score;  // a seed, or last
      const double relevance = candidate.score.parts()[1];
      const auto of_hub = worths.find(seen_fingerprint(candidate.url));
      const double worth = of_hub == worths.end() ? 0 : of_hub->second;
      return Score(std::max(relevance, worth), relevance);
    });
  }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    return {{"page", visit.judgement.relevance.value}};
  }

  void save(ByteWriter& out) const override {
    if (visits_ == 0) return;
    out.number(visits_);
    out.number(next_);
    hubs_.save(out);
  }
  Status load(ByteReader& in) override {
    visits_ = in.number<uint64_t>();
    next_ = in.number<uint64_t>();
    hubs_.load(in);
    if (!in.ok()) return Error{"the saved state of the distiller is cut short"};
    return {};
  }

  Spec spec() const override {
    return {options_.hard ? "hard-focus" : "soft-focus",
            {{"distil", std::to_string(options_.distil)},
             {"hubs", std::to_string(options_.hubs)},
             {"pages", std::to_string(options_.pages)}}};
  }

 private:
  const FocusOptions options_;
  HubFinder hubs_;
  uint64_t visits_ = 0;
  uint64_t next_;  // the visit after which to distil again
  bool is_due_ = false;
};

Result<std::unique_ptr<Strategy>> make(const Spec& spec, bool hard) {
  Parameters p(spec);
  FocusOptions o{.hard = hard};
  o.distil = p.integer("distil", o.distil);
  o.hubs = p.integer("hubs", o.hubs);
  o.pages = p.integer("pages", o.pages);
  if (auto bad = p.finish()) return *bad;
  if (o.distil < 0) return Error{fmt::format("distil of {} must not be negative", spec.name)};
  if (o.hubs < 1) return Error{fmt::format("hubs of {} must be at least 1", spec.name)};
  if (o.pages < 1) return Error{fmt::format("pages of {} must be at least 1", spec.name)};
  return std::unique_ptr<Strategy>(std::make_unique<FocusedCrawler>(o));
}

}  // namespace

Result<std::unique_ptr<Strategy>> make_soft_focus(const Spec& spec, const StrategyContext&) {
  return make(spec, false);
}

Result<std::unique_ptr<Strategy>> make_hard_focus(const Spec& spec, const StrategyContext&) {
  return make(spec, true);
}

}  // namespace dowser
