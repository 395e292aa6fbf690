#include "run/crawl_folder.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/final_judgement.h"
#include "run/learn_again.h"
#include "run/run.h"
#include "store/verdicts.h"

namespace dowser {

Result<CrawlLessons> lessons_of(const CrawlConfig& given, size_t most) {
  const CrawlConfig config = with_defaults(given);
  CrawlFolder folder(config.out);
  if (Status s = folder.open_to_look(); !s) return s.error();
  const Result<TopicPages> pages = folder.saved().topic_pages();
  if (!pages) return pages.error();
  const auto plugins = CrawlPlugins::make(config, *pages);
  if (!plugins) return plugins.error();
  if (const auto learned = learn_again(folder, **plugins, config, 0); !learned) {
    return learned.error();
  }
  const CrawlPlugins& p = **plugins;
  const auto* explains = dynamic_cast<const ExplainsScores*>(p.strategy.get());
  std::vector<Judgement::Reason> words = p.judge->strongest_words(most);
  if (const auto final_judge = judge_of_crawl(folder.path())) {
    const auto* judge = dynamic_cast<const JudgesWords*>(final_judge->judge.get());
    if (judge) words = judge->strongest_words(most);
  }
  return CrawlLessons{p.strategy->spec().text(), p.judge->spec().text(),
                      folder.recovery().mark.visits, std::move(words),
                      explains ? explains->lessons(most) : std::vector<Lesson>()};
}

Result<std::optional<double>> threshold_of(const std::filesystem::path& place) {
  const Result<CrawlConfig> given = config_of(place);
  if (!given) return given.error();
  const CrawlConfig config = with_defaults(*given);
  const auto judged = judged_by(place / "catalogue.sqlite");
  if (!judged) return judged.error();
  if (*judged) return std::optional((*judged)->threshold);
  CrawlFolder folder(config.out);
  if (!folder.open_to_look()) return std::optional<double>();
  const Result<TopicPages> pages = folder.saved().topic_pages();
  if (!pages) return pages.error();
  const auto plugins = CrawlPlugins::make(config, *pages);
  if (!plugins) return plugins.error();
  return std::optional((*plugins)->judge->threshold());
}

}  // namespace dowser
