#include "judge/judge.h"
#include "judge/trained/model_judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/linear_svm.h"

// SVM: a linear support vector machine finds the plane that best separates the topic's pages from
// others; the relevance of a page follows from its distance to the plane (learn/linear_svm.cc).
//
//   relevance = 1 / (1 + exp(a f + b)),   f = w · p + bias
//   p: 1 + ln(count) of each term, scaled to length 1
//
// a and b are fitted so that this is a probability (Platt 1999). With a model file (--model, made
// by dowser learn) there may be many classes: judge/trained/model_judge.cc. Without one the judge
// learns during the crawl, from the examples and from fetched pages:
// judge/trained/sampling_trainer.cc.
//
// cost = 1 is the usual value; 0.1 and 10 made little difference (docs/experiments.md). The few
// positive examples together weigh as much as the many negative ones. The sigmoid is fitted to both
// as they are, about ten against up to two hundred, so ½ is a strict threshold: a page must be very
// similar to the examples. This suits a crawl.
//
// It is trained about a dozen times in a crawl of 10,000 pages.

namespace dowser {
namespace {

constexpr double kCost = 1;

class SvmClassifier final : public Classifier {
 public:
  explicit SvmClassifier(LinearSvm svm) : svm_(std::move(svm)) {}

  double probability(std::span<const TermCount> terms) const override {
    return svm_.probabilities(unit_vector(terms))[1];
  }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    return svm_.contributions(unit_vector(terms), 1);
  }
  void save(ByteWriter& out) const override { svm_.save(out); }

 private:
  const LinearSvm svm_;
};

Learner::Made made(Result<LinearSvm> svm) {
  if (!svm) return svm.error();
  if (svm->classes() != 2) return Error{"the saved linear SVM is not of two classes"};
  return std::shared_ptr<const Classifier>(std::make_shared<SvmClassifier>(std::move(*svm)));
}

}  // namespace

Result<std::unique_ptr<Judge>> make_svm_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  LinearSvmOptions options;
  options.cost = p.number("cost", kCost);
  if (auto bad = p.finish()) return *bad;
  if (!(options.cost > 0)) return Error{"cost of svm must be above 0"};
  if (!context.model.empty()) return make_model_judge(spec, context);
  Learner learner{spec,
                  [options](std::span<const Example> examples) {
                    return made(LinearSvm::train(unit_vectors(examples), options));
                  },
                  [](ByteReader& in) { return made(LinearSvm::load(in)); }};
  return make_sampling_judge(std::move(learner), context);
}

}  // namespace dowser
