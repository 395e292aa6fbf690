#include <fmt/format.h>

#include <algorithm>

#include "strategy/per_visit.h"
#include "strategy/strategy.h"
#include "text/topic_vector.h"

// Shark-search: fish-search with graded relevance (Hersovici et al. 1998; Küçük 2009, equations 3-2
// to 3-5; Uluhan 2006, fig. 6). The score of a link combines what its ancestors were worth with
// what the page says about it:
//
// clang-format off
//   score         = γ · inherited + (1 − γ) · neighbourhood                              (3-2)
//   inherited     = δ · sim(q, p)        if sim(q, p) > 0                                (3-3)
//                 = δ · inherited(p)     otherwise: it decays with each page that is not relevant
//   context       = 1                    if anchor > 0                                   (3-4)
//                 = sim(q, aug_context)  otherwise
//   neighbourhood = β · anchor + (1 − β) · context                                       (3-5)
// clang-format on
//
// sim(q, p) is the relevance of the page by the crawl's judge. anchor = sim(q, words of the link)
// and sim(q, aug_context), of those words and ten words on either side, are cosines to the topic's
// words and examples.
//
// Example for the topic "gold": a page of relevance 0.4 links to "gold mines" and to "more". The
// first link has anchor 0.71, therefore context 1, neighbourhood 0.8 · 0.71 + 0.2 = 0.77 and score
// 0.5 · 0.2 + 0.5 · 0.77 = 0.48. The second has no word of the topic near it and the score
// 0.5 · 0.2 = 0.1. If its page turns out to have no relevance, the links there inherit 0.1 instead
// of 0.2.
//
// Depth: each page has a budget. The links of a page with sim > 0 get `depth`, those of other pages
// one less than their page had. The links of a page with no budget left are not offered, even if
// the page is relevant (Uluhan's fig. 6 has it so). The search therefore ends depth + 1 links after
// the last page with sim > 0.
//
// Parameters: δ = 0.5 and β = 0.8 are Hersovici's. None of the papers prints γ; 0.5 gives ancestors
// and neighbourhood the same weight. Uluhan's fig. 6 calls it r and prints neighborhood_score
// twice; the first of the two must be the inherited score. Küçük and Uluhan leave the depth to the
// user; 3 is that of our fish-search. Seeds inherit 0.
//
// relevant_above is the value that both similarities must exceed where the equations say "> 0"; the
// default of 0 is as printed. The equations were meant for a query of a few words. A cosine to
// whole example pages is almost never 0: then nothing decays, the depth has no effect, and almost
// every anchor shares a word with some example, so that its context counts as 1.
// docs/experiments.md has figures for 0 and 0.1.
//
// shark-search-n (Uluhan's "SharkSearchN") takes the n best links at once, as best-first-n does.
//
// Differences from the papers: a link found on several pages keeps its best score, as in the
// papers, and inherits along that offer; Hersovici keeps the greatest depth separately.
//
// Cost: the words of each link are analysed, and, if they say nothing, the words around it: 2 to 3
// µs for a link on the schools web. Analysing the whole page once took four times as long there,
// because most words are far from any link. 12 bytes for each visit.

namespace dowser {
namespace {

constexpr double kGamma = 0.5;
constexpr double kDelta = 0.5;
constexpr double kBeta = 0.8;
constexpr int64_t kDepth = 3;
constexpr int64_t kDefaultBatch = 10;
constexpr int kContextWords = 10;  // on either side

struct SharkOptions {
  int64_t batch = 1;  // a batch of 1 is plain shark-search
  double gamma = kGamma, delta = kDelta, beta = kBeta;
  int64_t depth = kDepth;
  double relevant_above = 0;
};

class SharkSearch final : public Strategy, public ExplainsScores, public SavesState {
 public:
  SharkSearch(std::string name, const SharkOptions& options, const Topic& topic)
      : name_(std::move(name)), options_(options) {
    if (!topic.words.empty()) topic_.add_words(topic.words);
    for (const Page& page : topic.examples) topic_.add_example(page.terms);
  }

