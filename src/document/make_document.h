#pragma once

#include <optional>
#include <string_view>

#include "document/conversion.h"
#include "document/header.h"
#include "document/kind.h"
#include "model/document.h"
#include "model/page.h"
#include "model/response.h"

// From the answer of a server to a document.

namespace dowser {

class Converter;

// Whether the answer is a document, to be read by make_document() and not as a page: PDF,
// PostScript, Word and so on by its first bytes; plain text, TeX and XML, but no feeds, sitemaps
// and pictures; and answers that claim to be a document but are not, which become a failure with a
// name.
bool is_document(const Response& response);

// Unpacks, converts, finds the header and decides on the kind. `converter` may be null, if none
// could be started: what needs one fails then as not confined.
Document make_document(const Response& response, Converter* converter,
                       const ConversionLimits& limits = {},
                       const KindRules& rules = usual_kind_rules());
// The same for a file.
Document make_document(std::string_view bytes, std::string_view content_type, std::string_view name,
                       Converter* converter, const ConversionLimits& limits = {},
                       const KindRules& rules = usual_kind_rules());

// From the text of a file on: header, kind and name. The text itself is left out.
Document document_of(const DocumentText& text, std::string_view name, std::string_view bytes,
                     const HeaderOptions& options = {},
                     const KindRules& rules = usual_kind_rules());

// A web page that is a paper, a thesis, a report or a list of questions is a document too (Chen
// 2008, 3.2.4); nothing for all other pages. `bytes` are those of the answer, for the file name.
std::optional<Document> document_of_page(const Page& page, std::string_view bytes,
                                         const KindRules& rules = usual_kind_rules());
// What it would be as a document, of whatever kind.
Document page_as_document(const Page& page, std::string_view bytes,
                          const KindRules& rules = usual_kind_rules());

}  // namespace dowser
