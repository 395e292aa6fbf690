#pragma once

#include <string>

#include "engine/crawl.h"
#include "engine/guards.h"
#include "frontier/frontier.h"
#include "model/profile.h"
#include "run/config.h"
#include "store/store.h"

// The settings of a crawl, translated for the parts that obey them.

namespace dowser {

// Sets what the user did not: delay, connections and the limit for each IP address depend on
// whether the web is live, the judge on the model and the strategy.
CrawlConfig with_defaults(CrawlConfig config);
// Files are named by whole paths, so that the crawl can be resumed from another working folder.
CrawlConfig with_whole_paths(CrawlConfig config);

// These take a configuration with_defaults().
FrontierOptions frontier_options(const CrawlConfig& config);
CrawlLimits crawl_limits(const CrawlConfig& config);
// Settings of the user win over those of the profile.
GuardOptions guard_options(const CrawlConfig& config, const Profile& profile);
WorkOptions work_options(const CrawlConfig& config, const Profile& profile);
StoreOptions store_options(const CrawlConfig& config, const Strategy& strategy, const Judge& judge);

// What the crawl looks for, as a title of its report.
std::string topic_text(const CrawlConfig& config);

}  // namespace dowser
