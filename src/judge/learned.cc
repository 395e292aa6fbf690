#include "background/background.h"
#include "judge/judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/example_model.h"

// Learned: Dowser's own judge, made for the strategy `learned`. How similar is this page to the
// examples, and how different from everything else that was fetched? learn/example_model.cc
// describes the model: the mean of the examples combined with logistic regression, in which words
// that are rare in the fetched pages and in the background vocabulary (background/) count more. It
// works from the first page on, and improves as other pages show what the topic is not:
// judge/trained/sampling_trainer.cc.
//
// It differs from `bayes` and `svm` by its scale. 1 is the value of an example that the model has
// not seen, 0 the average of other pages, and relevance is ½ at 0.9 between them. This is strict,
// and it distinguishes where a crawl needs it, among pages that are almost on the topic.
//
// It also knows in which direction the words of a link point (Judge::direction_of).

namespace dowser {
namespace {

class ExampleClassifier final : public Classifier {
 public:
  explicit ExampleClassifier(ExampleModel model) : model_(std::move(model)) {}

  double probability(std::span<const TermCount> terms) const override {
    return model_.relevance(terms);
  }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    return model_.contributions(count_vector(terms)).scaled(model_.parts().sharpness);
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
