#pragma once

#include <functional>
#include <vector>

#include "mine/usage_session.h"

namespace dowser {

// Whether a page of the site links to another, as far as is known.
using LinkTest = std::function<bool(uint32_t from, uint32_t to)>;

// The views of a session, with the views inserted that the browser showed from its cache.
// `knows_links`: an empty referrer is explained by `links` if possible.
std::vector<SessionView> complete_path(const std::vector<SessionView>& views, const LinkTest& links,
                                       bool knows_links);

}  // namespace dowser
