#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/file.h"
#include "base/hash.h"
#include "engine/plugins.h"
#include "judge/trained/model_file.h"
#include "learn/hmm_file.h"
#include "learn/model_container.h"
#include "model/url_canonical.h"
#include "report/report.h"
#include "run/archived_pages.h"
#include "run/back_links.h"
#include "run/crawl_log.h"
#include "run/crawl_web.h"
#include "run/earlier_crawls.h"
#include "run/keeper.h"
#include "run/recovery.h"
#include "run/saved_crawl.h"
#include "run/top_words.h"
#include "run/topic.h"
#include "store/store.h"

namespace dowser {
namespace {

using std::filesystem::path;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr char kModelCopy[] = "model.json";
constexpr size_t kConnectionsPerHost = 2;  // on the live web
constexpr size_t kMostEarlier = 1000;

// The addresses of --seed and of the lines of --seeds (empty lines and # comments left out).
Result<std::vector<Url>> read_seeds(const CrawlConfig& config) {
  std::vector<std::string> texts = config.seeds;
  if (!config.seeds_file.empty()) {
    const Result<std::string> file = read_file(config.seeds_file);
    if (!file) return file.error();
    std::istringstream lines(*file);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.empty() && line[0] != '#') texts.push_back(line);
    }
  }
  std::vector<Url> seeds;
  for (const std::string& text : texts) {
    Result<Url> url = Url::parse(text);
    if (!url || !url->is_http()) {
      return Error{fmt::format(
          "'{}' is no address to start at: it must begin with http:// or https://", text)};
    }
    seeds.push_back(std::move(*url));
  }
  if (seeds.empty())
    return Error{fmt::format("{} names no address to start at", config.seeds_file)};
  return seeds;
}

// The text of the model, "" where there is none. A crawl keeps a copy beside its state: what is
// outside may have changed when it goes on.
Result<std::string> read_model_of(const CrawlConfig& config) {
  if (config.model.empty()) return std::string();
  const path copy = path(config.out) / kModelCopy;
  std::error_code failed;
  return read_file(std::filesystem::exists(copy, failed) ? copy : path(config.model));
}

// What the model holds, where dowser learn hmm has made it; the judge reads the text of others.
Result<std::optional<HmmFile>> hmm_of(std::string_view model) {
  if (model.empty()) return std::optional<HmmFile>();
  const Result<ModelHeader> header = read_model_header(model);
  if (!header) return header.error();
  if (header->kind != HmmFile::kKind) return std::optional<HmmFile>();
  Result<HmmFile> file = read_hmm_file(model);
  if (!file) return file.error();
  return std::optional<HmmFile>(std::move(*file));
}

// What was not set depends on the web: a live one is asked by many at a time, and with care.
CrawlConfig with_defaults(CrawlConfig config) {
  const bool live = is_live(config);
  if (!config.delay) config.delay = live ? std::chrono::seconds(1) : std::chrono::seconds(0);
  if (!config.connections) config.connections = live ? 32 : 1;
  if (!config.max_per_address) config.max_per_address = live ? 8 : 0;
  if (const Result<std::string> model = read_model_of(config);
      config.judge.empty() && model && !model->empty()) {
    if (const Result<ModelHeader> header = read_model_header(*model)) {
      config.judge = header->kind == HmmFile::kKind ? "lsi" : header->kind;
    }
  }
  if (config.judge.empty()) {
    if (Result<std::string> judge = judge_for(config.strategy)) config.judge = *judge;
  }
  return config;
}

JudgeContext judge_context(const CrawlConfig& config, const Topic& topic, std::string_view model,
                           const std::optional<HmmFile>& hmm) {
  if (!hmm) return {topic, config.threshold, model};
  return {topic, config.threshold, "", &*hmm};
}

FrontierOptions frontier_options(const CrawlConfig& config) {
  FrontierOptions options;
  options.delay = *config.delay;
  options.max_waiting = static_cast<size_t>(config.max_waiting);
  options.max_per_host = static_cast<size_t>(config.max_per_host);
  options.host_gap = static_cast<size_t>(config.host_gap);
  options.max_per_address = static_cast<size_t>(*config.max_per_address);
  if (is_live(config)) options.max_connections = kConnectionsPerHost;
  return options;
}

