#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/url_canonical.h"
#include "run/crawl_error.h"
#include "run/crawl_folder.h"
#include "run/crawl_log.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/crawl_result.h"
#include "run/crawl_web.h"
#include "run/keeper.h"
#include "run/learn_again.h"
#include "seed/seed_list.h"

namespace dowser {
namespace {

using std::chrono::steady_clock;

// A crawl from its configuration to its folder: a new one, or one that is resumed.
class Run {
 public:
  enum class Kind { kNew, kResumed };

  Run(const CrawlConfig& config, Kind kind, const RunOptions& options)
      : config_(with_defaults(config)),
        options_(options),
        resumes_(kind == Kind::kResumed),
        folder_(config_.out, options_) {}

  // An exception (the state cannot be read, no memory) ends the crawl as an error does.
  Result<RunResult> run(const CrawlObserver& observer, const std::function<bool()>& should_stop) {
    try {
      return run_it(observer, should_stop);
    } catch (const std::exception& error) {
      return Error{error.what()};
    }
  }

 private:
  Result<RunResult> run_it(const CrawlObserver& observer,
                           const std::function<bool()>& should_stop) {
    const steady_clock::time_point start = steady_clock::now();
    if (resumes_) {
      if (Status s = folder_.lock(); !s) return s.error();
      if (Status s = folder_.open_to_resume(); !s) return nothing_changed(s.error(), config_.out);
      resumes_ = folder_.can_resume();
    }
    if (Status s = prepare(); !s) return s.error();
    if (Status s = open_folder(); !s) return kept(s.error());
    Frontier frontier(frontier_options(config_), folder_.saved().links());
    if (Status s = resumes_ ? restore(frontier) : Status{}; !s) return kept(s.error());
    const Result<CrawlCounters> counters = crawl_or_fail(frontier, observer, should_stop);
    // Also after an error: what was kept so far is made readable, as far as that can be.
    const Status finished = folder_.store().finish();
    if (!counters || !finished) return kept(counters ? finished.error() : counters.error());
    const std::chrono::duration<double> seconds = steady_clock::now() - start;
    Result<RunResult> result =
        crawl_result(config_, folder_.store(), *plugins_, *counters, seconds.count());
    return result ? std::move(result) : kept(result.error());
  }

  Error kept(const Error& error) const { return what_was_kept(error, config_.out, resumes_); }

  // Everything that can fail without leaving a folder behind.
  Status prepare() {
    Result<std::vector<Url>> seeds = read_seeds(config_.seeds, config_.seeds_file);
    if (!seeds) return seeds.error();
    seeds_ = std::move(*seeds);
    if (Status s = open_web(); !s) return s;
    Result<std::vector<Response>> examples =
        resumes_ ? folder_.saved().examples() : web_->examples(config_);
    if (!examples) return examples.error();
    examples_ = std::move(*examples);
    auto plugins = CrawlPlugins::make(config_, examples_);
    if (!plugins) return plugins.error();
    plugins_ = std::move(*plugins);
    return {};
  }

  Status open_web() {
    std::optional<Time> last_fetch;
    if (resumes_) {
      const Result<std::optional<Time>> saved = folder_.saved().last_fetch();
      if (!saved) return saved.error();
      last_fetch = *saved;
    }
    Result<CrawlWeb> web = CrawlWeb::open(config_, last_fetch);
    if (!web) return web.error();
    web_ = std::move(*web);
    if (!web_->damage().empty()) options_.notice(web_->damage());
    const bool can_start = std::any_of(seeds_.begin(), seeds_.end(), [&](const Url& seed) {
      return web_->holds(canonical(seed));
    });
    if (can_start) return {};
    return Error{fmt::format("the archive holds no page to start at: not {}{}",
                             seeds_.front().href(), seeds_.size() > 1 ? ", nor the others" : "")};
  }

  Status open_folder() {
    const StoreOptions options = store_options(config_, *plugins_->strategy, *plugins_->judge);
    return resumes_ ? folder_.open_for_writing(options)
                    : folder_.create(options, plugins_->model, examples_);
  }

  // Brings everything to where the earlier run was.
  Status restore(Frontier& frontier) {
    SavedCrawl& saved = folder_.saved();
    const uint32_t visits = folder_.recovery().mark.visits;
    if (!is_live(config_)) {
      Result<std::optional<SavedFlight>> flight = saved.flight();
      if (!flight) return flight.error();
      flight_ = std::move(*flight);
    }
    auto taken = frontier.load(flight_ ? flight_->links() : Frontier::UnderWay());
    if (flight_) flight_->candidates = std::move(taken);
    saved.requeue(frontier);
    if (Status s = saved.restore(*plugins_->guards, visits); !s) return s;
    Result<CrawlCounters> counters = saved.counters();
    if (!counters) return counters.error();
    if (saved.has_lost_visits()) {
      counters = recount(folder_.path() / "catalogue.sqlite", *counters, visits);
      if (!counters) return counters.error();
      saved.set_counters(*counters);
    }
    counters_ = std::move(*counters);
    Status learned = learn_again(folder_, *plugins_, config_, counters_.fetched, options_.notice);
    return learned ? folder_.begin_at_mark() : learned;
  }

