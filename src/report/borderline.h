#pragma once

#include <string>

#include "base/result.h"
#include "store/catalogue_reader.h"

namespace dowser {

// "Borderline pages" of report.html: those on both sides of the threshold, and a slider that shows
// what another threshold would give. Without a script there are the pages and a table of
// thresholds.
Result<std::string> borderline_pages(CatalogueReader& catalogue, double threshold);

// What the section needs in the style and at the end of the file.
extern const char kBorderlineStyle[];
extern const char kBorderlineScript[];

}  // namespace dowser