CrawlLimits limits_of(const CrawlConfig& config) {
  CrawlLimits limits;
  limits.max_pages = static_cast<size_t>(config.max_pages);
  limits.max_time = config.max_time;
  limits.max_depth = static_cast<uint32_t>(config.max_depth);
  limits.drop_missing = config.missing == "drop";
  limits.connections = static_cast<size_t>(*config.connections);
  limits.live = is_live(config);
  limits.agent = config.user_agent;
  limits.sitemaps = config.sitemaps;
  limits.exact_resume = !is_live(config);
  limits.enough = {config.stop_at_recall.value_or(0), config.stop_at_harvest.value_or(0)};
  return limits;
}

GuardOptions guard_options(const CrawlConfig& config) {
  GuardOptions options;
  options.scope.allow_hosts = config.only_hosts;
  options.scope.allow_domains = config.only_domains;
  options.scope.allow_paths = config.only_paths;
  options.scope.deny = config.deny;
  options.scope.documents = config.documents;
  options.traps = config.traps;
  options.near_duplicates = config.near_duplicates;
  options.soft_404 = config.soft_404 && is_live(config);
  return options;
}

std::string topic_text(const CrawlConfig& config) {
  if (config.topic.empty() && config.examples.empty())
    return "what " + config.model + " holds good";
  if (config.examples.empty()) return config.topic;
  const std::string examples = fmt::format("{} example page{}", config.examples.size(),
                                           config.examples.size() == 1 ? "" : "s");
  return config.topic.empty() ? examples : config.topic + " and " + examples;
}

// (fetched, found) at 10, 20, 50, 100 … and at the end.
Result<std::vector<std::pair<size_t, size_t>>> harvest_curve(const path& catalogue) {
  Result<Database> db = Database::open(catalogue);
  if (!db) return db.error();
  Result<Statement> rows = db->prepare(
      "SELECT relevant AND near_duplicate_of IS NULL AND NOT soft_404 FROM fetched "
      "ORDER BY id");
  if (!rows) return rows.error();
  std::vector<std::pair<size_t, size_t>> points;
  size_t fetched = 0, found = 0, next = 10;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    ++fetched;
    found += rows->integer(0) != 0;
    if (fetched != next) continue;
    points.emplace_back(fetched, found);
    const bool is_two = std::to_string(next)[0] == '2';
    next = is_two ? next / 2 * 5 : next * 2;
  }
  if (points.empty() || points.back().first != fetched) points.emplace_back(fetched, found);
  return points;
}

// A crawl from its configuration to its folder: new, or one that goes on.
class Run {
 public:
  Run(CrawlConfig config, bool goes_on, RunOptions options = {})
      : config_(with_defaults(std::move(config))),
        options_(std::move(options)),
        folder_(config_.out),
        goes_on_(goes_on) {}

  // An exception (the state cannot be read, no memory) ends the crawl as an error does.
  Result<RunResult> run(const CrawlObserver& observer, const std::function<bool()>& should_stop) {
    try {
      return run_it(observer, should_stop);
    } catch (const std::exception& error) {
      return Error{error.what()};
    }
  }

  // What has been learned so far; the crawl stays as it is.
  Result<CrawlLessons> lessons(size_t most) {
    if (Status s = open_saved(true); !s) return s.error();
    Result<std::vector<Response>> examples = saved_->examples();
    if (!examples) return examples.error();
    examples_ = std::move(*examples);
    if (Status s = make_plugins(); !s) return s.error();
    if (Status s = restore_learned(); !s) return s.error();
    const auto* explains = dynamic_cast<const ExplainsScores*>(strategy_.get());
    return CrawlLessons{strategy_->spec().text(), judge_->spec().text(), recovery_.mark.visits,
                        judge_->strongest_words(most),
                        explains ? explains->lessons(most) : std::vector<Lesson>()};
  }

