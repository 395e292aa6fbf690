#include "engine/plugins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/nearest.h"
#include "engine/judge_needs.h"
#include "judge/signature/signature_judge.h"
#include "strategy/intel_crawl.h"

namespace dowser {
namespace {

constexpr StrategyPlugin kStrategies[] = {
    {"best-first", "links of the most relevant pages first", make_best_first},
    {"best-first-n", "best-first in batches of n", make_best_first_n},
    {"breadth-first", "first found, first fetched", make_breadth_first},
    {"cindi", "site by site: by address, words and layer of links; see --profile", make_cindi,
     "cindi"},
    {"context-graph",
     "links of pages nearest to the examples, by back-links; without back-links like best-first",
     make_context_graph, "cosine", true},
    {"depth-first", "links of the newest page first", make_depth_first},
    {"fish-search", "children of relevant pages first, then up to a few links beyond them",
     make_fish_search},
    {"hard-focus", "soft-focus, but ignores links of pages whose best class is not good",
     make_hard_focus, "bayes"},
    {"hmm", "by a model of how a person's browsing led to useful pages", make_hmm, "lsi", false,
     true},
    {"hmm-alldata", "hmm learned from all pages around the examples; needs back-links",
     make_hmm_alldata, "cosine", true},
    {"in-degree", "most linked to first", make_in_degree},
    {"infospiders", "agents that learn, multiply and die", make_infospiders},
    {"infospiders-db", "infospiders that share links and start from the results of earlier crawls",
     make_infospiders_db},
    {"intel-crawl", "breadth-first, only the first links of relevant pages", make_intel_crawl},
    {"learned", "learns from every page what good links look like", make_learned, "learned"},
    {"random", "any order", make_random},
    {"shark-search", "by the page, its ancestors and the words in and around the link",
     make_shark_search},
    {"shark-search-n", "shark-search in batches of n", make_shark_search_n},
    {"soft-focus", "by the probability that the page is of a good class; links of hubs first",
     make_soft_focus, "bayes"},
    {"url-combined", "by the page, the link's words and its address", make_url_combined},
};

constexpr JudgePlugin kJudges[] = {
    {"bayes", "naive Bayes, learned from examples and during the crawl, or a model",
     make_bayes_judge, true},
    {"cindi", "keywords of the profile, support vector machine, then weighted Bayes; or a model",
     make_cindi_judge, true},
    {"cosine", "similarity of the page's words to those of the topic", make_cosine_judge},
    {"keyword", "how many of the topic's words the page has", make_keyword_judge},
    {"learned", "learns what distinguishes the examples from other pages", make_learned_judge},
    {"lsi", "similarity to pages that a person marked, from a model of dowser learn hmm",
     make_lsi_judge},
    {"neighbours", "nearest neighbours, learned during the crawl", make_neighbours_judge},
    {"seeds", "similarity to the start pages", make_seeds_judge},
    {"signatures", "semantic signatures, from a library or learned from examples",
     make_signatures_judge, true},
    {"svm", "support vector machine, learned during the crawl, or a model", make_svm_judge, true},
};

constexpr ProviderPlugin kProviders[] = {
    {"index", "the full-text index of a crawl or archive", make_index_provider},
    {"json", "a search engine that answers with JSON: json(file=service.toml)", make_json_provider},
    {"searx", "a SearXNG: searx(url=http://127.0.0.1:8888)", make_searx_provider},
};
constexpr std::string_view kFields = "fields";

template <class Plugin>
Result<const Plugin*> find(std::span<const Plugin> plugins, std::string_view kind,
                           const Spec& spec) {
  std::vector<std::string> names;
  for (const Plugin& plugin : plugins) {
    if (plugin.name == spec.name) return &plugin;
    names.emplace_back(plugin.name);
  }
  return Error{fmt::format("there is no {} '{}'{}: choose one of {}", kind, spec.name,
                           did_you_mean(spec.name, names), fmt::join(names, ", "))};
}

}  // namespace

std::span<const StrategyPlugin> strategy_plugins() { return kStrategies; }
std::span<const JudgePlugin> judge_plugins() { return kJudges; }
std::span<const ProviderPlugin> provider_plugins() { return kProviders; }

Result<std::unique_ptr<Strategy>> make_strategy(std::string_view text,
                                                const StrategyContext& context) {
  const Result<Spec> spec = Spec::parse(text);
  if (!spec) return spec.error();
  const auto plugin = find(strategy_plugins(), "strategy", *spec);
  if (!plugin) return plugin.error();
  return (*plugin)->make(*spec, context);
}

Result<FieldWeights> fields_of(std::string_view judge) {
  const Result<Spec> spec = Spec::parse(judge);
  if (!spec) return spec.error();
  const auto fields = spec->parameters.find(std::string(kFields));
  return FieldWeights::parse(fields == spec->parameters.end() ? "" : fields->second);
}

Result<std::unique_ptr<Judge>> make_judge(std::string_view text, const JudgeContext& context) {
  Result<Spec> spec = Spec::parse(text);
  if (!spec) return spec.error();
  if (const auto fields = fields_of(text); !fields) return fields.error();
  spec->parameters.erase(std::string(kFields));
  const auto plugin = find(judge_plugins(), "judge", *spec);
  if (!plugin) return plugin.error();
  if (!context.model.empty() && !(*plugin)->takes_model) {
    return Error{
        fmt::format("the judge {} does not use a model: leave out --judge or --model", spec->name)};
  }
  return (*plugin)->make(*spec, context);
}

Result<std::unique_ptr<SearchProvider>> make_provider(std::string_view text,
                                                      const ProviderContext& context) {
  const Result<Spec> spec = Spec::parse(text);
  if (!spec) return spec.error();
  const auto plugin = find(provider_plugins(), "provider", *spec);
  if (!plugin) return plugin.error();
  return (*plugin)->make(*spec, context);
}

bool needs_examples(std::string_view judge) {
  const Result<Spec> spec = Spec::parse(judge);
  return spec && spec->name == "signatures";
}

Result<const StrategyPlugin*> strategy_plugin(std::string_view strategy) {
  const Result<Spec> spec = Spec::parse(strategy);
  if (!spec) return spec.error();
  return find(strategy_plugins(), "strategy", *spec);
}

Result<std::string> judge_for(std::string_view strategy) {
  const auto plugin = strategy_plugin(strategy);
  if (!plugin) return plugin.error();
  return std::string((*plugin)->judge);
}

}  // namespace dowser
