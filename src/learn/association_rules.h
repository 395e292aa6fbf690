#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/frequent_sets.h"

// "Who sees these pages also sees that one": rules from frequent sets (Agrawal and Srikant 1994).
//
// Of 100 sessions 20 hold /shop, 10 hold /cart, and 9 hold both. The rule /cart -> /shop has
// support 9 and confidence 9/10; /shop is in a fifth of all sessions, so its lift is 0.9 / 0.2
// = 4.5. A lift of 1 means that the two have nothing to do with each other, however high the
// confidence.

namespace dowser {

struct AssociationRule {
  std::vector<uint32_t> given;  // in ascending order
  uint32_t then = 0;
  size_t support = 0;     // of all items together
  double confidence = 0;  // support / support of `given`
  double lift = 0;        // confidence / share of the transactions that hold `then`
};

struct AssociationRuleOptions {
  double confidence = 0.5;  // the least
  double lift = 1;          // the least
};

// All rules with one item on the right. `sets` are the sets frequent_sets() found, all of them up
// to some size, in its order; `transactions` is how many transactions (or groups) there were. Rules
// with more support come first, then those with more confidence.
std::vector<AssociationRule> association_rules(std::span<const FrequentSet> sets,
                                               size_t transactions,
                                               const AssociationRuleOptions& options = {});

}  // namespace dowser
