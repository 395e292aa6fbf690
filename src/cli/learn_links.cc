#include "cli/learn_links.h"

#include "judge/trained/model_classifier.h"
#include "mine/neighbour_classes.h"

namespace dowser {
namespace {

constexpr int kMostRounds = 5;

LabelledPage with_links(const LinkGraph& graph, const LabelledPage& page, uint32_t node,
                        std::span<const uint32_t> class_of) {
  if (node == kNoNode) return page;
  return {with_neighbour_terms(page.terms, neighbour_terms(graph, node, class_of)), page.label};
}

// Sets the classes of the pages asked about; returns how many changed.
size_t classify(const ModelClassifier& classifier, std::span<const LabelledPage> pages,
                std::span<const uint32_t> nodes, std::vector<uint32_t>& class_of) {
  size_t changed = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (nodes[i] == kNoNode || pages[i].terms.empty()) continue;
    const uint32_t said = classifier.opinion(pages[i].terms).best;
    changed += class_of[nodes[i]] != said;
    class_of[nodes[i]] = said;
  }
  return changed;
}

}  // namespace

Result<TestResult> test_with_links(const ModelPlan& plan, const LinkGraph& graph,
                                   const LinkedExamples& learn, const LinkedExamples& ask) {
  std::vector<uint32_t> class_of(graph.nodes(), kUnknownClass);
  for (size_t i = 0; i < learn.pages.size(); ++i) {
    if (learn.nodes[i] != kNoNode) class_of[learn.nodes[i]] = learn.pages[i].label;
  }
  // An address of a page asked about may be that of a page to learn from in another form.
  for (const uint32_t node : ask.nodes) {
    if (node != kNoNode) class_of[node] = kUnknownClass;
  }
  std::vector<LabelledPage> linked;
  for (size_t i = 0; i < learn.pages.size(); ++i) {
    linked.push_back(with_links(graph, learn.pages[i], learn.nodes[i], class_of));
  }
  const Result<Model> words = train_model(plan, learn.pages);
  if (!words) return words.error();
  const Result<Model> links = train_model(plan, linked);
  if (!links) return links.error();
  const Result<ModelClassifier> by_words = ModelClassifier::make(*words);
  if (!by_words) return by_words.error();
  const Result<ModelClassifier> by_links = ModelClassifier::make(*links);
  if (!by_links) return by_links.error();

  classify(*by_words, ask.pages, ask.nodes, class_of);
  std::vector<LabelledPage> asked;
  for (int round = 0; round < kMostRounds; ++round) {
    asked.clear();
    for (size_t i = 0; i < ask.pages.size(); ++i) {
      asked.push_back(with_links(graph, ask.pages[i], ask.nodes[i], class_of));
    }
    if (classify(*by_links, asked, ask.nodes, class_of) == 0) break;
  }
  return test_model(*links, asked);
}

Result<TestResult> cross_validate_with_links(const ModelPlan& plan, const LinkGraph& graph,
                                             const LinkedExamples& examples, size_t folds) {
  std::vector<size_t> next(plan.classes.size()), fold_of;
  for (const LabelledPage& page : examples.pages) fold_of.push_back(next[page.label]++ % folds);
  TestResult total;
  total.classes.resize(plan.classes.size());
  for (size_t fold = 0; fold < folds; ++fold) {
    std::vector<LabelledPage> learn, ask;
    std::vector<uint32_t> learn_nodes, ask_nodes;
    for (size_t i = 0; i < examples.pages.size(); ++i) {
      (fold_of[i] == fold ? ask : learn).push_back(examples.pages[i]);
      (fold_of[i] == fold ? ask_nodes : learn_nodes).push_back(examples.nodes[i]);
    }
    const Result<TestResult> result =
        test_with_links(plan, graph, {learn, learn_nodes}, {ask, ask_nodes});
    if (!result) return result;
    for (size_t c = 0; c < total.classes.size(); ++c) {
      total.classes[c].pages += result->classes[c].pages;
      total.classes[c].said += result->classes[c].said;
      total.classes[c].right += result->classes[c].right;
    }
  }
  return total;
}

}  // namespace dowser