 private:
  Result<RunResult> run_it(const CrawlObserver& observer,
                           const std::function<bool()>& should_stop) {
    const SteadyTime start = std::chrono::steady_clock::now();
    if (goes_on_) {
      if (Status s = take_lock(); !s) return s.error();
      const Result<bool> is_new = never_began(folder_, saved_);
      if (!is_new) return unchanged(is_new.error());
      starts_anew_ = *is_new;
      goes_on_ = !starts_anew_;
    }
    if (Status s = goes_on_ ? open_saved(options_.accept_loss) : Status{}; !s) {
      return unchanged(s.error());
    }
    if (Status s = prepare(); !s) return s.error();
    SetAside set_aside(folder_, SystemClock().now());
    if (Status s = goes_on_ ? open_for_writing(set_aside) : create_store(set_aside); !s) {
      return resumable(s.error());
    }
    Frontier frontier(frontier_options(config_), saved_->links());
    if (goes_on_) {
      if (Status s = restore(frontier); !s) return resumable(s.error());
      if (Status s = continue_store(set_aside); !s) return resumable(s.error());
    }
    const Result<CrawlCounters> counters = crawl_or_fail(frontier, observer, should_stop);
    // Also after an error: what was kept so far is made readable, as far as that can be.
    const Status finished = store_->finish();
    if (!counters || !finished) {
      return resumable(counters ? finished.error() : counters.error());
    }
    Result<RunResult> done = result(*counters, start);
    return done ? std::move(done) : resumable(done.error());
  }

  // An error together with what to do; a refusal says that itself.
  static bool says_what_to_do(const Error& error) {
    return error.message.find("  dowser ") != std::string::npos ||
           error.message.find(" with --") != std::string::npos;
  }
  Error unchanged(const Error& error) const {
    if (says_what_to_do(error)) return error;
    return {fmt::format(
        "{}; nothing was changed: try again, or see what is wrong with  dowser check {}",
        error.message, config_.out)};
  }
  Error resumable(const Error& error) const {
    if (says_what_to_do(error)) return error;
    std::error_code failed;
    if (!std::filesystem::exists(folder_ / "crawl.toml", failed) && !goes_on_) {
      return {error.message + "; nothing was kept: start again when this is mended"};
    }
    if (error.message.find("malformed") != std::string::npos) {
      return {
          fmt::format("{}; rebuild the catalogue from the archive with  dowser check {} --repair",
                      error.message, config_.out)};
    }
    return {fmt::format("{}; what was kept is whole: go on with  dowser resume {}", error.message,
                        config_.out)};
  }

  // Two crawls in one folder would spoil both.
  Status take_lock() {
    Result<FolderLock> lock = FolderLock::take(folder_);
    if (!lock) return lock.error();
    lock_ = std::move(*lock);
    return {};
  }

  // Reads the state and decides where to go on. Changes nothing.
  Status open_saved(bool accept_loss) {
    if (!saved_) {
      Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open_read_only(folder_);
      if (!saved) return saved.error();
      saved_ = std::move(*saved);
    }
    const Result<Recovery> recovery = plan_recovery(folder_, *saved_, accept_loss);
    if (!recovery) return recovery.error();
    recovery_ = *recovery;
    return {};
  }

