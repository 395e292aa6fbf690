#pragma once

#include <string>

#include "base/result.h"
#include "store/database.h"

namespace dowser {

// "Links on most pages" of report.html: the navigation bars and footers of hosts, from the view
// `boilerplate` of the catalogue (docs/formats.md).
Result<std::string> links_on_most_pages(Database& catalogue);

}  // namespace dowser