  Result<CrawlCounters> crawl_or_fail(Frontier& frontier, const CrawlObserver& observer,
                                      const std::function<bool()>& should_stop) {
    try {
      return crawl_it(frontier, observer, should_stop);
    } catch (const std::exception& error) {
      return Error{error.what()};
    }
  }

  Result<CrawlCounters> crawl_it(Frontier& frontier, const CrawlObserver& observer,
                                 const std::function<bool()>& should_stop) {
    Result<CrawlLog> log = CrawlLog::open(folder_.path() / "crawl.log");
    if (!log) return log.error();
    log->note(SystemClock().now(), resumes_ ? "goes on" : "begins");
    Keeper keeper(folder_.store(), folder_.saved(), *log);
    const Result<CrawlCounters> counters = crawl_with(keeper, frontier, observer, should_stop);
    const Status written = keeper.drain();
    if (!counters || !written) {
      const Error error = counters ? written.error() : counters.error();
      log->note(SystemClock().now(), error.message);
      return error;
    }
    log->note(SystemClock().now(), "ends");
    if (Status s = sync_at_end(); !s) return s.error();
    if (log->has_failed()) {
      options_.notice(fmt::format("{} could not be written: some lines are missing",
                                  (folder_.path() / "crawl.log").string()));
    }
    return counters;
  }

  Result<CrawlCounters> crawl_with(Keeper& keeper, Frontier& frontier,
                                   const CrawlObserver& observer,
                                   const std::function<bool()>& should_stop) {
    CrawlPlugins& p = *plugins_;
    // On the live web the fetch threads share the work of packing.
    WorkOptions work{{}, config_.near_duplicates, config_.sitemaps, is_live(config_)};
    work.parse.fields = p.fields;
    work.parse.mark_blocks = [&](Page& page) { p.guards->templates().mark(page); };
    const std::unique_ptr<Workers> workers = web_->workers(*p.judge, work);
    CrawlParts parts{web_->clock(), frontier, *p.strategy, *workers};
    parts.web_holds = [&](const Url& url) { return web_->holds(url); };
    parts.keep = [&](Outcome outcome, const CrawlCounters& counters) {
      auto change = folder_.saved().seal(outcome, counters, *p.guards, *p.strategy, *p.judge);
      return keeper.keep(std::move(outcome), std::move(change));
    };
    parts.guards = &*p.guards;
    parts.judge = p.judge.get();
    parts.advice = &*p.advice;
    parts.hints = &*p.hints;
    parts.get_again = [&](const Url& url) { return web_->get(url); };
    CrawlLimits limits = crawl_limits(config_);
    limits.should_stop = should_stop;
    CrawlStart start;
    if (resumes_) start = {folder_.recovery().mark.visits, counters_, std::move(flight_)};
    return crawl(parts, limits, seeds_, observer, start);
  }

  Status sync_at_end() {
    if (Status s = folder_.store().sync(); !s) return s;
    const Result<SyncMark> mark = folder_.saved().finish(
        is_live(config_) ? SavedCrawl::SinceLastVisit::kKeep : SavedCrawl::SinceLastVisit::kDrop);
    if (!mark) return mark.error();
    folder_.store().set_synced(*mark);
    return {};
  }

  const CrawlConfig config_;
  const RunOptions options_;
  bool resumes_;
  std::vector<Url> seeds_;
  std::vector<Response> examples_;
  std::optional<CrawlWeb> web_;
  std::unique_ptr<CrawlPlugins> plugins_;
  CrawlFolder folder_;
  CrawlCounters counters_;             // of the earlier run
  std::optional<SavedFlight> flight_;  // what was in flight when it ended
};

}  // namespace

Result<RunResult> run_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                            const std::function<bool()>& should_stop, const RunOptions& options) {
  return Run(config, Run::Kind::kNew, options).run(observer, should_stop);
}

Result<CrawlConfig> config_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "crawl.toml";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    return Error{fmt::format("{} holds no crawl that could go on", folder.string())};
  }
  CrawlConfig config;
  if (Status s = read_config(file, config); !s) return s.error();
  config.out = folder.string();
  return config;
}

Result<RunResult> resume_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                               const std::function<bool()>& should_stop,
                               const RunOptions& options) {
  return Run(config, Run::Kind::kResumed, options).run(observer, should_stop);
}

}  // namespace dowser
