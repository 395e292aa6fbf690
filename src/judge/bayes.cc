#include "judge/judge.h"
#include "judge/trained/model_judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/naive_bayes.h"

// Bayes: the probability that the words of this page come from the topic and not from the rest of
// the web, by naive Bayes (learn/naive_bayes.cc; Küçük 2009, section 3.1.3.3, judges pages this
// way).
//
// With a model file (--model, made by dowser learn) there may be many classes, also a tree of
// topics. Relevance is then R(p) of Küçük's equation 3-6, the probability of all good classes
// together; judge/trained/model_judge.cc. Without a model the judge learns two classes during the
// crawl, from the examples and from fetched pages: judge/trained/sampling_trainer.cc.
//
//   relevance = Pr(topic | page), with equal priors
//
// Example: the topic's pages are "owl owl nest", the others "stone nest". "owl" speaks for the
// topic, "stone" against it, and "nest" says little, so "an owl on a stone" has about one half. The
// priors are equal because the share of the topic among the sampled pages describes the crawl, not
// the web.
//
// Parameters. words = 10: a page counts as ten words of its average evidence (tempering). Without
// tempering (0) almost every page has relevance 0 or 1, and links are not ordered. alpha = 0.1:
// Laplace's alpha = 1 gives a word that occurs once in the large negative class a higher
// probability in the small positive class, where it never occurs. docs/experiments.md has the
// figures.
//
// Threshold: ½.

namespace dowser {
namespace {

constexpr double kAlpha = 0.1;
constexpr double kWords = 10;
constexpr uint32_t kTopic = 1;

class BayesClassifier final : public Classifier {
 public:
  explicit BayesClassifier(NaiveBayes bayes) : bayes_(std::move(bayes)) {}

  double probability(std::span<const TermCount> terms) const override {
    return bayes_.posteriors(count_vector(terms))[kTopic];
  }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    return bayes_.contributions(count_vector(terms), kTopic);
  }
  void save(ByteWriter& out) const override { bayes_.save(out); }

 private:
  const NaiveBayes bayes_;
};

Learner::Made made(Result<NaiveBayes> bayes) {
  if (!bayes) return bayes.error();
  if (bayes->classes() != 2) return Error{"the saved naive Bayes is not of two classes"};
  return std::shared_ptr<const Classifier>(std::make_shared<BayesClassifier>(std::move(*bayes)));
}

}  // namespace

Result<std::unique_ptr<Judge>> make_bayes_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  NaiveBayesOptions options;
  options.alpha = p.number("alpha", kAlpha);
  options.tempered_words = p.number("words", kWords);
  options.uniform_priors = true;
  options.classes = 2;
  if (auto bad = p.finish()) return *bad;
  if (!(options.alpha > 0)) return Error{"alpha of bayes must be above 0"};
  if (!(options.tempered_words >= 0)) return Error{"words of bayes must not be negative"};
  if (!context.model.empty()) return make_model_judge(spec, context);
  Learner learner{spec,
                  [options](std::span<const Example> examples) {
                    return made(NaiveBayes::train(examples, options));
                  },
                  [](ByteReader& in) { return made(NaiveBayes::load(in)); }};
  return make_sampling_judge(std::move(learner), context);
}

}  // namespace dowser
