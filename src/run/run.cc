#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "document/start_converters.h"
#include "judge/trained/final_judge.h"
#include "model/url_canonical.h"
#include "run/crawl_error.h"
#include "run/crawl_folder.h"
#include "run/crawl_log.h"
#include "run/crawl_options.h"
#include "run/crawl_plugins.h"
#include "run/crawl_result.h"
#include "run/crawl_web.h"
#include "run/final_judgement.h"
#include "run/keeper.h"
#include "run/learn_again.h"
#include "seed/seed_list.h"
#include "store/catalogue_reader.h"
#include "store/configuration.h"

namespace dowser {
namespace {

using std::chrono::steady_clock;

// A crawl from its configuration to its folder: a new one, or one that is resumed.
class Run {
 public:
  enum class Kind { kNew, kResumed };

  Run(const CrawlConfig& config, Kind kind, const CrawlEvents& events,
      const std::function<bool()>& should_stop, bool accept_loss = false)
      : config_(with_defaults(config)),
        events_(events),
        should_stop_(should_stop),
        resumes_(kind == Kind::kResumed),
        folder_(config_.out, accept_loss) {}

  // An exception (the state cannot be read, no memory) ends the crawl as an error does.
  Result<RunResult> run() {
    try {
      return run_it();
    } catch (const std::exception& error) {
      return Error{error.what()};
    }
  }

 private:
  Result<RunResult> run_it() {
    const steady_clock::time_point start = steady_clock::now();
    if (config_.documents) start_converters();  // first: while this process is small
    if (resumes_) {
      if (Status s = folder_.lock(); !s) return s.error();
      const Result<std::optional<Refusal>> refusal = folder_.open_to_resume();
      if (!refusal) return nothing_changed(refusal.error(), config_.out);
      if (*refusal) return error_of(**refusal);
      resumes_ = folder_.can_resume();
    }
    if (Status s = prepare(); !s) return s.error();
    if (Status s = resumes_ ? Status{} : folder_.make(); !s) return s.error();
    if (Status s = open_folder(); !s) return kept(s.error());
    warn_of_empty_model();
    Frontier frontier(frontier_options(config_), folder_.saved().links());
    if (Status s = resumes_ ? restore(frontier) : Status{}; !s) return kept(s.error());
    const Result<CrawlCounters> counters = crawl_or_fail(frontier);
    // Also after an error: what was kept so far is made readable, as far as that can be.
    const Status finished = folder_.store().finish();
    if (!counters || !finished) return kept(counters ? finished.error() : counters.error());
    const Result<FinalJudgement> judged = judge_all_again();
    if (!judged) return kept(judged.error());
    const std::chrono::duration<double> seconds = steady_clock::now() - start;
    Result<RunResult> result =
        crawl_result(config_, *plugins_, *counters, *judged, seconds.count());
    return result ? std::move(result) : kept(result.error());
  }

  Error kept(const Error& error) const { return what_was_kept(error, config_.out, resumes_); }

  // Everything that can fail without leaving a folder behind.
  Status prepare() {
    Result<std::vector<Url>> seeds = read_seeds(config_.seeds, config_.seeds_file);
    // A crawl that has come further than its seeds does not need their file any more.
    const bool needs_seeds = !resumes_ || folder_.recovery().mark.visits == 0;
    if (!seeds && needs_seeds) return seeds.error();
    if (seeds) seeds_ = std::move(*seeds);
    if (Status s = open_web(); !s) return s;
    if (Status s = load_topic_pages(); !s) return s;
    auto plugins = CrawlPlugins::make(config_, pages_);
    if (!plugins) return plugins.error();
    plugins_ = std::move(*plugins);
    return {};
  }

  Status open_web() {
    std::optional<ClockMark> clock;
    if (resumes_) {
      Result<std::optional<ClockMark>> saved = folder_.saved().clock();
      if (!saved) return saved.error();
      clock = std::move(*saved);
    }
    Result<CrawlWeb> web = CrawlWeb::open(config_, clock);
    if (!web) return web.error();
    web_ = std::move(*web);
    if (!web_->damage().empty()) warn(web_->damage());
    const bool can_start =
        seeds_.empty() || std::any_of(seeds_.begin(), seeds_.end(), [&](const Url& seed) {
          return web_->holds(canonical(seed));
        });
    if (can_start) return {};
    return Error{fmt::format("none of the addresses to start from is in the archive: not {}{}",
                             seeds_.front().href(),
                             seeds_.size() > 1 ? ", and none of the others" : "")};
  }

  Status load_topic_pages() {
    Result<TopicPages> pages = TopicPages{};
    if (resumes_) {
      Result<TopicPages> kept = folder_.saved().topic_pages();
      if (!kept) return kept.error();
      pages = topic_pages(config_, std::move(*kept), &*web_);
    } else {
      pages = topic_pages(config_, *web_);
    }
    if (!pages) return pages.error();
    pages_ = std::move(*pages);
    return {};
  }

