#include "judge/judge.h"
#include "judge/trained/model_judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/naive_bayes.h"

// Bayes: how likely is it that the words of this page were drawn from the bag of the topic, and not
// from that of all the rest? (K 3.1.3.3 judges pages so; the learner is told in
// learn/naive_bayes.cc.)
//
// With a model file (--model, made by dowser learn) the classes may be many, and a tree of topics:
// relevance is R(p) of K eq. 3-6, the probability of all good classes;
// judge/trained/model_judge.cc. Without one the judge learns on the way, two classes, from the
// examples and from what came back: judge/trained/sampling_trainer.cc.
//
//   relevance = Pr(topic | page), both classes being equally likely beforehand
//
// Examples "owl owl nest", others "stone nest": owl speaks for the topic, stone against it, nest
// says little; so "an owl on a stone" has about one half. Equally likely: the share of the topic
// among the sampled pages says how the crawl went, not how the web is.
//
// Its parameters, and what best-first made of them (mean focus; on the archived schools web .58
// against .56 with cosine, which may be chance; on WebKB .31 against .18). words = 10: a page
// counts as ten words of its average evidence (tempered). Without that (0) every page has 0 or 1,
// nothing orders the links, and on schools focus falls by .19; 3 and 30 were worse by .01 and .03
// there and no different on WebKB. alpha = 0.1: Laplace's 1 gives each of the many words that stand
// once among the negatives a better chance among the few positives, where it never stood, because
// their bag is smaller; 1 was worse by .01 and .04. Logarithms of the counts made no difference
// beyond chance.
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