  // Everything that can go wrong without leaving a folder behind.
  Status prepare() {
    Result<std::vector<Url>> seeds = read_seeds(config_);
    if (!seeds) return seeds.error();
    seeds_ = std::move(*seeds);
    std::optional<Time> last_fetch;
    if (goes_on_) {
      const Result<std::optional<Time>> saved = saved_->last_fetch();
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
    if (!can_start) {
      return Error{fmt::format("the archive holds no page to start at: not {}{}",
                               seeds_.front().href(), seeds_.size() > 1 ? ", nor the others" : "")};
    }
    Result<std::vector<Response>> examples =
        goes_on_ ? saved_->examples() : web_->examples(config_);
    if (!examples) return examples.error();
    examples_ = std::move(*examples);
    return make_plugins();
  }

  Status make_plugins() {
    topic_ = make_topic(config_.topic, examples_);
    Result<std::string> model = read_model_of(config_);
    if (!model) return model.error();
    model_ = std::move(*model);
    Result<std::optional<HmmFile>> hmm = hmm_of(model_);
    if (!hmm) return hmm.error();
    hmm_ = std::move(*hmm);
    auto judge = make_judge(config_.judge, judge_context(config_, topic_, model_, hmm_));
    if (!judge) return judge.error();
    judge_ = std::make_unique<JudgeInUse>(std::move(*judge));
    advice_.emplace(*judge_);
    if (Status s = make_strategy_of_crawl(); !s) return s;
    Result<Guards> guards = Guards::make(guard_options(config_));
    if (!guards) return guards.error();
    guards_ = std::move(*guards);
    return {};
  }

  Status make_strategy_of_crawl() {
    StrategyContext context{topic_, static_cast<uint64_t>(config_.random_seed)};
    auto earlier = earlier_finds(config_.previous, kMostEarlier);
    if (!earlier) return earlier.error();
    earlier_ = std::move(*earlier);
    context.earlier = earlier_;
    context.judge = judge_.get();
    context.hmm = hmm_ ? &*hmm_ : nullptr;
    if (!config_.back_links.empty()) {
      if (Status s = read_back_links(); !s) return s;
      context.layers_around_examples = [this](size_t layers, size_t most) {
        return back_links_->layers_around(topic_.examples, layers, most);
      };
    }
    auto strategy = make_strategy(config_.strategy, context);
    if (!strategy) return strategy.error();
    strategy_ = std::move(*strategy);
    return {};
  }

  Status read_back_links() {
    const auto files = archive_files(config_.back_links);
    if (!files) return files.error();
    Result<BackLinks> links = BackLinks::read(*files);
    if (!links) return links.error();
    back_links_ = std::move(*links);
    const auto plugin = strategy_plugin(config_.strategy);
    if (!plugin || !(*plugin)->needs_back_links) return {};
    if (!back_links_->layers_around(topic_.examples, 1, 1).front().empty()) return {};
    return Error{
        fmt::format("{} has nothing to learn from: no page of --back-links links to an "
                    "--example",
                    (*plugin)->name)};
  }

  StoreOptions store_options() const {
    StoreOptions options;
    options.folder = folder_;
    options.configuration = config_text(config_);
    options.user_agent = full_user_agent(config_);
    options.strategy = strategy_->spec().text();
    options.judge = judge_->spec().text();
    return options;
  }

  Status create_store(SetAside& set_aside) {
    saved_.reset();
    if (starts_anew_) {
      if (Status s = clear_folder(set_aside); !s) return s;
    } else {
      if (Status s = Store::make_folder(folder_); !s) return s;
      if (Status s = take_lock(); !s) return s;
    }
    auto store = Store::create(store_options(), true);
    if (!store) return store.error();
    store_ = std::move(*store);
    // Before the state says that the crawl has begun.
    if (Status s = store_->sync(); !s) return s;
    Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open(folder_);
    if (!saved) return saved.error();
    saved_ = std::move(*saved);
    if (!model_.empty()) {
      if (Status s = write_file(folder_ / kModelCopy, model_); !s) return s;
      saved_->save_model_digest(sha1_digest(model_));
    }
    const Result<SyncMark> mark = saved_->begin(examples_);
    if (!mark) return mark.error();
    store_->set_synced(*mark);
    return store_->write_synced();
  }

  // What a crawl left that was killed before it had begun.
  Status clear_folder(SetAside& set_aside) {
    for (const char* name : {"catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm",
                             "index.unsorted", "state"}) {
      std::error_code failed;
      if (!std::filesystem::exists(folder_ / name, failed)) continue;
      if (Status s = set_aside.move(folder_ / name); !s) return s;
    }
    return {};
  }

  // Opens everything for writing. The catalogue comes first: it is what others may have locked. The
  // checks were made on what was there, so it must still be the same.
  Status open_for_writing(SetAside& set_aside) {
    auto store = Store::open(store_options());
    if (!store) return store.error();
    store_ = std::move(*store);
    const uint32_t visits = saved_->visits();
    saved_.reset();
    if (options_.accept_loss) {
      if (Status s = copy_logs(set_aside); !s) return s;
    }
    Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open(folder_);
    if (!saved) return saved.error();
    saved_ = std::move(*saved);
    if (saved_->visits() != visits) {
      return Error{fmt::format("{} was changed by another dowser meanwhile: try again",
                               (folder_ / "state").string())};
    }
    return saved_->go_back_to(recovery_.mark.visits);
  }

  // RocksDB removes its logs when it has read them, as far as it can.
  Status copy_logs(SetAside& set_aside) {
    std::error_code failed;
    auto it = std::filesystem::directory_iterator(folder_ / "state", failed);
    for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
      if (it->path().extension() != ".log") continue;
      if (Status s = set_aside.copy(it->path()); !s) return s;
    }
    if (!failed) return {};
    return Error{fmt::format("cannot read {}: {}", (folder_ / "state").string(), failed.message())};
  }

