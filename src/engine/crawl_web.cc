#include "engine/crawl_web.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/live_workers.h"
#include "engine/topic.h"

namespace dowser {
namespace {

// A sitemap may be packed; what else is packed stays unwanted, but its head tells it by the name.
bool is_unwanted_beside_sitemaps(std::string_view type) {
  return !type.ends_with("gzip") && is_unwanted_type(type);
}

LiveWebOptions live_options(const CrawlConfig& config) {
  LiveWebOptions options;
  options.user_agent = full_user_agent(config);
  options.allowed_hosts = config.allow_hosts;
  for (const std::string& pair : config.resolve) {
    const size_t equals = pair.find('=');
    options.resolve_to.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  if (config.sitemaps) options.is_unwanted = is_unwanted_beside_sitemaps;
  return options;
}

// The archives of earlier crawls.
Result<std::unique_ptr<ArchiveWeb>> open_previous(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    std::error_code failed;
    const auto archive = std::filesystem::path(folder) / "archive";
    for (const auto& entry : std::filesystem::directory_iterator(archive, failed)) {
      files.push_back(entry.path());
    }
    if (failed) return Error{fmt::format("{} is no crawl: it has no archive", folder)};
  }
  std::sort(files.begin(), files.end());
  return ArchiveWeb::open(files);
}

}  // namespace

std::string full_user_agent(const CrawlConfig& config) {
  return config.contact.empty() ? config.user_agent
                                : fmt::format("{} (+{})", config.user_agent, config.contact);
}

Result<CrawlWeb> CrawlWeb::open(const CrawlConfig& config, std::optional<Time> now) {
  CrawlWeb web;
  if (is_live(config)) {
    web.live_ = live_options(config);
    web.clock_ = std::make_unique<SystemClock>();
    if (config.previous.empty()) return web;
    Result<std::unique_ptr<ArchiveWeb>> previous = open_previous(config.previous);
    if (!previous) return previous.error();
    web.previous_ = std::move(*previous);
    return web;
  }
  const std::vector<std::filesystem::path> files(config.web.begin(), config.web.end());
  Result<std::unique_ptr<ArchiveWeb>> archive = ArchiveWeb::open(files);
  if (!archive) return archive.error();
  web.archive_ = std::move(*archive);
  web.clock_ = std::make_unique<SimulatedClock>(now.value_or(web.archive_->started()));
  return web;
}

Result<std::vector<Response>> CrawlWeb::examples(const CrawlConfig& config) const {
  if (archive_ || config.examples.empty()) return load_examples(config.examples, archive_.get());
  LiveWebSync live(*live_);
  return load_examples(config.examples, &live);
}

std::unique_ptr<Workers> CrawlWeb::workers(const Judge& judge, const WorkOptions& options) {
  if (!archive_) {
    return std::make_unique<LiveWorkers>(*live_, judge, options, std::move(previous_));
  }
  return std::make_unique<InlineWorkers>(*archive_, *clock_, judge, options);
}

}  // namespace dowser
