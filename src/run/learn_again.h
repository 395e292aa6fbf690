#pragma once

#include <functional>
#include <string>

#include "run/crawl_folder.h"
#include "run/crawl_plugins.h"

namespace dowser {

// Brings the strategy, the judge and the stop advice of a resumed crawl to where they were at the
// mark of folder.recovery(): they load what was saved last and learn again from the visits since,
// which are read from the archive. `fetched`: how many of the visits asked a server. Tells `notice`
// about visits that cannot be read.
Status learn_again(CrawlFolder& folder, CrawlPlugins& plugins, const CrawlConfig& config,
                   size_t fetched, const std::function<void(const std::string&)>& notice);

}  // namespace dowser
