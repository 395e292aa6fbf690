#include "run/crawl_web.h"

#include <fmt/format.h>

#include "engine/live_workers.h"
#include "run/earlier_crawls.h"
#include "run/topic.h"

namespace dowser {
namespace {

// A sitemap may be packed; what else is packed stays unwanted, but its head tells it by the name.
BodyPlan plan_beside_sitemaps(const Url& url, const Response& head) {
  return head.content_type().ends_with("gzip") ? BodyPlan() : usual_plan(url, head);
}

LiveWebOptions live_options(const CrawlConfig& config) {
  LiveWebOptions options;
  options.user_agent = full_user_agent(config);
  options.allowed_hosts = config.allow_hosts;
  options.limits.connect = config.connect_timeout;
  options.limits.first_byte = config.answer_timeout;
  options.limits.total = config.timeout;
  options.limits.body_bytes = static_cast<size_t>(config.max_page_size);
  options.max_per_address = static_cast<size_t>(config.max_per_address.value_or(0));
  for (const std::string& pair : config.resolve) {
    const size_t equals = pair.find('=');
    options.resolve_to.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  if (config.sitemaps) options.plan_body = plan_beside_sitemaps;
  return options;
}

}  // namespace

std::string full_user_agent(const CrawlConfig& config) {
  return config.contact.empty() ? config.user_agent
                                : fmt::format("{} (+{})", config.user_agent, config.contact);
}

Result<CrawlWeb> CrawlWeb::open(const CrawlConfig& config, const std::optional<ClockMark>& clock) {
  CrawlWeb web;
  if (is_live(config)) {
    web.live_ = live_options(config);
    web.clock_ = std::make_unique<SystemClock>(clock ? continued(*clock) : wall_time());
    if (config.previous.empty()) return web;
    const auto files = archive_files(config.previous);
    if (!files) return files.error();
    Result<std::unique_ptr<ArchiveWeb>> previous = ArchiveWeb::open(*files);
    if (!previous) return previous.error();
    web.previous_ = std::move(*previous);
    return web;
  }
  const std::vector<std::filesystem::path> files(config.web.begin(), config.web.end());
  Result<std::unique_ptr<ArchiveWeb>> archive = ArchiveWeb::open(files);
  if (!archive) return archive.error();
  web.archive_ = std::move(*archive);
  web.clock_ = std::make_unique<SimulatedClock>(clock ? clock->now : web.archive_->started());
  return web;
}

std::string CrawlWeb::damage() const {
  if (!archive_ || archive_->damaged() == 0) return {};
  return fmt::format("{} records of the web archive are damaged and were skipped",
                     archive_->damaged());
}

Result<std::vector<Response>> CrawlWeb::pages(const std::vector<std::string>& places) const {
  if (archive_ || places.empty()) return load_examples(places, archive_.get());
  LiveWebSync live(*live_);
  return load_examples(places, &live);
}

std::unique_ptr<Workers> CrawlWeb::workers(const Judge& judge, const WorkOptions& options,
                                           std::vector<std::unique_ptr<Converter>> converters) {
  if (!archive_) {
    return std::make_unique<LiveWorkers>(*live_, *clock_, judge, options, std::move(previous_),
                                         std::move(converters));
  }
  if (!converters.empty()) converter_ = std::move(converters.front());
  return std::make_unique<InlineWorkers>(*archive_, *clock_, judge, options, converter_.get());
}

}  // namespace dowser
