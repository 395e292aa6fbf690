#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "learn/layer_bayes.h"
#include "strategy/strategy.h"

// The context graph (Diligenti et al. 2000; Küçük 2009, section 3.1.3.4; the baseline of Liu,
// Janssen and Milios 2005). Pages from which a relevant page can be reached by two or three links
// may be about something else, but they resemble each other. So this strategy learns from
// back-links how pages look at each distance, estimates the distance of every page that is fetched,
// and follows the links of the nearest pages first.
//
// clang-format off
//   layer 0      the examples; layer i: pages that link to a page of layer i − 1 and to none before
//   vocabulary   the terms of layer 0, taken as one document, with the greatest n · ln(N / df);
//                N and df count the pages of all layers
//   layer(p)     the most probable layer (learn/layer_bayes.h) if its probability reaches the
//                threshold; otherwise "other"
//   score(link of p) = (−layer(p), Pr(layer | p)): nearest layer first, then the most probable
// clang-format on
//
// "other" goes after all layers. Example with layers 0 to 2: a page with the probabilities 0.7,
// 0.2, 0.1 is in layer 0, and its links have (0, 0.7); with 0.1, 0.3, 0.6 it is in layer 2, (−2,
// 0.6); with 0.4, 0.3, 0.3 it is "other", (−3, 0.4).
//
// Parameters: layers = 4, most = 300 pages a layer and threshold = 0.5 are those of Liu, Janssen
// and Milios. Küçük wants "the top few terms", but more terms did better, so features = 2,000.
// tempered = 10: a page counts as at most ten words (learn/naive_bayes.cc); 0 is as published, but
// then almost all probabilities are near 1, and the links of a layer have hardly any order.
// docs/experiments.md has the figures.
//
// Differences from the papers: Küçük's queues hold pages, whose links are extracted when they come
// to the front; here the links wait, in the same order. All layers share one naive Bayes classifier
// with equal priors, so a threshold of 0.5 means "more likely than all others together". Diligenti
// also asks for the back-links of relevant pages while they are found; Liu, Janssen and Milios do
// not, and neither does this strategy.
//
// Back-links come from StrategyContext (`dowser crawl --back-links`, or the archive of a
// comparison). Without them there are no layers, and a link is as good as its page, as with
// best-first; `dowser crawl` refuses that.
//
// Everything is learned when the strategy is made, so there is nothing to save. Cost: five
// multiplications for each different term of a page.

namespace dowser {
namespace {

constexpr int64_t kLayers = 4;
constexpr int64_t kMost = 300;
constexpr double kThreshold = 0.5;
constexpr int64_t kFeatures = 2000;
constexpr double kTempered = 10;

struct ContextGraphOptions {
  int64_t layers = kLayers;
  int64_t most = kMost;
  double threshold = kThreshold;
  int64_t features = kFeatures;
  double tempered = kTempered;
};

SparseVector counts_of(const Page& page) {
  std::vector<SparseVector::Entry> entries;
  entries.reserve(page.terms.size());
  for (const TermCount& t : page.terms) entries.push_back({t.term, static_cast<double>(t.count)});
  return SparseVector(std::move(entries));
}

// The best terms of layer 0, taken as one document, by n ln(N / df).
std::vector<uint32_t> vocabulary(std::span<const Example> pages, size_t most) {
  std::map<uint32_t, double> counts, in_pages;
  for (const Example& page : pages) {
    for (const auto& entry : page.vector.entries()) {
      if (page.label == 0) counts[entry.index] += entry.value;
      ++in_pages[entry.index];
    }
  }
  std::vector<std::pair<double, uint32_t>> ranked;  // negated, so that the best come first
  for (const auto& [term, count] : counts) {
    const double worth = count * std::log(static_cast<double>(pages.size()) / in_pages[term]);
    if (worth > 0) ranked.emplace_back(-worth, term);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > most) ranked.resize(most);
  std::vector<uint32_t> terms;
  for (const auto& [worth, term] : ranked) terms.push_back(term);
  return terms;
}

class ContextGraph final : public Strategy, public ExplainsScores, public HasNoState {
 public:
  ContextGraph(const ContextGraphOptions& options, std::optional<LayerBayes> classifier)
      : options_(options), classifier_(std::move(classifier)) {}

