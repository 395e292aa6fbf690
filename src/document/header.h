#pragma once

#include "document/document_text.h"
#include "model/document.h"

// The semantic header of a document: title, authors, abstract and so on, each with its source.

namespace dowser {

struct HeaderOptions {
  bool metadata = true;  // false: what the file says about itself is not looked at
};

DocumentHeader header_of(const DocumentText& document, const HeaderOptions& options = {});

}  // namespace dowser
