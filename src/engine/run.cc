#include "engine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/file.h"
#include "engine/dispatcher.h"
#include "engine/live_workers.h"
#include "engine/plugins.h"
#include "engine/report.h"
#include "engine/top_words.h"
#include "fetch/archive_web.h"
#include "model/url_canonical.h"
#include "parse/parse_page.h"
#include "store/store.h"

namespace dowser {
namespace {

constexpr size_t kConnectionsPerHost = 2;  // on the live web

std::vector<std::filesystem::path> paths(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

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

// A page that the user named. It is taken from an archive that is there already, so nobody is
// asked.
Result<Page> page_of_web(Web& web, const Url& url) {
  Url next = url;
  for (int hop = 0; hop <= Dispatcher::kMaxRedirects && !next.empty(); ++hop) {
    Response response = web.get(next);
    response.url = next;
    if (response.ok()) return parse_page(response, {});
    next = response.is_redirect() ? response.redirect_target() : Url();
  }
  return Error{fmt::format("{} cannot be had from the archive", url.href())};
}

Result<Page> page_of_file(const std::string& name) {
  Result<std::string> body = read_file(name);
  if (!body) return body.error();
  Response response;
  response.status = 200;
  const bool plain = name.ends_with(".txt");
  response.headers.add("Content-Type", plain ? "text/plain" : "text/html");
  response.body = std::move(*body);
  std::error_code failed;
  const std::string path = std::filesystem::absolute(name, failed).string();
  if (Result<Url> url = Url::parse("file://" + path)) response.url = std::move(*url);
  return parse_page(response, {});
}

bool is_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

Result<Page> page_from(const std::string& place, Web* web) {
  if (!is_address(place)) return page_of_file(place);
  const Result<Url> url = Url::parse(place);
  if (!url) return Error{fmt::format("'{}' is no address: {}", place, url.error().message)};
  if (!web)
    return Error{
        fmt::format("{} is an address: say which archive holds it with --web FILE", place)};
  return page_of_web(*web, *url);
}

Result<Topic> topic_from(const std::string& words, const std::vector<std::string>& examples,
                         Web* web) {
  Topic topic;
  topic.words = words;
  for (const std::string& example : examples) {
    Result<Page> page = page_from(example, web);
    if (!page) return page.error();
    topic.examples.push_back(std::move(*page));
  }
  return topic;
}

Result<std::unique_ptr<ArchiveWeb>> open_web(const std::vector<std::string>& archives) {
  const auto files = paths(archives);
  return ArchiveWeb::open(files);
}

// Notes (fetched, relevant) at 10, 20, 50, 100 …
class Curve {
 public:
  void add(const CrawlCounters& c) {
    if (c.fetched != next_ || c.fetched == last_) return;
    points.emplace_back(c.fetched, c.relevant);
    last_ = c.fetched;
    step_ = (step_ + 1) % 3;
    next_ = step_ == 2 ? next_ / 2 * 5 : next_ * 2;
  }
  void finish(const CrawlCounters& c) {
    if (c.fetched != last_) points.emplace_back(c.fetched, c.relevant);
  }
  std::vector<std::pair<size_t, size_t>> points;

 private:
  size_t next_ = 10, last_ = 0;
  int step_ = 0;
};

// What was not set depends on the web: a live one is asked by many at a time, and with care.
CrawlConfig with_defaults(CrawlConfig config) {
  const bool live = is_live(config);
  if (!config.delay) config.delay = live ? std::chrono::seconds(1) : std::chrono::seconds(0);
  if (!config.connections) config.connections = live ? 32 : 1;
  return config;
}

FrontierOptions frontier_options(const CrawlConfig& config) {
  FrontierOptions options;
  options.delay = *config.delay;
  options.max_waiting = static_cast<size_t>(config.max_waiting);
  options.max_per_host = static_cast<size_t>(config.max_per_host);
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
  return limits;
}

std::string full_user_agent(const CrawlConfig& config) {
  return config.contact.empty() ? config.user_agent
                                : fmt::format("{} (+{})", config.user_agent, config.contact);
}

LiveWebOptions live_options(const CrawlConfig& config) {
  LiveWebOptions options;
  options.user_agent = full_user_agent(config);
  options.allowed_hosts = config.allow_hosts;
  for (const std::string& pair : config.resolve) {
    const size_t equals = pair.find('=');
    options.resolve_to.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return options;
}

// The web that a crawl goes over, its time, and who works on it.
class CrawlWeb {
 public:
  static Result<CrawlWeb> open(const CrawlConfig& config) {
    CrawlWeb web;
    if (is_live(config)) {
      web.live_ = live_options(config);
      web.clock_ = std::make_unique<SystemClock>();
      return web;
    }
    Result<std::unique_ptr<ArchiveWeb>> archive = open_web(config.web);
    if (!archive) return archive.error();
    web.archive_ = std::move(*archive);
    web.clock_ = std::make_unique<SimulatedClock>(web.archive_->started());
    return web;
  }

  Clock& clock() { return *clock_; }
  bool holds(const Url& url) const { return !archive_ || archive_->may_hold(url); }

  // One page at a time, for the examples of a topic.
  std::unique_ptr<Web> one_by_one() const {
    return archive_ ? nullptr : std::make_unique<LiveWebSync>(*live_);
  }
  Web* archive() const { return archive_.get(); }

  std::unique_ptr<Workers> workers(const Judge& judge) {
    if (!archive_) return std::make_unique<LiveWorkers>(*live_, judge, ParseOptions{});
    return std::make_unique<InlineWorkers>(*archive_, *clock_, judge, ParseOptions{});
  }

 private:
  std::unique_ptr<ArchiveWeb> archive_;
  std::optional<LiveWebOptions> live_;
  std::unique_ptr<Clock> clock_;
};

Result<Topic> topic_of(const CrawlConfig& config, const CrawlWeb& web) {
  if (config.examples.empty()) return topic_from(config.topic, {}, nullptr);
  const std::unique_ptr<Web> live = web.one_by_one();
  return topic_from(config.topic, config.examples, live ? live.get() : web.archive());
}

std::string topic_text(const CrawlConfig& config) {
  if (config.examples.empty()) return config.topic;
  const std::string examples = fmt::format("{} example page{}", config.examples.size(),
                                           config.examples.size() == 1 ? "" : "s");
  return config.topic.empty() ? examples : config.topic + " and " + examples;
}

}  // namespace

Status check_settings(const CrawlConfig& config) {
  if (Status s = check_config(config); !s) return s;
  Topic topic;
  topic.words = "dowsing";  // the real topic may need files; here only names and parameters count
  if (const auto s = make_strategy(config.strategy, {topic}); !s) return s.error();
  if (const auto j = make_judge(config.judge, {topic, config.threshold}); !j) return j.error();
  return {};
}

Result<Page> load_page(const std::string& place, const std::vector<std::string>& archives) {
  if (archives.empty() || !is_address(place)) return page_from(place, nullptr);
  auto web = open_web(archives);
  if (!web) return web.error();
  return page_from(place, web->get());
}

Result<Topic> load_topic(const std::string& words, const std::vector<std::string>& examples,
                         const std::vector<std::string>& archives) {
  if (archives.empty()) return topic_from(words, examples, nullptr);
  auto web = open_web(archives);
  if (!web) return web.error();
  return topic_from(words, examples, web->get());
}

Result<RunResult> run_crawl(const CrawlConfig& given, const CrawlObserver& observer,
                            const std::function<bool()>& should_stop) {
  const auto start = std::chrono::steady_clock::now();
  const CrawlConfig config = with_defaults(given);
  const Result<std::vector<Url>> seeds = read_seeds(config);
  if (!seeds) return seeds.error();
  Result<CrawlWeb> web = CrawlWeb::open(config);
  if (!web) return web.error();
  const bool can_start = std::any_of(seeds->begin(), seeds->end(),
                                     [&](const Url& seed) { return web->holds(canonical(seed)); });
  if (!can_start) {
    return Error{fmt::format("the archive holds no page to start at: not {}{}",
                             seeds->front().href(), seeds->size() > 1 ? ", nor the others" : "")};
  }
  const Result<Topic> topic = topic_of(config, *web);
  if (!topic) return topic.error();
  const auto judge = make_judge(config.judge, {*topic, config.threshold});
  if (!judge) return judge.error();
  const auto strategy =
      make_strategy(config.strategy, {*topic, static_cast<uint64_t>(config.random_seed)});
  if (!strategy) return strategy.error();

  StoreOptions store_options;
  store_options.folder = config.out;
  store_options.configuration = config_text(config);
  store_options.user_agent = full_user_agent(config);
  store_options.strategy = (*strategy)->spec().text();
  store_options.judge = (*judge)->spec().text();
  auto store = Store::create(store_options);
  if (!store) return store.error();

  Frontier frontier(frontier_options(config));
  Curve curve;
  const std::unique_ptr<Workers> workers = web->workers(**judge);
  CrawlLimits limits = limits_of(config);
  limits.should_stop = should_stop;
  const CrawlParts parts{web->clock(),
                         frontier,
                         **strategy,
                         *workers,
                         [&](const Url& url) { return web->holds(url); },
                         [&](const Visit& visit, std::span<const FoundLink> links) {
                           return (*store)->keep(visit, links);
                         }};
  const auto counters = crawl(parts, limits, *seeds, [&](const Visit& v, const CrawlCounters& c) {
    curve.add(c);
    return observer(v, c);
  });
  // Also after an error: what was kept so far is made readable.
  const Status finished = (*store)->finish();
  if (!counters) return counters.error();
  if (!finished) return finished.error();
  curve.finish(*counters);

  const auto words = top_words((*store)->catalogue_path(), (*store)->archive_folder());
  if (!words) return words.error();
  const auto html =
      report_html({(*store)->catalogue_path(), topic_text(config), store_options.strategy,
                   store_options.judge, (*judge)->threshold(), *words});
  if (!html) return html.error();
  const std::filesystem::path report = std::filesystem::path(config.out) / "report.html";
  if (Status s = write_file(report, *html); !s) return s.error();

  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return RunResult{*counters, curve.points, seconds.count(), report.string()};
}

}  // namespace dowser
