#include <fmt/format.h>

#include "engine/judge_needs.h"
#include "engine/plugins.h"
#include "run/crawl_model.h"
#include "run/crawl_options.h"
#include "run/crawl_profile.h"
#include "run/run.h"

namespace dowser {

Status check_settings(const CrawlConfig& config) {
  if (Status s = check_config(config); !s) return s;
  Topic topic;
  topic.words = "dowsing";  // the real topic may need files; here only names and parameters count
  const Result<CrawlModel> model = CrawlModel::read(config);
  if (!model) return model.error();
  const Result<CrawlProfile> profile = CrawlProfile::read(config);
  if (!profile) return profile.error();
  StrategyContext context{topic};
  context.profile = &profile->profile;
  context.hmm = model->hmm ? &*model->hmm : nullptr;
  if (const auto s = make_strategy(config.strategy, context); !s) return s.error();
  const StrategyPlugin& plugin = **strategy_plugin(config.strategy);
  if (plugin.needs_back_links && config.back_links.empty()) {
    return Error{fmt::format(
        "{} needs back-links: name an archive or an earlier crawl with --back-links", plugin.name)};
  }
  const std::string judge = with_defaults(config).judge;
  // Examples are read when the crawl begins; until then such a judge cannot be made.
  const bool waits_for_examples =
      needs_examples(judge) && model->text.empty() && !config.examples.empty();
  if (!waits_for_examples) {
    JudgeContext judge_context = model->judge_context(config, topic);
    judge_context.profile = &profile->profile;
    const auto made = make_judge(judge, judge_context);
    if (!made) return made.error();
  }
  if (const auto g = Guards::make(guard_options(config, profile->profile)); !g) return g.error();
  return {};
}

}  // namespace dowser
