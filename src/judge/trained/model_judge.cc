#include "judge/trained/model_judge.h"

#include <fmt/format.h>

#include "judge/trained/model_classifier.h"

// Relevance is the probability of all good classes together: R(p) in Küçük 2009, equation 3-6. A
// page is relevant if its best class is good or below a good class (Küçük's hard focus), or, if the
// user sets a threshold, if R(p) reaches it. With one good class and one other, the first rule is
// the second with ½. The reasons are those for the
// best class; if that is not good, they speak against the relevance.

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
    SparseVector parts = classifier_.contributions(page.terms, opinion.best);
    // What speaks for another class speaks against the good ones.
    if (!opinion.is_good) parts = parts.scaled(-1);
    judgement.reasons = reasons_of_log_odds(page, parts, opinion.relevance, &words_);
    return judgement;
  }

  Relevance relevance(const PageTerms& page) const override {
    return {page.terms.empty() ? 0 : classifier_.opinion(page.terms).relevance};
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

std::string judge_of_kind(std::string_view kind) {
  return std::string(kind == "rbf-svm" || kind == "weighted-bayes" ? "cindi" : kind);
}

Result<std::unique_ptr<Judge>> make_model_judge(const Spec& spec, const JudgeContext& context) {
  Result<Model> model = read_model(context.model);
  if (!model) return model.error();
  if (const std::string judge = judge_of_kind(model->kind); judge != spec.name) {
    return Error{fmt::format("the model is for the judge {}, not for {}", judge, spec.name)};
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
