#pragma once

#include <string>

#include "base/result.h"
#include "store/catalogue_reader.h"

namespace dowser {

// The section of report.html about documents: how many of which kind and year, the best ones, and
// why others have no text. Empty if the crawl has none.
Result<std::string> documents_section(CatalogueReader& catalogue);

}  // namespace dowser