  Status continue_store(SetAside& set_aside) {
    if (Status s = store_->go_on_at(recovery_.mark, set_aside); !s) return s;
    // What was lost waits again, in one batch with its going.
    const Result<SyncMark> synced = saved_->finish();
    if (!synced) return synced.error();
    store_->set_synced(*synced);
    if (Status s = store_->write_synced(); !s) return s;
    if (!set_aside.is_empty()) {
      options_.notice(fmt::format(
          "went back to page {}: {} pages of the catalogue and {} bytes of the archive behind it "
          "are set aside in {}{}",
          recovery_.mark.visits, recovery_.behind, set_aside.bytes(), set_aside.folder().string(),
          recovery_.refetched == 0
              ? ""
              : fmt::format(", {} pages will be fetched again", recovery_.refetched)));
    }
    return {};
  }

  Status restore(Frontier& frontier) {
    if (!is_live(config_)) {
      Result<std::optional<SavedFlight>> flight = saved_->flight();
      if (!flight) return flight.error();
      flight_ = std::move(*flight);
    }
    taken_ = frontier.load(flight_ ? flight_->links() : Frontier::InFlight());
    saved_->requeue(frontier);
    if (Status s = saved_->restore(*guards_, recovery_.mark.visits); !s) return s;
    Result<CrawlCounters> counters = saved_->counters();
    if (!counters) return counters.error();
    if (saved_->has_lost_visits()) {
      counters = recount(folder_ / "catalogue.sqlite", *counters, recovery_.mark.visits);
      if (!counters) return counters.error();
      saved_->set_counters(*counters);
    }
    counters_ = std::move(*counters);
    return restore_learned();
  }

  Status restore_learned() {
    Result<ArchivedVisits> visits = ArchivedVisits::open(folder_, config_.sitemaps);
    if (!visits) return visits.error();
    size_t unreadable = 0;
    const auto read = [&](VisitId id, Candidate candidate, const ArchiveEnd& begin,
                          const ArchiveEnd& end) {
      Result<Visit> visit = visits->read(id, std::move(candidate), begin, end);
      unreadable += !visit;
      return visit;
    };
    if (Status s = saved_->restore(*strategy_, *judge_, recovery_.mark.visits, read); !s) return s;
    advice_->restore(recovery_.mark.visits, counters_.fetched,
                     [&](VisitId id) { return visits->read(id); });
    if (!visits->status().ok()) return visits->status();
    if (unreadable > 0) {
      options_.notice(fmt::format(
          "{} pages of the archive cannot be read, so nothing was learned from them again (see  "
          "dowser check {})",
          unreadable, folder_.string()));
    }
    return {};
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
    Result<CrawlLog> log = CrawlLog::open(folder_ / "crawl.log");
    if (!log) return log.error();
    log->note(SystemClock().now(), goes_on_ ? "goes on" : "begins");
    // On the live web the fetch threads share the work of packing.
    const WorkOptions work{{}, config_.near_duplicates, config_.sitemaps, is_live(config_)};
    const std::unique_ptr<Workers> workers = web_->workers(*judge_, work);
    CrawlLimits limits = limits_of(config_);
    limits.should_stop = should_stop;

    Keeper keeper(*store_, *saved_, *log);
    CrawlParts parts{web_->clock(),
                     frontier,
                     *strategy_,
                     *workers,
                     [&](const Url& url) { return web_->holds(url); },
                     [&](Outcome outcome, const CrawlCounters& counters) {
                       auto change = saved_->seal(outcome, counters, *guards_, *strategy_, *judge_);
                       return keeper.keep(std::move(outcome), std::move(change));
                     },
                     &*guards_,
                     judge_.get(),
                     &*advice_,
                     [&](const Url& url) { return web_->get(url); }};
    CrawlStart start;
    if (goes_on_) {
      start = {recovery_.mark.visits, counters_, std::move(flight_), std::move(taken_)};
    }
    const Result<CrawlCounters> counters = crawl(parts, limits, seeds_, observer, start);
    const Status kept = keeper.drain();
    if (!counters || !kept) {
      const Error error = counters ? kept.error() : counters.error();
      log->note(SystemClock().now(), error.message);
      return error;
    }
    log->note(SystemClock().now(), "ends");
    if (Status s = store_->sync(); !s) return s.error();
    const Result<SyncMark> mark = saved_->finish(
        is_live(config_) ? SavedCrawl::SinceLastVisit::kKeep : SavedCrawl::SinceLastVisit::kDrop);
    if (!mark) return mark.error();
    store_->set_synced(*mark);
    if (log->has_failed()) {
      options_.notice(fmt::format("{} could not be written: some lines are missing",
                                  (folder_ / "crawl.log").string()));
    }
    return counters;
  }