  void learn(const Visit& visit) override {
    const double relevance = visit.judgement.relevance.value;
    const bool relevant = relevance > options_.relevant_above;
    const auto full_depth = static_cast<uint32_t>(options_.depth);
    const uint32_t depth = depth_.of_parent(visit, full_depth);
    const double inherited = inherited_.of_parent(visit, 0);
    depth_.set(visit.id, relevant ? full_depth : depth - std::min(depth, 1u));
    inherited_now_ = options_.delta * (relevant ? relevance : inherited);
    inherited_.set(visit.id, inherited_now_);
    may_offer_ = depth > 0;
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    if (!may_offer_) return std::nullopt;
    const Page& page = visit.page;
    anchor_ = topic_.similarity(page.anchor(link), page.language);
    context_ = anchor_ > options_.relevant_above
                   ? 1
                   : topic_.similarity(augmented_context(page, link), page.language);
    const double neighbourhood = options_.beta * anchor_ + (1 - options_.beta) * context_;
    return Score(options_.gamma * inherited_now_ + (1 - options_.gamma) * neighbourhood);
  }

  std::vector<Candidate> select(FrontierView& frontier) override {
    if (options_.batch == 1) return Strategy::select(frontier);
    return frontier.take_best(static_cast<size_t>(options_.batch));
  }

  std::vector<ScorePart> explain(const Visit&, const Link&) const override {
    const double near = 1 - options_.gamma;
    return {{"inherited", options_.gamma * inherited_now_},
            {"anchor", near * options_.beta * anchor_},
            {"context", near * (1 - options_.beta) * context_}};
  }

  void save(ByteWriter& out) const override {
    depth_.save(out);
    inherited_.save(out);
  }
  Status load(ByteReader& in) override {
    depth_.load(in);
    inherited_.load(in);
    if (!in.ok()) return Error{"the saved state of shark-search is cut short"};
    return {};
  }

  Spec spec() const override {
    Spec spec{name_,
              {{"gamma", fmt::format("{}", options_.gamma)},
               {"delta", fmt::format("{}", options_.delta)},
               {"beta", fmt::format("{}", options_.beta)},
               {"depth", std::to_string(options_.depth)},
               {"relevant_above", fmt::format("{}", options_.relevant_above)}}};
    if (name_ == "shark-search-n") spec.parameters["n"] = std::to_string(options_.batch);
    return spec;
  }

 private:
  static std::string_view augmented_context(const Page& page, const Link& link) {
    const Page::Context context = page.context(link, kContextWords);
    return page.words({link.anchor.begin - static_cast<uint32_t>(context.before.size()),
                       link.anchor.end + static_cast<uint32_t>(context.after.size())});
  }

  const std::string name_;
  const SharkOptions options_;
  TopicVector topic_;

  // What the links of each visited page inherit.
  PerVisit<uint32_t> depth_;
  PerVisit<double> inherited_;

  // These belong to the page that was learned last and the link that was scored last.
  bool may_offer_ = false;
  double inherited_now_ = 0;
  double anchor_ = 0, context_ = 0;
};

Result<std::unique_ptr<Strategy>> make(const Spec& spec, const StrategyContext& context,
                                       bool batches) {
  Parameters p(spec);
  SharkOptions o;
  if (batches) o.batch = p.integer("n", kDefaultBatch);
  o.gamma = p.number("gamma", o.gamma);
  o.delta = p.number("delta", o.delta);
  o.beta = p.number("beta", o.beta);
  o.depth = p.integer("depth", o.depth);
  o.relevant_above = p.number("relevant_above", o.relevant_above);
  if (auto bad = p.finish()) return *bad;
  if (o.batch < 1) return Error{"n of shark-search-n must be at least 1"};
  if (o.depth < 1 || o.depth > UINT32_MAX) {
    return Error{fmt::format("depth of {} must be at least 1", spec.name)};
  }
  for (const auto& [name, value] : {std::pair{"gamma", o.gamma},
                                    {"delta", o.delta},
                                    {"beta", o.beta},
                                    {"relevant_above", o.relevant_above}}) {
    if (value < 0 || value > 1) {
      return Error{fmt::format("{} of {} must be between 0 and 1", name, spec.name)};
    }
  }
  return std::unique_ptr<Strategy>(std::make_unique<SharkSearch>(spec.name, o, context.topic));
}

}  // namespace

Result<std::unique_ptr<Strategy>> make_shark_search(const Spec& spec,
                                                    const StrategyContext& context) {
  return make(spec, context, false);
}

Result<std::unique_ptr<Strategy>> make_shark_search_n(const Spec& spec,
                                                      const StrategyContext& context) {
  return make(spec, context, true);
}

}  // namespace dowser
