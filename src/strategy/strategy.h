#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/spec.h"
#include "frontier/frontier_view.h"
#include "model/page_terms.h"
#include "model/topic.h"
#include "model/visit.h"
#include "strategy/score_parts.h"

// A strategy decides the order in which links are fetched, and nothing else: it cannot fetch,
// store, log or read the clock. For every page that has been fetched, the engine calls these four
// functions, on one thread and in this order. Only score() is required.
//
// clang-format off
//   learn(visit)        once
//   score(visit, link)  for each link of the page that may be followed; the engine offers the link
//                       to the frontier with this score
//   revise(frontier)    once
//   select(frontier)    whenever the engine wants more to fetch
// clang-format on
//
// learn() is also called for pages that failed; their `page` is empty. A strategy keeps state for
// visited pages, not for waiting links: visit.candidate.trail.parent names the visit whose offer of
// this link won.
//
// Two strategies that are made from the same text form and the same context, and are given the same
// visits, must give the same answers. Therefore a crawl that was killed can be resumed without any
// code in the strategy: a new strategy is given all visits again, read from the archive (without
// the reasons of their judgements). Only learn() and score() are called then, for the same visits
// and links as before, so only these two may change what the strategy has learned: what revise()
// and select() change is lost.
//
// What else a strategy may have are contracts of their own, below: it can explain its scores
// (ExplainsScores), make resuming fast (SavesState), bring start pages (BringsSeeds), and ask for
// hosts to be explored (ExploresHosts). It inherits from those that it has.

namespace dowser {

class CrawlStatistics;
struct HmmFile;
struct Profile;

class Strategy {
 public:
  virtual ~Strategy() = default;

  // Called once for every page that has been fetched, or whose fetch failed.
  virtual void learn(const Visit&) {}

  // The score of a link of the page that learn() has just seen; nullopt if the link is not to be
  // followed. A link that is found again keeps its best score (the frontier's merge rule).
  virtual std::optional<Score> score(const Visit& visit, const Link& link) = 0;

  // May change the scores of waiting links, or drop them.
  virtual void revise(FrontierView&) {}

  // What to fetch now: by default the best link whose host may be asked. Empty means that nothing
  // may be fetched at present: the strategy is asked again when a page has come or when a host is
  // ready that was not, and the crawl
  // ends if neither can happen. A batch is fetched as a whole, in its order, before select() is
  // called again.
  virtual std::vector<Candidate> select(FrontierView& frontier) {
    if (std::optional<Candidate> best = frontier.take()) return {std::move(*best)};
    return {};
  }

  // Its text form with all parameters: make(spec()) makes an equal strategy.
  virtual Spec spec() const = 0;
};

// Something that the strategy has learned, for `dowser explain --model`.
struct Lesson {
  std::string_view kind;  // "tag path" or "directory"; a string literal
  std::string name;
  double value = 0;    // the relevance expected of a page behind such a link
  uint32_t count = 0;  // number of pages this was learned from
};

// For strategies that can say why a link has its score.
class ExplainsScores {
 public:
  virtual ~ExplainsScores() = default;

  // The terms whose sum is the first part of the score that score() has just returned, and facts
  // that decided it. Called only for links whose offer won.
  virtual std::vector<ScorePart> explain(const Visit& visit, const Link& link) const = 0;

  // The best of what it has learned, at most `most` of each kind.
  virtual std::vector<Lesson> lessons(size_t /*most*/) const { return {}; }
};

// For strategies that can be resumed without reading every visit again.
class SavesState {
 public:
  virtual ~SavesState() = default;

  // Writes and reads what the strategy has learned. save() writes nothing if there is nothing to
  // remember. load() is called on a new strategy of the same text form, before any other function;
  // visits that came after the last save are then given again, as described above.
  virtual void save(ByteWriter& out) const = 0;
  virtual Status load(ByteReader& in) = 0;
};

// A strategy that learns nothing from visits, so that a resumed crawl need not read them again.
class HasNoState : public SavesState {
 public:
  void save(ByteWriter&) const final {}
  Status load(ByteReader&) final { return {}; }
};

// For strategies that know start pages besides those that the user named.
class BringsSeeds {
 public:
  virtual ~BringsSeeds() = default;
  virtual std::vector<Url> seeds() const = 0;
};

// For strategies that want hosts of which little is known to be preferred.
class ExploresHosts {
 public:
  virtual ~ExploresHosts() = default;
  virtual Exploration exploration() const = 0;

  // How much the host of the page that was learned last is put back behind others, in units of the
  // score; asked after each learn().
  virtual double fatigue() const { return 0; }
};

// The crawl's judge, for strategies that want pages judged again: a judge that learns changes its
// opinion of pages that it has judged before.
class JudgeView {
 public:
  virtual ~JudgeView() = default;
  virtual uint64_t generation() const = 0;  // grows whenever a new judge replaces the old one
  virtual Relevance relevance(const PageTerms& page) const = 0;
  virtual double threshold() const = 0;  // the relevance from which a page counts as relevant
  // How much a few words, each given once, point towards the topic. About -1 … 1.
  virtual double direction_of(std::span<const TermId> terms) const = 0;
};

// A relevant page that an earlier crawl found.
struct EarlierFind {
  Url url;
  double relevance = 0;
};

// Pages by their distance to the topic's examples: element i holds the pages from which an example
// can be reached by following i + 1 links, and not fewer.
using PageLayers = std::vector<std::vector<const Page*>>;

// What a strategy is given when it is made. Everything it points to outlives the strategy.
struct StrategyContext {
  const Topic& topic;
  uint64_t random_seed = 1;
  // Back-links, if they are known (from an earlier crawl or an archive): returns the given number
  // of layers around the examples, with at most `most` pages each. `ascends`: an example with few
  // back-links is joined by the directories above it. Empty if no back-links are known.
  std::function<PageLayers(size_t layers, size_t most, bool ascends)> layers_around_examples = {};
  // Pages of the same archive from which no example can be reached by this many links, `most` of
  // them. Empty if no back-links are known.
  std::function<std::vector<const Page*>(size_t links, size_t most)> pages_far_from_examples = {};
  std::span<const EarlierFind> earlier = {};  // the best first
  const JudgeView* judge = nullptr;           // the crawl's judge; null in some tests
  const HmmFile* hmm = nullptr;               // learned from browsing; null without --model
  const Profile* profile = nullptr;           // of --profile; null: no profile
  // Of this crawl; they learn from every visit before the strategy does. Null in comparisons and
  // some tests.
  const CrawlStatistics* statistics = nullptr;
};

using MakeStrategy = Result<std::unique_ptr<Strategy>>(const Spec&, const StrategyContext&);

MakeStrategy make_best_first;
MakeStrategy make_best_first_n;
MakeStrategy make_breadth_first;
MakeStrategy make_cindi;
MakeStrategy make_context_graph;
MakeStrategy make_depth_first;
MakeStrategy make_fish_search;
MakeStrategy make_hard_focus;
MakeStrategy make_hmm;
MakeStrategy make_hmm_alldata;
MakeStrategy make_in_degree;
MakeStrategy make_infospiders;
MakeStrategy make_infospiders_db;
MakeStrategy make_learned;
MakeStrategy make_random;
MakeStrategy make_shark_search;
MakeStrategy make_shark_search_n;
MakeStrategy make_soft_focus;
MakeStrategy make_url_combined;

}  // namespace dowser
