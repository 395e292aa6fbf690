#include "background/background.h"
#include "judge/judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/example_model.h"

// Learned: how like the examples is this page, and how unlike what else has come back? Dowser's own
// judge, made for the strategy `learned`. The model is told in learn/example_model.cc: the mean of
// the examples and logistic regression, with rare words counting more: rare in what came back, and
// in the background vocabulary (background/). It judges from the first page on, and gets better as
// others show what the topic is not: judge/trained/sampling_trainer.cc.
//
// What sets it apart from `bayes` and `svm` is the scale of what it says. 1 is what an example has
// that the model has not seen, 0 what others have on average, and relevance is ½ at 0.9 of the way:
// strict, and graded where it matters to a crawl, among pages that are nearly on the topic.
//
// It also knows in which direction the words of a link should point (Judge::direction_of).

namespace dowser {
namespace {

class ExampleClassifier final : public Classifier {
 public:
  explicit ExampleClassifier(ExampleModel model) : model_(std::move(model)) {}

  double probability(std::span<const TermCount> terms) const override {
    return model_.relevance(terms);
  }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    return model_.contributions(count_vector(terms));
  }
  double direction_of(std::span<const TermId> terms) const override {
    return model_.direction_of(terms);
  }
  void save(ByteWriter& out) const override { model_.save(out); }

 private:
  const ExampleModel model_;
};

Learner::Made made(Result<ExampleModel> model) {
  if (!model) return model.error();
  return std::shared_ptr<const Classifier>(std::make_shared<ExampleClassifier>(std::move(*model)));
}

Learner::Made train(std::span<const Example> pages) {
  std::vector<SparseVector> examples, others;
  for (const Example& page : pages) (page.label == 1 ? examples : others).push_back(page.vector);
  return made(ExampleModel::train(examples, others, {.background = background_share}));
}

}  // namespace

Result<std::unique_ptr<Judge>> make_learned_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  Learner learner{spec, train,
                  [](ByteReader& in) { return made(ExampleModel::load(in, background_share)); },
                  true};
  return make_sampling_judge(std::move(learner), context);
}

}  // namespace dowser
