#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/header.h"

// What kind of document it is, for a library that collects papers and leaves lecture slides and
// brochures out (the document filter of CINDI: Chen 2008, 2.4).

namespace dowser {

enum class DocumentType : uint8_t { kOther, kThesis, kPaper, kReport, kFaq };
std::string_view name_of(DocumentType type);  // "other", "thesis", "paper", "report", "faq"

struct DocumentKind {
  DocumentType type = DocumentType::kOther;
  double confidence = 0;             // from 0 to 1
  std::vector<std::string> reasons;  // for people, the weightiest first

  bool is_accepted() const { return type != DocumentType::kOther; }
};

DocumentKind kind_of(const DocumentText& document, const DocumentHeader& header);

}  // namespace dowser
