#pragma once

#include <string>

#include "base/result.h"
#include "store/catalogue_reader.h"

namespace dowser {

// "Links on most pages" of report.html: the navigation bars and footers of hosts, from the view
// `boilerplate` of the catalogue (docs/formats.md).
Result<std::string> links_on_most_pages(CatalogueReader& catalogue);

}  // namespace dowser
