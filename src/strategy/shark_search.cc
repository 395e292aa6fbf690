#include <fmt/format.h>

#include <algorithm>

#include "strategy/per_visit.h"
#include "strategy/strategy.h"
#include "text/topic_vector.h"

// Shark-search: fish-search with numbers for yes and no (Hersovici et al. 1998; K equations 3-2 to
// 3-5; U fig. 6). A link is worth what its ancestors were worth and what is said of it on the page:
//
//   score         = γ · inherited + (1 − γ) · neighbourhood                              (3-2)
//   inherited     = δ · sim(q, p)        where sim(q, p) > 0                             (3-3)
//                 = δ · inherited(p)     otherwise: it fades with each page without merit
//   context       = 1                    where anchor > 0                                (3-4)
//                 = sim(q, aug_context)  otherwise
//   neighbourhood = β · anchor + (1 − β) · context                                       (3-5)
//
// sim(q, p) is the relevance of the page by the crawl's judge; anchor = sim(q, words of the link)
// and aug_context (those words and ten on either side) are cosines to the topic's words and
// examples.
//
// Example, topic "gold": a page of relevance 0.4 links to "gold mines" and to "more". The first has
// anchor 0.71 and so context 1, neighbourhood 0.8 · 0.71 + 0.2 = 0.77, score 0.5 · 0.2 + 0.5 · 0.77
// = 0.48; the second, with no word of the topic near it, 0.5 · 0.2 = 0.1. If the second turns out
// to be worth nothing, what it links to inherits 0.1 in place of 0.2.
//
// Depth: a page has a budget. A link of a page with sim > 0 gets all of `depth`, others what their
// page had less one; a page with nothing left does not offer its links (even where it is relevant:
// so U fig. 6 prints it). So the search ends depth + 1 links behind the last page with sim > 0.
//
// Parameters. δ = 0.5 and β = 0.8 are Hersovici's. No source at hand prints γ; 0.5 lets ancestors
// and neighbourhood weigh alike. U fig. 6 calls it r and prints neighbourhood_score in both places:
// the first of the pair must be the inherited score. K and U leave the depth to the user; 3 is that
// of fish-search. Seeds inherit 0.
//
// relevant_above is what the two similarities must exceed where the equations say "> 0"; 0 is as
// printed. That was meant for a query of a few words. Against example pages a cosine is hardly ever
// 0: no page is without merit, so nothing fades and the depth has no effect, and nearly every
// anchor has a word that stands in some example, so its context counts as 1 and the sheer presence
// of such a word outweighs all else. On the schools web (three examples of birds, from Europe)
// 1,000 fetches bring 85 birds as printed and 102 with relevant_above=0.1, the first 500 of them 13
// and 76.
//
// shark-search-n (U, "SharkSearchN") takes the n best links at once, as best-first-n does.
//
// Different from the papers: a link found on several pages keeps the best score, as theirs do, and
// then inherits along that offer; Hersovici keeps the greatest depth apart from it.
//
// Cost: the words of each link are analysed, and where they tell nothing those around it: 2 to 3 µs
// a link on the schools web. Analysing the whole page once (strategy/page_words.h) took four times
// as long there: most words stand far from any link. 12 bytes a visited page.

namespace dowser {
namespace {

constexpr double kGamma = 0.5;
constexpr double kDelta = 0.5;
constexpr double kBeta = 0.8;
constexpr int64_t kDepth = 3;
constexpr int64_t kDefaultBatch = 10;
constexpr int kContextWords = 10;  // on either side

struct SharkOptions {
  int64_t batch = 1;  // 1 is plain shark-search
  double gamma = kGamma, delta = kDelta, beta = kBeta;
  int64_t depth = kDepth;
  double relevant_above = 0;
};

class SharkSearch final : public Strategy {
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

  std::vector<Candidate> select(Frontier& frontier) override {
    if (options_.batch == 1) return Strategy::select(frontier);
    return frontier.take_best(static_cast<size_t>(options_.batch));
  }

  std::vector<ScorePart> explain(const Visit&, const Link&) const override {
    return {{"inherited", inherited_now_}, {"anchor", anchor_}, {"context", context_}};
  }

  void save(ByteWriter& out) const override {
    depth_.save(out);
    inherited_.save(out);
  }
  Status load(ByteReader& in) override {
    depth_.load(in);
    inherited_.load(in);
    if (!in.ok()) return Error{"what shark-search saved is cut short"};
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

  // Of the links of visited pages.
  PerVisit<uint32_t> depth_;
  PerVisit<double> inherited_;

  // Of the page just learned, and of the link just scored.
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
