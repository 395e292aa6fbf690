#include <fmt/format.h>

#include "engine/plugins.h"
#include "run/crawl_model.h"
#include "run/crawl_options.h"
#include "run/run.h"

namespace dowser {

Status check_settings(const CrawlConfig& config) {
  if (Status s = check_config(config); !s) return s;
  Topic topic;
  topic.words = "dowsing";  // the real topic may need files; here only names and parameters count
  const Result<CrawlModel> model = CrawlModel::read(config);
  if (!model) return model.error();
  StrategyContext context{topic};
  context.hmm = model->hmm ? &*model->hmm : nullptr;
  if (const auto s = make_strategy(config.strategy, context); !s) return s.error();
  const StrategyPlugin& plugin = **strategy_plugin(config.strategy);
  if (plugin.needs_back_links && config.back_links.empty()) {
    return Error{fmt::format(
        "{} needs back-links: name an archive or an earlier crawl with --back-links", plugin.name)};
  }
  const std::string judge = with_defaults(config).judge;
  if (const auto j = make_judge(judge, model->judge_context(config, topic)); !j) return j.error();
  if (const auto g = Guards::make(guard_options(config)); !g) return g.error();
  return {};
}

}  // namespace dowser
