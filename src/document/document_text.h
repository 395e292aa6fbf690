#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/conversion.h"

// The text of a document, and what helps to find title and authors in it.

namespace dowser {

class Converter;

// A line of the first pages as it is printed.
struct PrintedLine {
  uint32_t page = 0;  // from 1
  float top = 0;      // distance of the line from the top of its page, from 0 to 1
  float size = 0;     // of most of its letters, in units of the page's height
  bool bold = false;
  std::string text;  // parts that are far apart, as in columns, are separated by a tab
};

// The metadata of the file, which is often wrong: of papers made with LaTeX, a third have a title
// there, and some of these titles are names of fonts or files.
struct DocumentMetadata {
  std::string title, author, subject, keywords, created;
};

struct DocumentText {
  DocumentFormat format = DocumentFormat::kUnknown;  // of what was inside, if it was packed
  ConversionFailure failure = ConversionFailure::kNone;
  bool packed = false;             // with gzip
  std::string detail;              // of the failure, for a person
  std::string text;                // UTF-8; form feeds separate pages
  std::vector<PrintedLine> lines;  // of the first pages of a PDF, top to bottom
  DocumentMetadata metadata;
  double cpu_seconds = 0;  // of the converters
};

// Finds the format, unpacks and converts. `name` is the last part of the address or path. HTML is
// not converted: its text is empty and its format is kHtml. Without a converter, formats that need
// one fail.
DocumentText read_document(std::string_view bytes, std::string_view content_type,
                           std::string_view name, Converter* converter,
                           const ConversionLimits& limits = {});

// Parts of the above, for tests: what pdftotext -htmlmeta and pdftohtml -xml print.
void read_pdf_text(std::string_view html, DocumentText& document);
std::vector<PrintedLine> read_pdf_layout(std::string_view xml);

}  // namespace dowser
