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
#include "frontier/frontier.h"
#include "model/topic.h"
#include "model/visit.h"

// What next? A strategy decides the order in which links are fetched, and nothing else: it cannot
// fetch, store, log or read the clock. Four verbs, one required. For every page that has come back
// the engine calls, on one thread and in this order:
//
//   learn(visit)                            once
//   score(visit, link)                      for each link of the page that may be followed; the
//                                           engine offers it to the frontier with the score
//   revise(frontier)                        once
//   select(frontier)                        whenever it wants more to fetch
//
// All pages are seen, also those that failed (their page is empty). State belongs to visited pages,
// not to waiting links: visit.candidate.trail.parent names the visit whose offer won. Two
// strategies made from the same text, with the same context, given the same visits, must answer
// alike.

namespace dowser {

struct HmmFile;

// One term of a score, for `dowser explain`.
struct ScorePart {
  std::string_view name;  // of a string literal
  double value = 0;
};

// One thing that was learned, for `dowser explain --model`.
struct Lesson {
  std::string_view kind;  // "tag path", "directory"; of a string literal
  std::string name;
  double value = 0;    // the relevance that is expected of it
  uint32_t count = 0;  // pages that it was learned from
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // A page has come back.
  virtual void learn(const Visit&) {}

  // How good this link of the page just learned looks; nothing = do not follow it. A link found
  // twice keeps its best score: that is the frontier's one merge rule.
  virtual std::optional<Score> score(const Visit& visit, const Link& link) = 0;

  // Re-order what waits: raise, rescore, drop.
  virtual void revise(Frontier&) {}

  // What to fetch now: by default the best link that may go. Empty = nothing may go at present. A
  // batch is sent out as a whole, in its order, before select() is called again.
  virtual std::vector<Candidate> select(Frontier& frontier) {
    if (std::optional<Candidate> best = frontier.take()) return {std::move(*best)};
    return {};
  }

  // The terms of what score() has just said of the link. Only asked for links whose offer won.
  virtual std::vector<ScorePart> explain(const Visit&, const Link&) const { return {}; }

  // The best of each kind of thing that it has learned to value, for people; `most` of a kind.
  virtual std::vector<Lesson> lessons(size_t) const { return {}; }

  // What it has learned, so that a crawl that was stopped goes on with it. save() writes nothing
  // where there is nothing to remember; load() is called on a new strategy of the same text form,
  // before everything else. What was learned since it was last saved is learned again: learn() and
  // score() are called for the same visits and links as before.
  virtual void save(ByteWriter&) const {}
  virtual Status load(ByteReader&) { return {}; }

  // Its text form, with every parameter: make(spec()) makes the like.
  virtual Spec spec() const = 0;
};

// What the crawl's judge thinks now, for strategies that ask it again: it may learn, and then
// thinks otherwise of pages that it has judged before.
class JudgeView {
 public:
  virtual ~JudgeView() = default;
  virtual uint64_t generation() const = 0;  // grows when another judge takes its place
  virtual Relevance relevance_of(std::span<const TermCount> terms,
                                 std::string_view language) const = 0;
  // How much a few words point towards the topic: those of a link, each once. About -1 … 1.
  virtual double direction_of(std::span<const TermId> terms) const = 0;
};

// A page that an earlier crawl found.
struct EarlierFind {
  Url url;
  double relevance = 0;
};

// Pages by their distance to the examples of a topic: element i holds pages from which one of them
// is reached by i + 1 links, and not by fewer.
using PageLayers = std::vector<std::vector<const Page*>>;

// What a strategy is given when it is made. What it points to lives as long as the strategy.
struct StrategyContext {
  const Topic& topic;
  uint64_t random_seed = 1;
  // Back-links, where somebody knows them (an earlier crawl, an archive, a search engine): so many
  // layers around the examples, of `most` pages each at most. Empty function: nobody does.
  std::function<PageLayers(size_t layers, size_t most)> layers_around_examples = {};
  std::span<const EarlierFind> earlier = {};  // best first
  const JudgeView* judge = nullptr;           // of the crawl; none in some tests
  const HmmFile* hmm = nullptr;               // learned from browsing; none without --model
};

using MakeStrategy = Result<std::unique_ptr<Strategy>>(const Spec&, const StrategyContext&);

MakeStrategy make_best_first;
MakeStrategy make_best_first_n;
MakeStrategy make_breadth_first;
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
