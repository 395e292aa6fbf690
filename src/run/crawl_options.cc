#include "run/crawl_options.h"

#include <filesystem>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "document/kind.h"
#include "engine/plugins.h"
#include "guard/name_words.h"
#include "run/crawl_model.h"
#include "run/crawl_web.h"

namespace dowser {
namespace {

constexpr size_t kLiveConnectionsPerHost = 2;

std::string default_judge(const CrawlConfig& config) {
  if (const std::optional<std::string> judge = judge_of_model(config)) return *judge;
  const Result<std::string> judge = judge_for(config.strategy);
  return judge ? *judge : "";
}

}  // namespace

CrawlConfig with_defaults(CrawlConfig config) {
  const bool live = is_live(config);
  if (!config.delay) config.delay = live ? std::chrono::seconds(1) : std::chrono::seconds(0);
  if (!config.connections) config.connections = live ? 32 : 1;
  if (!config.max_per_address) config.max_per_address = live ? 8 : 0;
  if (config.judge.empty()) config.judge = default_judge(config);
  return config;
}

FrontierOptions frontier_options(const CrawlConfig& config) {
  FrontierOptions options;
  options.delay = *config.delay;
  options.max_waiting = static_cast<size_t>(config.max_waiting);
  options.max_per_host = static_cast<size_t>(config.max_per_host);
  options.max_per_site = static_cast<size_t>(config.max_per_site);
  options.host_gap = static_cast<size_t>(config.host_gap);
  options.max_per_address = static_cast<size_t>(*config.max_per_address);
  if (is_live(config)) options.max_connections = kLiveConnectionsPerHost;
  return options;
}

CrawlConfig with_whole_paths(CrawlConfig config) {
  const auto whole = [](std::string& path) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    if (!path.empty() && !failed) path = absolute.lexically_normal().string();
  };
  if (!is_live(config)) {
    for (std::string& file : config.web) whole(file);
  }
  for (std::string& folder : config.previous) whole(folder);
  whole(config.seeds_file);
  whole(config.model);
  return config;
}

CrawlLimits crawl_limits(const CrawlConfig& config) {
  CrawlLimits limits;
  limits.max_pages = static_cast<size_t>(config.max_pages);
  limits.max_relevant = static_cast<size_t>(config.max_relevant);
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

namespace {

std::vector<std::string> unwelcome_names(const CrawlConfig& config, const Profile& profile) {
  if (config.unwelcome_names.empty()) {
    const std::vector<std::string>& names = profile.documents.unwelcome_names;
    return names.empty() ? usual_unwelcome_names() : names;
  }
  if (config.unwelcome_names == std::vector<std::string>{"none"}) return {};
  return config.unwelcome_names;
}

}  // namespace

GuardOptions guard_options(const CrawlConfig& config, const Profile& profile) {
  GuardOptions options;
  options.scope.allow_hosts = config.only_hosts;
  options.scope.allow_domains = config.only_domains;
  options.scope.allow_paths = config.only_paths;
  options.scope.deny = config.deny;
  options.scope.max_url_length = static_cast<size_t>(config.max_url_length);
  options.scope.documents = config.documents;
  if (config.documents) options.scope.unwelcome_names = unwelcome_names(config, profile);
  options.traps = config.traps;
  options.near_duplicates = config.near_duplicates;
  options.soft_404 = config.soft_404 && is_live(config);
  return options;
}

WorkOptions work_options(const CrawlConfig& config, const Profile& profile) {
  WorkOptions options;
  options.sketches = config.near_duplicates;
  options.sitemaps = config.sitemaps;
  options.archive = is_live(config);  // there the threads that parse share the work of packing
  options.documents.wanted = config.documents;
  options.documents.kinds = kind_rules_of(profile);
  options.documents.most_bytes = static_cast<size_t>(config.max_document);
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(config.conversion_time).count();
  ConversionLimits& limits = options.documents.limits;
  limits.jail.cpu_seconds = static_cast<uint32_t>(std::clamp<int64_t>(seconds, 1, 3600));
  // On a busy machine the same document must fare the same, so this is for those that sleep only.
  limits.seconds = 6 * limits.jail.cpu_seconds;
  const bool is_default = config.min_pdf == CrawlConfig().min_pdf;
  options.documents.least_pdf_bytes = is_default && profile.documents.least_pdf_bytes > 0
                                          ? profile.documents.least_pdf_bytes
                                          : static_cast<size_t>(config.min_pdf);
  return options;
}

StoreOptions store_options(const CrawlConfig& config, const Strategy& strategy,
                           const Judge& judge) {
  StoreOptions options;
  options.folder = config.out;
  options.configuration = config_text(config);
  options.user_agent = full_user_agent(config);
  options.strategy = strategy.spec().text();
  options.judge = judge.spec().text();
  return options;
}

std::string topic_text(const CrawlConfig& config) {
  if (config.topic.empty() && config.examples.empty())
    return "the topic of the model " + config.model;
  if (config.examples.empty()) return config.topic;
  const std::string examples = fmt::format("{} example page{}", config.examples.size(),
                                           config.examples.size() == 1 ? "" : "s");
  return config.topic.empty() ? examples : config.topic + " and " + examples;
}

}  // namespace dowser
