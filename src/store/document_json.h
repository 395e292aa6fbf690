#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/document.h"

namespace dowser {

// A document as JSON on one line, all but its text: for the metadata records of an archive.
// docs/formats.md describes the names.
std::string document_json(const Document& document);
Result<Document> document_of_json(std::string_view json);

}  // namespace dowser
