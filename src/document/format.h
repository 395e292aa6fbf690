#pragma once

#include <string_view>

#include "model/document.h"

// What kind of file a document is. Servers send papers as application/octet-stream and people give
// plain text the name of a Word file, so the first bytes decide; where they leave it open, the
// content type does, and then the name.

namespace dowser {

// `content_type` as the server sent it, or empty. `name` is the last part of the address or path;
// of "paper.tex.gz" the format of what is inside counts once it is unpacked.
DocumentFormat document_format(std::string_view bytes, std::string_view content_type,
                               std::string_view name);

}  // namespace dowser