  void learn(const Visit& visit) override {
    if (!classifier_) {
      score_ = Score(visit.judgement.relevance.value);
      return;
    }
    layer_ = classifier_->layer(counts_of(visit.page));
    const auto others = static_cast<uint32_t>(options_.layers + 1);
    score_ = Score(0.0 - layer_.number.value_or(others), layer_.probability);
  }

  std::optional<Score> score(const Visit&, const Link&) override { return score_; }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    if (!classifier_) return {{"page", visit.judgement.relevance.value}};
    const ScorePart probability{"probability", layer_.probability, ScorePart::kFact};
    if (!layer_.number) return {{"outside", 1, ScorePart::kFact}, probability};
    return {{"layer", static_cast<double>(*layer_.number), ScorePart::kFact}, probability};
  }

  Spec spec() const override {
    return {"context-graph",
            {{"layers", std::to_string(options_.layers)},
             {"most", std::to_string(options_.most)},
             {"threshold", fmt::format("{}", options_.threshold)},
             {"features", std::to_string(options_.features)},
             {"tempered", fmt::format("{}", options_.tempered)}}};
  }

 private:
  const ContextGraphOptions options_;
  const std::optional<LayerBayes> classifier_;  // none if no back-links are known

  // These belong to the page that was learned last.
  LayerBayes::Layer layer_;
  Score score_;
};

Result<std::optional<LayerBayes>> train(const ContextGraphOptions& options,
                                        const StrategyContext& context) {
  PageLayers layers;
  if (context.layers_around_examples && !context.topic.examples.empty()) {
    layers = context.layers_around_examples(static_cast<size_t>(options.layers),
                                            static_cast<size_t>(options.most), false);
  }
  std::vector<Example> pages;
  for (const Page& page : context.topic.examples) pages.push_back({counts_of(page), 0});
  const size_t examples = pages.size();
  for (size_t i = 0; i < layers.size(); ++i) {
    for (const Page* page : layers[i]) {
      pages.push_back({counts_of(*page), static_cast<uint32_t>(i + 1)});
    }
  }
  if (pages.size() == examples) return std::optional<LayerBayes>();
  LayerBayesOptions o{.threshold = options.threshold};
  o.bayes.tempered_words = options.tempered;
  o.bayes.classes = static_cast<uint32_t>(options.layers + 1);
  o.bayes.features = vocabulary(pages, static_cast<size_t>(options.features));
  if (o.bayes.features.empty()) return std::optional<LayerBayes>();
  Result<LayerBayes> classifier = LayerBayes::train(pages, o);
  if (!classifier) return classifier.error();
  return std::optional<LayerBayes>(std::move(*classifier));
}

}  // namespace

Result<std::unique_ptr<Strategy>> make_context_graph(const Spec& spec,
                                                     const StrategyContext& context) {
  Parameters p(spec);
  ContextGraphOptions o;
  o.layers = p.integer("layers", o.layers);
  o.most = p.integer("most", o.most);
  o.threshold = p.number("threshold", o.threshold);
  o.features = p.integer("features", o.features);
  o.tempered = p.number("tempered", o.tempered);
  if (auto bad = p.finish()) return *bad;
  if (o.layers < 1 || o.layers > 100) {
    return Error{"layers of context-graph must be from 1 to 100"};
  }
  if (o.most < 1) return Error{"most of context-graph must be at least 1"};
  if (o.features < 1) return Error{"features of context-graph must be at least 1"};
  if (o.threshold < 0 || o.threshold > 1) {
    return Error{"threshold of context-graph must be between 0 and 1"};
  }
  if (o.tempered < 0) return Error{"tempered of context-graph must not be negative"};
  Result<std::optional<LayerBayes>> classifier = train(o, context);
  if (!classifier) return classifier.error();
  return std::unique_ptr<Strategy>(std::make_unique<ContextGraph>(o, std::move(*classifier)));
}

}  // namespace dowser
