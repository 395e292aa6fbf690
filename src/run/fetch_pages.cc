#include "run/fetch_pages.h"

#include <limits>

#include "engine/crawl.h"
#include "run/crawl_web.h"

namespace dowser {
namespace {

class FollowNothing final : public Strategy {
 public:
  std::optional<Score> score(const Visit&, const Link&) override { return std::nullopt; }
  Spec spec() const override { return {"follow-nothing", {}}; }
};

class JudgeNothing final : public Judge {
 public:
  Judgement judge(const Page&) const override { return {}; }
  Relevance relevance(const PageTerms&) const override { return {}; }
  Spec spec() const override { return {"judge-nothing", {}}; }
  double threshold() const override { return 1; }
};

constexpr auto kDelay = std::chrono::seconds(1);
constexpr size_t kConnections = 32, kPerHost = 2, kPerAddress = 8;

FrontierOptions frontier_options(const CrawlConfig& config) {
  FrontierOptions options;
  if (!is_live(config)) return options;
  options.delay = config.delay.value_or(kDelay);
  options.max_connections = kPerHost;
  options.max_per_address = kPerAddress;
  return options;
}

}  // namespace

struct PageFetcher::Parts {
  Parts(const CrawlConfig& given, CrawlWeb opened)
      : config(given), web(std::move(opened)), frontier(frontier_options(config)) {
    WorkOptions options;
    options.parse.count_terms = false;
    workers = web.workers(judge, options, {});
  }

  const CrawlConfig config;
  CrawlWeb web;
  Frontier frontier;
  FollowNothing strategy;
  JudgeNothing judge;
  std::unique_ptr<Workers> workers;
  uint32_t visits = 0;
};

PageFetcher::PageFetcher(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PageFetcher::PageFetcher(PageFetcher&&) noexcept = default;
PageFetcher::~PageFetcher() = default;

Result<PageFetcher> PageFetcher::open(const CrawlConfig& config) {
  Result<CrawlWeb> web = CrawlWeb::open(config);
  if (!web) return web.error();
  return PageFetcher(std::make_unique<Parts>(config, std::move(*web)));
}

Status PageFetcher::fetch(std::span<const Url> urls,
                          const std::function<bool(std::optional<Page>)>& use,
                          const std::function<bool()>& should_stop) {
  bool enough = false;
  CrawlParts crawl_parts{parts_->web.clock(),
                         parts_->frontier,
                         parts_->strategy,
                         *parts_->workers,
                         [&](const Url& url) { return parts_->web.holds(url); },
                         [&](KeptVisit kept, const CrawlCounters&, const SavedFlight*) -> Status {
                           ++parts_->visits;
                           if (enough) return {};  // it was in flight already
                           Visit& visit = kept.visit;
                           const bool usable = is_html_page(visit.response, visit.page);
                           enough =
                               !use(usable ? std::optional(std::move(visit.page)) : std::nullopt);
                           return {};
                         }};
  CrawlLimits limits;
  limits.max_pages = std::numeric_limits<size_t>::max() / 2;
  limits.connections = is_live(parts_->config) ? kConnections : 1;
  limits.live = is_live(parts_->config);
  limits.should_stop = [&] { return enough || should_stop(); };
  CrawlStart start;
  start.visits = parts_->visits;
  const auto counters = crawl(crawl_parts, limits, urls, {}, start);
  return counters ? Status{} : counters.error();
}

bool is_html_page(const Response& response, const Page& page) {
  return response.ok() && !page.blocks.empty() &&
         (page.content_type == "text/html" || page.content_type == "application/xhtml+xml");
}

}  // namespace dowser
