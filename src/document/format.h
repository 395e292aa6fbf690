#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// What kind of file a document is. Servers send papers as application/octet-stream and people give
// plain text the name of a Word file, so the first bytes decide; where they leave it open, the
// content type does, and then the name.

namespace dowser {

enum class DocumentFormat : uint8_t {
  kUnknown,
  kPdf,
  kPostScript,
  kDoc,   // Microsoft Word before 2007
  kDocx,  // since 2007
  kOdt,   // OpenDocument text
  kRtf,
  kTex,  // TeX and LaTeX
  kText,
  kXml,
  kHtml,
  kGzip,  // of another format: unpack, and ask again
};

// "pdf", "postscript", "doc", … as the catalogue names it.
std::string_view name_of(DocumentFormat format);
std::optional<DocumentFormat> document_format_named(std::string_view name);

// `content_type` as the server sent it, or empty. `name` is the last part of the address or path;
// of "paper.tex.gz" the format of what is inside counts once it is unpacked.
DocumentFormat document_format(std::string_view bytes, std::string_view content_type,
                               std::string_view name);

}  // namespace dowser
