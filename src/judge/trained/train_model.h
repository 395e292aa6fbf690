#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/trained/model_file.h"

// Trains a model on labelled pages, and tests it.

namespace dowser {

struct LabelledPage {
  std::vector<TermCount> terms;
  uint32_t label = 0;  // index of a class of the plan
};

// What is to be trained: `classes` need their names, parents and marks.
struct ModelPlan {
  std::string kind;  // "bayes", "svm"; for two classes also "rbf-svm", "weighted-bayes"
  std::vector<Model::Class> classes;
  size_t most_features = 0;                 // only the best by mutual information; 0: all
  WeightKind weights = WeightKind::kTfIdf;  // of rbf-svm
};

Result<Model> train_model(const ModelPlan& plan, std::span<const LabelledPage> pages);

struct TestResult {
  struct OfClass {
    size_t pages = 0, said = 0, right = 0;
    double precision() const;
    double recall() const;
    double f1() const;
  };
  std::vector<OfClass> classes;

  size_t pages() const;
  double accuracy() const;
  double macro_f1() const;  // mean over the classes that have pages
};

Result<TestResult> test_model(const Model& model, std::span<const LabelledPage> pages);

// Each page is classified once, by a model that was trained on the other folds.
Result<TestResult> cross_validate(const ModelPlan& plan, std::span<const LabelledPage> pages,
                                  size_t folds);

}  // namespace dowser