  Result<RunResult> result(const CrawlCounters& counters, SteadyTime start) const {
    const auto words = top_words(store_->catalogue_path(), store_->archive_folder());
    if (!words) return words.error();
    const auto html =
        report_html({store_->catalogue_path(), topic_text(config_), strategy_->spec().text(),
                     judge_->spec().text(), judge_->threshold(), *words, counters.advice});
    if (!html) return html.error();
    const path report = folder_ / "report.html";
    if (Status s = write_file(report, *html); !s) return s.error();
    auto curve = harvest_curve(store_->catalogue_path());
    if (!curve) return curve.error();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return RunResult{counters, std::move(*curve), seconds.count(), report.string()};
  }

  const CrawlConfig config_;
  const RunOptions options_;
  const path folder_;
  bool goes_on_;
  std::optional<FolderLock> lock_;
  bool starts_anew_ = false;  // in the folder of a crawl that was killed before it had begun
  std::vector<Url> seeds_;
  std::vector<Response> examples_;
  Topic topic_;
  std::vector<EarlierFind> earlier_;
  std::optional<BackLinks> back_links_;  // before the strategy, which may keep its pages
  std::string model_;                    // its text
  std::optional<HmmFile> hmm_;           // the same, where it was learned from browsing
  std::optional<CrawlWeb> web_;
  std::unique_ptr<JudgeInUse> judge_;
  std::optional<StopAdvice> advice_;
  std::unique_ptr<Strategy> strategy_;
  std::optional<Guards> guards_;
  Recovery recovery_;                  // where an earlier crawl had come to
  CrawlCounters counters_;             // and what it had counted
  std::optional<SavedFlight> flight_;  // and what was in flight then,
  Frontier::Taken taken_;              // of which these links had been taken
  std::unique_ptr<SavedCrawl> saved_;
  std::unique_ptr<Store> store_;
};

}  // namespace

Status check_settings(const CrawlConfig& config) {
  if (Status s = check_config(config); !s) return s;
  Topic topic;
  topic.words = "dowsing";  // the real topic may need files; here only names and parameters count
  const Result<std::string> model = read_model_of(config);
  if (!model) return model.error();
  const auto hmm = hmm_of(*model);
  if (!hmm) return hmm.error();
  StrategyContext context{topic};
  context.hmm = *hmm ? &**hmm : nullptr;
  if (const auto s = make_strategy(config.strategy, context); !s) return s.error();
  const StrategyPlugin& plugin = **strategy_plugin(config.strategy);
  if (plugin.needs_back_links && config.back_links.empty()) {
    return Error{fmt::format(
        "{} needs back-links: name an archive or an earlier crawl with --back-links", plugin.name)};
  }
  const std::string judge = with_defaults(config).judge;
  if (const auto j = make_judge(judge, judge_context(config, topic, *model, *hmm)); !j) {
    return j.error();
  }
  if (const auto g = Guards::make(guard_options(config)); !g) return g.error();
  return {};
}

Result<RunResult> run_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                            const std::function<bool()>& should_stop, const RunOptions& options) {
  return Run(config, false, options).run(observer, should_stop);
}

Result<CrawlConfig> config_of(const path& folder) {
  const path file = folder / "crawl.toml";
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
  return Run(config, true, options).run(observer, should_stop);
}

Result<CrawlLessons> lessons_of(const CrawlConfig& config, size_t most) {
  return Run(config, true).lessons(most);
}

}  // namespace dowser
