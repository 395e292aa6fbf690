#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/trained/learned_judge.h"
#include "learn/linear_svm.h"
#include "learn/page_weights.h"
#include "learn/rbf_svm.h"
#include "learn/topic_tree.h"
#include "learn/weighted_bayes.h"

// A trained judge as a file: JSON with the words and one feature on a line, so that a person can
// read it, compare two of them and pass one on. model_file.cc describes the members.

namespace dowser {

struct Model {
  struct Class {
    std::string name;
    std::string parent;  // empty: directly below the root
    bool good = false;   // pages of this class and of those below it are relevant
    size_t pages = 0;    // number of pages that it was trained on
  };
  struct Test {
    std::string how;  // "5-fold cross-validation"
    size_t pages = 0;
    double accuracy = 0, macro_f1 = 0;
  };

  std::string kind;                    // "bayes", "svm", "rbf-svm", "weighted-bayes"
  std::string date;                    // when it was trained
  std::vector<std::string> languages;  // in which the pages were analysed
  std::vector<Class> classes;          // a parent comes before its children
  std::optional<Test> test;
  TermWords words;
  // One of these is set, depending on the kind. Node n of the tree is class n - 1, and node 0 is
  // the root. The tree's good nodes are those of `classes`.
  std::optional<TopicTree::Parts> tree;
  std::optional<LinearSvm::Parts> svm;
  // The classifiers of the CINDI Robot; two classes, of which the second is good.
  struct WeightedSvm {
    PageWeights::Parts weights;
    RbfSvm::Parts svm;
  };
  std::optional<WeightedSvm> rbf_svm;
  std::optional<WeightedBayes::Parts> weighted_bayes;
};

std::string model_text(const Model& model);
Result<Model> read_model(std::string_view text);

// The kind alone.
Result<std::string> model_kind(std::string_view text);

}  // namespace dowser
