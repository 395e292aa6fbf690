#include "judge/trained/model_judge.h"

#include <fmt/format.h>

#include "judge/trained/model_classifier.h"

// Relevance is the probability of all good classes together, R(p) of K eq. 3-6. A page is relevant
// if its best class is good, or lies below a good one (K's hard focus); where the user sets a
// threshold, if R(p) reaches it. With one good class against one other the two rules are the same,
// with ½. The reasons are those for the best class, whether it is good or not.

namespace dowser {
namespace {

class ModelJudge final : public Judge {
 public:
  ModelJudge(Spec spec, Model model, ModelClassifier classifier, std::optional<double> threshold)
      : spec_(std::move(spec)), classifier_(std::move(classifier)), threshold_(threshold) {
    for (const Model::Class& c : model.classes) names_.push_back(c.name);
    words_ = std::move(model.words);
  }

  Judgement judge(const Page& page) const override {
    Judgement judgement;
    if (page.terms.empty()) return judgement;
    const ModelClassifier::Opinion opinion = classifier_.opinion(page.terms);
    judgement.relevance.value = opinion.relevance;
    judgement.relevant = threshold_ ? opinion.relevance >= *threshold_ : opinion.is_good;
    judgement.label = names_[opinion.best];
    judgement.reasons =
        strongest_reasons(classifier_.contributions(page.terms, opinion.best), words_);
    return judgement;
  }

  Spec spec() const override { return spec_; }
  double threshold() const override { return threshold_.value_or(kLearnedThreshold); }

 private:
  const Spec spec_;
  const ModelClassifier classifier_;
  const std::optional<double> threshold_;
  std::vector<std::string> names_;  // of the classes
  TermWords words_;
};

}  // namespace

Result<std::unique_ptr<Judge>> make_model_judge(const Spec& spec, const JudgeContext& context) {
  Result<Model> model = read_model(context.model);
  if (!model) return model.error();
  if (model->kind != spec.name) {
    return Error{fmt::format("the model is for the judge {}, not for {}", model->kind, spec.name)};
  }
  if (!spec.parameters.empty()) {
    return Error{fmt::format("{} takes its parameters from the model", spec.name)};
  }
  Result<ModelClassifier> classifier = ModelClassifier::make(*model);
  if (!classifier) return classifier.error();
  return std::unique_ptr<Judge>(std::make_unique<ModelJudge>(
      spec, std::move(*model), std::move(*classifier), context.threshold));
}

}  // namespace dowser
