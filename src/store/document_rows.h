#pragma once

#include <string_view>

#include "model/visit.h"
#include "store/row_sum.h"

// The rows of the table `documents`, which docs/formats.md describes.

namespace dowser {

extern const char kDocumentSchema[];
// The columns in the order of a row: as PageRows::document has it.
extern const std::string_view kInsertDocument;

// The row of a visit that has a document.
Row document_row(const Visit& visit);

}  // namespace dowser
