#include "learn/association_rules.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <tuple>

namespace dowser {

std::vector<AssociationRule> association_rules(std::span<const FrequentSet> sets,
                                               size_t transactions,
                                               const AssociationRuleOptions& options) {
  absl::flat_hash_map<std::vector<uint32_t>, size_t> supports;
  for (const FrequentSet& set : sets) supports[set.items] = set.support;
  std::vector<AssociationRule> rules;
  for (const FrequentSet& set : sets) {
    for (size_t i = 0; set.items.size() > 1 && i < set.items.size(); ++i) {
      AssociationRule rule{set.items, set.items[i], set.support, 0, 0};
      rule.given.erase(rule.given.begin() + static_cast<ptrdiff_t>(i));
      const auto given = supports.find(rule.given), then = supports.find({rule.then});
      if (given == supports.end() || then == supports.end()) continue;  // the search was cut short
      rule.confidence = static_cast<double>(rule.support) / static_cast<double>(given->second);
      rule.lift =
          rule.confidence * static_cast<double>(transactions) / static_cast<double>(then->second);
      if (rule.confidence >= options.confidence && rule.lift >= options.lift) {
        rules.push_back(std::move(rule));
      }
    }
  }
  std::sort(rules.begin(), rules.end(), [](const AssociationRule& a, const AssociationRule& b) {
    return std::tuple(b.support, b.confidence, a.given, a.then) <
           std::tuple(a.support, a.confidence, b.given, b.then);
  });
  return rules;
}

}  // namespace dowser
