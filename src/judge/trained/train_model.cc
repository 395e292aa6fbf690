#include "judge/trained/train_model.h"

#include <algorithm>

#include "judge/trained/model_classifier.h"
#include "learn/feature_selection.h"

namespace dowser {
namespace {

// The priors are uniform: the number of labelled pages of a class says nothing about the web, and
// with tempered evidence the priors would have too much influence. docs/experiments.md compares
// values of alpha.
constexpr double kAlpha = 1;
constexpr double kTemperedWords = 10;  // as in judge/bayes.cc

uint32_t node_named(const ModelPlan& plan, const std::string& name) {
  for (uint32_t i = 0; i < plan.classes.size(); ++i) {
    if (plan.classes[i].name == name) return i + 1;
  }
  return 0;
}

// Labels are nodes of the tree, or class numbers for support vector machines.
std::vector<Example> examples_of(const ModelPlan& plan, std::span<const LabelledPage> pages) {
  const bool tree = plan.kind == "bayes", unit = plan.kind == "svm";
  std::vector<Example> examples;
  for (const LabelledPage& page : pages) {
    if (page.terms.empty()) continue;
    if (tree) {
      examples.push_back({count_vector(page.terms), page.label + 1});
    } else {
      examples.push_back({unit ? unit_vector(page.terms) : count_vector(page.terms), page.label});
    }
  }
  return examples;
}

void keep_best_features(std::vector<Example>& examples, size_t most) {
  std::vector<uint32_t> best;
  for (const FeatureValue& f : features_by_mutual_information(examples)) {
    if (best.size() == most) break;
    best.push_back(f.feature);
  }
  std::sort(best.begin(), best.end());
  for (Example& example : examples) {
    std::vector<SparseVector::Entry> kept;
    for (const auto& e : example.vector.entries()) {
      if (std::binary_search(best.begin(), best.end(), e.index)) kept.push_back(e);
    }
    example.vector = SparseVector(std::move(kept));
  }
}

Status train_bayes(const ModelPlan& plan, std::span<const Example> examples, Model& model) {
  NaiveBayesOptions options;
  options.alpha = kAlpha;
  options.tempered_words = kTemperedWords;
  options.uniform_priors = true;
  options.most_features = plan.most_features;
  std::vector<uint32_t> parents = {0}, good;
  for (uint32_t i = 0; i < plan.classes.size(); ++i) {
    parents.push_back(node_named(plan, plan.classes[i].parent));
    if (plan.classes[i].good) good.push_back(i + 1);
  }
  Result<TopicTree> tree = TopicTree::train(std::move(parents), examples, options);
  if (!tree) return tree.error();
  if (Status s = tree->set_good(good); !s) return s;
  model.tree = tree->parts();
  return {};
}

Status train_svm(const ModelPlan& plan, std::vector<Example> examples, Model& model) {
  if (plan.most_features > 0) keep_best_features(examples, plan.most_features);
  Result<LinearSvm> svm = LinearSvm::train(examples);
  if (!svm) return svm.error();
  model.svm = svm->parts();
  return {};
}

Status train_rbf_svm(const ModelPlan& plan, std::vector<Example> examples, Model& model) {
  if (plan.most_features > 0) keep_best_features(examples, plan.most_features);
  const PageWeights weights = PageWeights::learn(examples, plan.weights);
  Result<RbfSvm> svm = RbfSvm::train(weights.vectors(examples));
  if (!svm) return svm.error();
  model.rbf_svm = Model::WeightedSvm{weights.parts(), svm->parts()};
  return {};
}

Status train_weighted_bayes(const ModelPlan& plan, std::vector<Example> examples, Model& model) {
  if (plan.most_features > 0) keep_best_features(examples, plan.most_features);
  Result<WeightedBayes> bayes = WeightedBayes::train(examples, {.classes = 2});
  if (!bayes) return bayes.error();
  model.weighted_bayes = bayes->parts();
  return {};
}

Status train(const ModelPlan& plan, std::vector<Example> examples, Model& model) {
  if (plan.kind == "bayes") return train_bayes(plan, examples, model);
  if (plan.kind == "rbf-svm") return train_rbf_svm(plan, std::move(examples), model);
  if (plan.kind == "weighted-bayes") return train_weighted_bayes(plan, std::move(examples), model);
  return train_svm(plan, std::move(examples), model);
}

}  // namespace

Result<Model> train_model(const ModelPlan& plan, std::span<const LabelledPage> pages) {
  Model model;
  model.kind = plan.kind;
  model.classes = plan.classes;
  for (Model::Class& c : model.classes) c.pages = 0;
  for (const LabelledPage& page : pages) ++model.classes[page.label].pages;
  if (Status s = train(plan, examples_of(plan, pages), model); !s) return s.error();
  return model;
}

double TestResult::OfClass::precision() const {
  return said ? static_cast<double>(right) / static_cast<double>(said) : 0;
}
double TestResult::OfClass::recall() const {
  return pages ? static_cast<double>(right) / static_cast<double>(pages) : 0;
}
double TestResult::OfClass::f1() const {
  const size_t both = pages + said;
  return both ? 2 * static_cast<double>(right) / static_cast<double>(both) : 0;
}

size_t TestResult::pages() const {
  size_t total = 0;
  for (const OfClass& c : classes) total += c.pages;
  return total;
}
double TestResult::accuracy() const {
  size_t right = 0;
  for (const OfClass& c : classes) right += c.right;
  return pages() ? static_cast<double>(right) / static_cast<double>(pages()) : 0;
}
double TestResult::macro_f1() const {
  double total = 0;
  size_t n = 0;
  for (const OfClass& c : classes) {
    if (c.pages == 0) continue;
    total += c.f1();
    ++n;
  }
  return n ? total / static_cast<double>(n) : 0;
}

Result<TestResult> test_model(const Model& model, std::span<const LabelledPage> pages) {
  const Result<ModelClassifier> classifier = ModelClassifier::make(model);
  if (!classifier) return classifier.error();
  TestResult result;
  result.classes.resize(model.classes.size());
  for (const LabelledPage& page : pages) {
    ++result.classes[page.label].pages;
    if (page.terms.empty()) continue;
    const uint32_t said = classifier->opinion(page.terms).best;
    ++result.classes[said].said;
    if (said == page.label) ++result.classes[said].right;
  }
  return result;
}

// The pages of each class are distributed over the folds in turn, so that every fold has its share.
Result<TestResult> cross_validate(const ModelPlan& plan, std::span<const LabelledPage> pages,
                                  size_t folds) {
  std::vector<size_t> next(plan.classes.size()), fold_of;
  for (const LabelledPage& page : pages) fold_of.push_back(next[page.label]++ % folds);
  TestResult total;
  total.classes.resize(plan.classes.size());
  for (size_t fold = 0; fold < folds; ++fold) {
    std::vector<LabelledPage> learn, ask;
    for (size_t i = 0; i < pages.size(); ++i)
      (fold_of[i] == fold ? ask : learn).push_back(pages[i]);
    const Result<Model> model = train_model(plan, learn);
    if (!model) return model.error();
    const Result<TestResult> result = test_model(*model, ask);
    if (!result) return result.error();
    for (size_t c = 0; c < total.classes.size(); ++c) {
      total.classes[c].pages += result->classes[c].pages;
      total.classes[c].said += result->classes[c].said;
      total.classes[c].right += result->classes[c].right;
    }
  }
  return total;
}

}  // namespace dowser
