#include "run/crawl_plugins.h"

#include <fmt/format.h>

#include "engine/plugins.h"
#include "run/crawl_options.h"
#include "run/earlier_crawls.h"
#include "run/topic.h"

namespace dowser {
namespace {

constexpr size_t kMostEarlierFinds = 1000;

}  // namespace

Result<std::unique_ptr<CrawlPlugins>> CrawlPlugins::make(const CrawlConfig& config,
                                                         const TopicPages& pages,
                                                         const std::string& new_model) {
  auto plugins = std::make_unique<CrawlPlugins>();
  const Result<FieldWeights> fields = fields_of(config.judge);
  if (!fields) return fields.error();
  plugins->fields = *fields;
  plugins->topic = make_topic(config.topic, pages.examples, pages.counter_examples, *fields);
  Result<CrawlModel> model =
      new_model.empty() ? CrawlModel::read(config) : CrawlModel::of(new_model);
  if (!model) return model.error();
  plugins->model = std::move(*model);
  Result<CrawlProfile> profile = CrawlProfile::read(config);
  if (!profile) return profile.error();
  plugins->profile = std::move(*profile);
  auto judge = make_judge(config.judge, plugins->judge_context(config));
  if (!judge) return judge.error();
  plugins->judge = std::make_unique<JudgeInUse>(std::move(*judge), *fields);
  plugins->advice.emplace(*plugins->judge);
  plugins->hints.emplace(plugins->topic);
  plugins->statistics.emplace(plugins->profile.profile.statistics, config.documents);
  Result<EarlierLists> lists = earlier_lists(config.previous);
  if (!lists) return lists.error();
  plugins->statistics->use(*lists);
  if (Status s = plugins->make_the_strategy(config); !s) return s.error();
  Result<Guards> guards = Guards::make(guard_options(config, plugins->profile.profile));
  if (!guards) return guards.error();
  plugins->guards = std::move(*guards);
  return plugins;
}

JudgeContext CrawlPlugins::judge_context(const CrawlConfig& config) const {
  JudgeContext context = model.judge_context(config, topic);
  context.profile = &profile.profile;
  return context;
}

Status CrawlPlugins::make_the_strategy(const CrawlConfig& config) {
  StrategyContext context{topic, static_cast<uint64_t>(config.random_seed)};
  auto finds = earlier_finds(config.previous, kMostEarlierFinds);
  if (!finds) return finds.error();
  earlier = std::move(*finds);
  context.earlier = earlier;
  context.judge = judge.get();
  context.hmm = model.hmm ? &*model.hmm : nullptr;
  context.profile = &profile.profile;
  context.statistics = &*statistics;
  if (!config.back_links.empty()) {
    if (Status s = read_back_links(config); !s) return s;
    context.layers_around_examples = [this](size_t layers, size_t most, bool ascends) {
      return back_links->layers_around(topic.examples, layers, most, ascends);
    };
    context.pages_far_from_examples = [this](size_t links, size_t most) {
      return back_links->pages_far_from(topic.examples, links, most);
    };
  }
  auto made = make_strategy(config.strategy, context);
  if (!made) return made.error();
  strategy = std::move(*made);
  return {};
}

Status CrawlPlugins::read_back_links(const CrawlConfig& config) {
  const auto files = archive_files(config.back_links);
  if (!files) return files.error();
  Result<BackLinks> links = BackLinks::read(*files);
  if (!links) return links.error();
  back_links = std::move(*links);
  const auto plugin = strategy_plugin(config.strategy);
  if (!plugin || !(*plugin)->needs_back_links) return {};
  if (!back_links->layers_around(topic.examples, 1, 1).front().empty()) return {};
  return Error{
      fmt::format("{} has nothing to learn from: no page of --back-links links to an "
                  "--example",
                  (*plugin)->name)};
}

}  // namespace dowser
