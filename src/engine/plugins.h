#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "judge/judge.h"
#include "model/field_weights.h"
#include "seed/search_provider.h"
#include "strategy/strategy.h"

// The lists of plug-ins. plugins.cc is the only file that knows every plug-in by name.

namespace dowser {

struct StrategyPlugin {
  std::string_view name;
  std::string_view summary;
  MakeStrategy* make;
  std::string_view judge = "cosine";  // the judge that it is used with by default
  bool needs_back_links = false;
  bool needs_hmm = false;  // a model that dowser learn hmm made
};

struct JudgePlugin {
  std::string_view name;
  std::string_view summary;
  MakeJudge* make;
  bool takes_model = false;  // what dowser learn makes
};

struct ProviderPlugin {
  std::string_view name;
  std::string_view summary;
  MakeProvider* make;
};

std::span<const StrategyPlugin> strategy_plugins();
std::span<const JudgePlugin> judge_plugins();
std::span<const ProviderPlugin> provider_plugins();

// From the text form: "best-first-n(n=20)". An unknown name is refused with the list of known ones.
Result<std::unique_ptr<Strategy>> make_strategy(std::string_view text,
                                                const StrategyContext& context);
Result<std::unique_ptr<Judge>> make_judge(std::string_view text, const JudgeContext& context);

Result<std::unique_ptr<SearchProvider>> make_provider(std::string_view text,
                                                      const ProviderContext& context);
// Every judge takes the parameter `fields`, which says what it sees of a page: the weights in
// "learned(fields=title:3 menu:0)". Pages must be parsed with them.
Result<FieldWeights> fields_of(std::string_view judge);

// The line of the list that a strategy's text form names.
Result<const StrategyPlugin*> strategy_plugin(std::string_view strategy);

// The judge that a strategy is used with by default.
Result<std::string> judge_for(std::string_view strategy);

}  // namespace dowser
