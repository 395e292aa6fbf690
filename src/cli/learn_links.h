#pragma once

#include <span>

#include "graph/link_graph.h"
#include "judge/trained/train_model.h"

// Classification by words and by the classes of neighbours (mine/neighbour_classes.h), to see what
// links add. A judge sees one page alone, so the model of a crawl is always that of words.

namespace dowser {

inline constexpr uint32_t kNoNode = UINT32_MAX;  // the page is not in the graph

// Pages with the nodes that they are.
struct LinkedExamples {
  std::span<const LabelledPage> pages;
  std::span<const uint32_t> nodes;
};

// Learns from some pages and asks about others. The classes of these are unknown at first: they are
// those that the words alone give, then in up to five rounds those that words and neighbours give
// (iterative classification, Lu and Getoor 2003).
Result<TestResult> test_with_links(const ModelPlan& plan, const LinkGraph& graph,
                                   const LinkedExamples& learn, const LinkedExamples& ask);

// With the folds of cross_validate().
Result<TestResult> cross_validate_with_links(const ModelPlan& plan, const LinkGraph& graph,
                                             const LinkedExamples& examples, size_t folds);

}  // namespace dowser
