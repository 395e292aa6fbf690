#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/trained/model_file.h"

// From labelled pages to a model, and how good it is.

namespace dowser {

struct LabelledPage {
  std::vector<TermCount> terms;
  uint32_t label = 0;  // a class of the plan
};

// What is to be learned. The classes have names, parents and marks; the rest of the model is made.
struct ModelPlan {
  std::string kind;  // "bayes", "svm"
  std::vector<Model::Class> classes;
  size_t most_features = 0;  // the best by mutual information; 0: all
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
  double macro_f1() const;  // the mean over the classes that have pages
};

Result<TestResult> test_model(const Model& model, std::span<const LabelledPage> pages);

// Every page is asked about once, by a model that was trained on the other folds.
Result<TestResult> cross_validate(const ModelPlan& plan, std::span<const LabelledPage> pages,
                                  size_t folds);

}  // namespace dowser
