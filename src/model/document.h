#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/score.h"

// A document: a PDF, a Word file and the like, or a web page that is a paper. These are the values
// that the stages pass on; src/document/ makes them from bytes.

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
  kGzip,  // compressed: decompress it and detect the format again
};

// "pdf", "postscript", "doc", … as the catalogue names it.
std::string_view name_of(DocumentFormat format);
std::optional<DocumentFormat> document_format_named(std::string_view name);

// Why a document has no text. name_of() gives the name in the catalogue.
enum class ConversionFailure : uint8_t {
  kNone,
  kEncrypted,         // it needs a password
  kDamaged,           // the converter could not read it
  kTime,              // it took too long
  kMemory,            // it needed too much memory
  kOutput,            // its text is larger than any document's
  kNoText,            // it could be read but contains no words: a scan, for example
  kConverterMissing,  // the program that reads this format is not installed
  kUnknownFormat,
  kNotConfined,  // the jail could not be set up
};
inline constexpr int kConversionFailures = static_cast<int>(ConversionFailure::kNotConfined) + 1;

std::string_view name_of(ConversionFailure failure);  // "" for kNone
std::optional<ConversionFailure> conversion_failure_named(std::string_view name);

// Where a field of the header was found. A person may trust one source more than another.
enum class HeaderSource : uint8_t {
  kNone,
  kMetadata,  // of the file; of a web page: <meta name="citation_…">, Dublin Core
  kLayout,    // sizes of letters on the first pages
  kText,      // words and their order
};
std::string_view name_of(HeaderSource source);  // "" for kNone
HeaderSource header_source_named(std::string_view name);

struct HeaderField {
  std::string value;
  HeaderSource source = HeaderSource::kNone;
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

// The semantic header of a document (Desai's CINDI), like a card in a library catalogue. A field
// that was not found is empty.
struct DocumentHeader {
  HeaderField title, abstract, keywords, subject;
  std::vector<std::string> authors;
  HeaderSource authors_source = HeaderSource::kNone;
  int year = 0;  // 0: not known
  HeaderSource year_source = HeaderSource::kNone;
  uint32_t references = 0;  // entries of its bibliography
  friend bool operator==(const DocumentHeader&, const DocumentHeader&) = default;
};

enum class DocumentType : uint8_t { kOther, kThesis, kPaper, kReport, kFaq };
inline constexpr int kDocumentTypes = static_cast<int>(DocumentType::kFaq) + 1;
std::string_view name_of(DocumentType type);  // "other", "thesis", "paper", "report", "faq"
std::optional<DocumentType> document_type_named(std::string_view name);

// The verdict of the document filter (Chen 2008, 2.4).
struct DocumentKind {
  DocumentType type = DocumentType::kOther;
  double confidence = 0;             // from 0 to 1
  std::vector<std::string> reasons;  // for people, the strongest first

  bool is_accepted() const { return type != DocumentType::kOther; }
  friend bool operator==(const DocumentKind&, const DocumentKind&) = default;
};

struct Document {
  DocumentFormat format = DocumentFormat::kUnknown;  // the format inside, if it was compressed
  ConversionFailure failure = ConversionFailure::kNone;
  std::string detail;  // of the failure, for a person
  DocumentKind kind;   // "other" after a failure
  DocumentHeader header;
  std::string digest;  // of its bytes, "sha1:…"
  std::string name;    // a file name for it: safe, short, and different for different contents
  // UTF-8; form feeds separate pages. Empty after a failure, and for a web page, whose text is in
  // its Page.
  std::string text;
  // The first visit that fetched the same bytes from another address.
  std::optional<VisitId> same_bytes_as;
  // The first visit that fetched the same document in another format: paper.ps next to paper.pdf.
  std::optional<VisitId> other_format_of;

  bool is_web_page() const { return format == DocumentFormat::kHtml; }
  friend bool operator==(const Document&, const Document&) = default;
};

}  // namespace dowser
