#include "run/crawl_folder.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/learn_again.h"
#include "run/run.h"

namespace dowser {

Result<CrawlLessons> lessons_of(const CrawlConfig& given, size_t most) {
  const CrawlConfig config = with_defaults(given);
  CrawlFolder folder(config.out, {});
  if (Status s = folder.open_to_look(); !s) return s.error();
  const Result<std::vector<Response>> examples = folder.saved().examples();
  if (!examples) return examples.error();
  const auto plugins = CrawlPlugins::make(config, *examples);
  if (!plugins) return plugins.error();
  if (Status s = learn_again(folder, **plugins, config, 0, [](const std::string&) {}); !s) {
    return s.error();
  }
  const CrawlPlugins& p = **plugins;
  return CrawlLessons{p.strategy->spec().text(), p.judge->spec().text(),
                      folder.recovery().mark.visits, p.judge->strongest_words(most),
                      p.strategy->lessons(most)};
}

Result<double> threshold_of(const std::filesystem::path& place) {
  const Result<CrawlConfig> given = config_of(place);
  if (!given) return given.error();
  const CrawlConfig config = with_defaults(*given);
  CrawlFolder folder(config.out, {});
  if (Status s = folder.open_to_look(); !s) return s.error();
  const Result<std::vector<Response>> examples = folder.saved().examples();
  if (!examples) return examples.error();
  const auto plugins = CrawlPlugins::make(config, *examples);
  if (!plugins) return plugins.error();
  return (*plugins)->judge->threshold();
}

}  // namespace dowser