  Status open_folder() {
    const StoreOptions options = store_options(config_, *plugins_->strategy, *plugins_->judge);
    return resumes_ ? folder_.open_for_writing(options)
                    : folder_.create(options, plugins_->model, plugins_->profile, pages_);
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
    taken_ = frontier.load(flight_ ? flight_->links() : Frontier::InFlight());
    if (is_live(config_)) {
      const Result<std::optional<Time>> rest_from = saved.note_resume(mark_clock(web_->clock()));
      if (!rest_from) return rest_from.error();
      if (*rest_from) frontier.rest_from(**rest_from);
    }
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
    const Result<size_t> unreadable = learn_again(folder_, *plugins_, config_, counters_.fetched);
    if (!unreadable) return unreadable.error();
    if (*unreadable > 0) {
      warn(
          fmt::format("{} pages of the archive cannot be read, so strategy and judge did not learn "
                      "from them again (see  dowser check {})",
                      *unreadable, config_.out));
    }
    plugins_->judge->announce_renewal();
    saved.save_topic_pages(pages_);
    const Result<std::string> set_aside = folder_.begin_at_mark();
    if (!set_aside) return set_aside.error();
    if (!set_aside->empty()) warn(*set_aside);
    return {};
  }

  // Without converters pages are crawled all the same, and documents that need them fail.
  void start_converters() {
    const int64_t cores = std::max<int64_t>(1, std::thread::hardware_concurrency());
    const int64_t count = is_live(config_) ? config_.converters.value_or(cores) : 1;
    ConvertersStart started =
        dowser::start_converters(config_.converter_program, static_cast<size_t>(count));
    converters_ = std::move(started.converters);
    if (!started.warning.empty()) warn(started.warning);
  }

  // Browsing in which no page led to a useful one teaches words, and no way.
  void warn_of_empty_model() const {
    const std::optional<HmmFile>& hmm = plugins_->model.hmm;
    if (!hmm || !hmm->model.knows_no_way() || plugins_->strategy->spec().name != "hmm") return;
    warn(
        "the model has learned nothing about the way to useful pages, so links are followed in "
        "hardly any order; train it on sessions in which a useful page was reached (dowser learn "
        "hmm)");
  }

  void warn(std::string_view sentence) const { events_.publish(CrawlWarning{sentence}); }

  Result<CrawlCounters> crawl_or_fail(Frontier& frontier) {
    try {
      return crawl_it(frontier);
    } catch (const std::exception& error) {
      return Error{error.what()};
    }
  }

  Result<CrawlCounters> crawl_it(Frontier& frontier) {
    Result<CrawlLog> log = CrawlLog::open(folder_.path() / "crawl.log");
    if (!log) return log.error();
    log->note(resumes_ ? "resumed" : "begins");
    CrawlEvents events = events_;
    events.subscribe([&](const CrawlEvent& event) { log->observe(event); });
    Keeper keeper(folder_.store(), folder_.saved());
    Result<CrawlCounters> counters = crawl_with(keeper, frontier, events);
    const Status written = keeper.drain();
    if (counters && !written) counters = written.error();
    events.publish(counters ? CrawlEnded{*counters, ""}
                            : CrawlEnded{counters_, counters.error().message});
    if (!counters) return counters;
    folder_.saved().set_advice(counters->advice);
    if (Status s = sync_at_end(); !s) return s.error();
    if (log->has_failed()) {
      warn(fmt::format("{} could not be written: some lines are missing",
                       (folder_.path() / "crawl.log").string()));
    }
    return counters;
  }

  Result<CrawlCounters> crawl_with(Keeper& keeper, Frontier& frontier, const CrawlEvents& events) {
    CrawlPlugins& p = *plugins_;
    if (p.judge->learns() && has_final_judge(p.judge->spec())) {
      folder_.saved().keep_terms(p.fields);
    }
    WorkOptions work = work_options(config_, p.profile.profile);
    work.parse.fields = p.fields;
    work.parse.mark_blocks = [&](Page& page) { p.guards->templates().mark(page); };
    const std::unique_ptr<Workers> workers = web_->workers(*p.judge, work, std::move(converters_));
    CrawlParts parts{web_->clock(), frontier, *p.strategy, *workers};
    parts.web_holds = [&](const Url& url) { return web_->holds(url); };
    parts.keep = [&](KeptVisit visit, const CrawlCounters& counters, const SavedFlight* in_flight) {
      auto change = folder_.saved().seal(visit, in_flight, counters, *p.guards, *p.strategy,
                                         *p.judge, *p.statistics, mark_clock(web_->clock()));
      return keeper.keep(std::move(visit), std::move(change));
    };
    parts.keep_host_waits = [&] {
      return keeper.keep(folder_.saved().seal_between_visits(mark_clock(web_->clock())));
    };
    parts.guards = &*p.guards;
    parts.judge = p.judge.get();
    parts.statistics = &*p.statistics;
    parts.advice = &*p.advice;
    parts.hints = &*p.hints;
    parts.get_again = [&](const Url& url) { return web_->get(url); };
    CrawlLimits limits = crawl_limits(config_);
    limits.should_stop = should_stop_;
    CrawlStart start;
    if (resumes_) {
      start = {folder_.recovery().mark.visits, counters_, std::move(flight_), std::move(taken_)};
    }
    return crawl(parts, limits, seeds_, events, start);
  }

