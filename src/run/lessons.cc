#include "run/crawl_folder.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/learn_again.h"
#include "run/run.h"

namespace dowser {

Result<CrawlLessons> lessons_of(const CrawlConfig& given, size_t most) {
  const CrawlConfig config = with_defaults(given);
  CrawlFolder folder(config.out);
  if (Status s = folder.open_to_look(); !s) return s.error();
  const Result<std::vector<Response>> examples = folder.saved().examples();
  if (!examples) return examples.error();
  const auto plugins = CrawlPlugins::make(config, *examples);
  if (!plugins) return plugins.error();
  if (const auto learned = learn_again(folder, **plugins, config, 0); !learned) {
    return learned.error();
  }
  const CrawlPlugins& p = **plugins;
  const auto* explains = dynamic_cast<const ExplainsScores*>(p.strategy.get());
  return CrawlLessons{p.strategy->spec().text(), p.judge->spec().text(),
                      folder.recovery().mark.visits, p.judge->strongest_words(most),
                      explains ? explains->lessons(most) : std::vector<Lesson>()};
}

}  // namespace dowser
