#include <fmt/format.h>

#include <chrono>

#include "base/hash.h"
#include "base/new_file.h"
#include "judge/trained/final_judge.h"
#include "run/crawl_error.h"
#include "run/crawl_folder.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/crawl_result.h"
#include "run/final_judgement.h"
#include "run/run.h"
#include "store/configuration.h"

// The order matters if the process is killed: first everything is read, then the pages of the topic
// are saved, then the catalogue gets verdicts and configuration in one transaction, and crawl.toml
// comes last. The same command, given again, has the same result.

namespace dowser {
namespace {

// The pages that stand for the topic, and the text of another model.
Status keep_what_is_new(const std::filesystem::path& folder, const TopicPages& pages,
                        const std::string& model) {
  Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open(folder);
  if (!saved) return saved.error();
  (*saved)->save_topic_pages(pages);
  if (!model.empty()) {
    if (Status s = replace_own_file(folder / CrawlModel::kCopy, model); !s) return s;
    (*saved)->save_model_digest(sha1_digest(model));
  }
  const Result<SyncMark> mark = (*saved)->finish();
  return mark ? Status{} : mark.error();
}

Result<RunResult> rejudge(const CrawlConfig& config, const std::string& model, const Watch& watch) {
  const auto start = std::chrono::steady_clock::now();
  CrawlFolder folder(config.out);
  if (Status s = folder.lock(); !s) return s.error();
  if (Status s = folder.open_to_look(); !s) return s.error();
  Result<TopicPages> kept = folder.saved().topic_pages();
  if (!kept) return kept.error();
  const size_t known = kept->examples.size() + kept->counter_examples.size();
  const Result<TopicPages> pages = topic_pages(config, std::move(*kept), nullptr);
  if (!pages) return pages.error();
  const auto plugins = CrawlPlugins::make(config, *pages, model);
  if (!plugins) return plugins.error();
  Result<CrawlCounters> counters = folder.saved().counters();
  if (!counters) return counters.error();
  const Result<std::optional<Advice>> advice = folder.saved().advice();
  if (!advice) return advice.error();
  counters->advice = *advice;
  const CrawlPlugins& p = **plugins;
  if (p.judge->learns() && !has_final_judge(p.judge->spec())) {
    return Error{
        fmt::format("the judge {} learns from the start pages while the crawl runs: name "
                    "another one with --judge",
                    p.judge->spec().text())};
  }
  const bool has_new_pages = pages->examples.size() + pages->counter_examples.size() > known;
  if (has_new_pages || !model.empty()) {
    if (Status s = keep_what_is_new(folder.path(), *pages, model); !s) return s.error();
  }
  // The state has changed under the one that the folder has open.
  const Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open_read_only(folder.path());
  if (!saved) return saved.error();
  FinalJudgementTask task{folder.path(),     config,   p.topic,     *p.judge,
                          p.judge->learns(), p.fields, saved->get()};
  task.configuration = config_text(config);
  if (Status s = announce_configuration(folder.path(), task.configuration); !s) return s.error();
  task.watch = watch;
  const Result<FinalJudgement> judged = judge_again(task);
  if (!judged) {
    return Error{
        fmt::format("{}; the verdicts are as they were: see what is wrong with  dowser check {}",
                    judged.error().message, config.out)};
  }
  if (Status s = adopt_configuration(folder.path()); !s) return s.error();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return crawl_result(config, p, *counters, *judged, seconds.count());
}

}  // namespace

Status restore_verdicts(const std::filesystem::path& folder) {
  std::error_code failed;
  if (!std::filesystem::exists(folder / kJudgeFile, failed)) return {};
  Result<CrawlConfig> read = config_of(folder);
  if (!read) return read.error();
  const CrawlConfig config = with_defaults(std::move(*read));
  TopicPages kept;
  if (const auto saved = SavedCrawl::open_read_only(folder)) {
    if (Result<TopicPages> pages = (*saved)->topic_pages()) kept = std::move(*pages);
  }
  const Result<TopicPages> pages = topic_pages(config, std::move(kept), nullptr);
  if (!pages) return pages.error();
  const auto plugins = CrawlPlugins::make(config, *pages);
  if (!plugins) return plugins.error();
  const CrawlPlugins& p = **plugins;
  const Result<FinalJudgement> judged =
      judge_again({folder, config, p.topic, *p.judge, p.judge->learns(), p.fields});
  return judged ? Status{} : judged.error();
}

Result<RunResult> rejudge_crawl(const CrawlConfig& config, const std::string& model,
                                const Watch& watch) {
  try {
    return rejudge(with_defaults(config), model, watch);
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

}  // namespace dowser