  // A judge that does not learn has said all, unless pages are marked, or a resume changed the
  // topic, the judge or the threshold. A resume alone changes nothing: a crawl that was killed says
  // the same as one that was not.
  Result<bool> has_said_all() {
    if (plugins_->judge->learns()) return !has_final_judge(plugins_->judge->spec());
    if (!config_.examples.empty() || !config_.not_examples.empty()) return false;
    Result<CatalogueReader> catalogue = CatalogueReader::open(folder_.path());
    if (!catalogue) return catalogue.error();
    const Result<std::vector<std::string>> runs = catalogue->configurations();
    if (!runs) return runs.error();
    const auto judges_as_now = [this](const std::string& run) {
      CrawlConfig then;
      if (!read_config_text(run, "runs", then)) return false;
      return then.topic == config_.topic && then.judge == config_.judge &&
             then.profile == config_.profile && then.model == config_.model &&
             then.threshold == config_.threshold && then.examples.empty() &&
             then.not_examples.empty();
    };
    return std::all_of(runs->begin(), runs->end(), judges_as_now);
  }

  Result<FinalJudgement> judge_all_again() {
    const bool learns = plugins_->judge->learns();
    const Result<bool> said_all = has_said_all();
    if (!said_all) return said_all.error();
    if (*said_all) {
      return final_judgement_at_fetch(folder_.path(), plugins_->judge->threshold());
    }
    FinalJudgementTask task{folder_.path(), config_,          plugins_->topic, *plugins_->judge,
                            learns,         plugins_->fields, &folder_.saved()};
    task.watch = [&](const Progress& progress) {
      events_.publish(PagesJudgedAgain{progress.done, progress.total});
      return true;
    };
    return judge_again(task);
  }

  Status sync_at_end() {
    if (Status s = folder_.store().sync(); !s) return s;
    if (is_live(config_)) folder_.saved().note_end(mark_clock(web_->clock()));
    const Result<SyncMark> mark = folder_.saved().finish(
        is_live(config_) ? SavedCrawl::SinceLastVisit::kKeep : SavedCrawl::SinceLastVisit::kDrop);
    if (!mark) return mark.error();
    folder_.store().set_synced(*mark);
    return {};
  }

  const CrawlConfig config_;
  const CrawlEvents& events_;
  const std::function<bool()>& should_stop_;
  bool resumes_;
  std::vector<Url> seeds_;
  TopicPages pages_;
  std::vector<std::unique_ptr<Converter>> converters_;
  std::optional<CrawlWeb> web_;
  std::unique_ptr<CrawlPlugins> plugins_;
  CrawlFolder folder_;
  CrawlCounters counters_;             // of the earlier run
  std::optional<SavedFlight> flight_;  // what was in flight when it ended,
  Frontier::Taken taken_;              // of which these links had been taken
};

}  // namespace

Result<RunResult> run_crawl(const CrawlConfig& config, const CrawlEvents& events,
                            const std::function<bool()>& should_stop) {
  return Run(with_whole_paths(config), Run::Kind::kNew, events, should_stop).run();
}

Result<CrawlConfig> config_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "crawl.toml";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    return Error{fmt::format(
        "{} does not contain a crawl: give the folder that was named with --out", folder.string())};
  }
  const Result<std::string> text = configuration_text(folder);
  if (!text) return text.error();
  CrawlConfig config;
  if (Status s = read_config_text(*text, file.string(), config); !s) {
    return Error{fmt::format("{}; correct it, or make it again with  dowser check {} --repair",
                             s.error().message, file.parent_path().string())};
  }
  config.out = folder.string();
  return config;
}

Result<RunResult> resume_crawl(const CrawlConfig& config, const CrawlEvents& events,
                               const std::function<bool()>& should_stop, bool accept_loss) {
  return Run(config, Run::Kind::kResumed, events, should_stop, accept_loss).run();
}

}  // namespace dowser
