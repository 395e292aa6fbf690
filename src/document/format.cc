#include "document/format.h"

#include <algorithm>
#include <optional>
#include <string>

namespace dowser {
namespace {

constexpr size_t kHead = 4096;     // bytes that are looked at for text or binary
constexpr size_t kPdfMark = 1024;  // a PDF may begin with junk of that length (Acrobat's own limit)

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The names of streams in an OLE container are UTF-16. Only Word has this one; spreadsheets and
// presentations are in such containers too.
bool holds_word_document(std::string_view bytes) {
  using namespace std::string_view_literals;
  return contains(bytes, "W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0"sv);
}

// The names of a zip archive's files stand in its directory as they are. The type of an
// OpenDocument file should be its first entry, but whoever packed it again may have put it
// anywhere.
DocumentFormat format_of_zip(std::string_view bytes) {
  if (contains(bytes, "application/vnd.oasis.opendocument.text")) {
    return DocumentFormat::kOdt;
  }
  return contains(bytes, "word/document.xml") ? DocumentFormat::kDocx : DocumentFormat::kUnknown;
}

std::optional<DocumentFormat> format_by_mark(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1f\x8b"sv)) return DocumentFormat::kGzip;
  if (contains(bytes.substr(0, kPdfMark), "%PDF-")) return DocumentFormat::kPdf;
  if (bytes.starts_with("%!PS"sv) || bytes.starts_with("\x04%!"sv) ||
      bytes.starts_with("\x1b%-12345X"sv)) {
    return DocumentFormat::kPostScript;
  }
  if (bytes.starts_with("PK\x03\x04"sv)) return format_of_zip(bytes);
  if (bytes.starts_with("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv)) {
    return holds_word_document(bytes) ? DocumentFormat::kDoc : DocumentFormat::kUnknown;
  }
  if (bytes.starts_with("\xdb\xa5\x2d\0"sv) || bytes.starts_with("\x31\xbe\0\0"sv)) {
    return DocumentFormat::kDoc;  // Word 2 and Word for DOS
  }
  if (bytes.starts_with("{\\rtf"sv)) return DocumentFormat::kRtf;
  return std::nullopt;
}

// No NUL, unless as UTF-16 with its mark, and hardly any control characters.
bool is_text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kHead);
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) return true;
  if (contains(head, std::string_view("\0", 1))) return false;
  const auto is_control = [](char c) {
    const unsigned char u = static_cast<unsigned char>(c);
    return u < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b' && c != '\b';
  };
  return static_cast<size_t>(std::count_if(head.begin(), head.end(), is_control)) * 50 <=
         head.size();
}

std::string_view without_space_and_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t begin = text.find_first_not_of(" \t\r\n\f");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool is_tex(std::string_view head) {
  return contains(head, "\\documentclass") || contains(head, "\\documentstyle") ||
         contains(head, "\\begin{document}") || contains(head, "\\section{");
}

DocumentFormat format_of_text(std::string_view bytes, std::string_view type,
                              std::string_view name) {
  const std::string head = lower(without_space_and_mark(bytes.substr(0, kHead)));
  if (head.starts_with("<!doctype html") || head.starts_with("<html")) return DocumentFormat::kHtml;
  if (head.starts_with("<?xml")) {
    return contains(head, "<html") ? DocumentFormat::kHtml : DocumentFormat::kXml;
  }
  // A web page about TeX shows commands too.
  const bool is_page = contains(type, "html") && !name.ends_with(".tex");
  if (!is_page && is_tex(bytes.substr(0, kHead * 4))) return DocumentFormat::kTex;
  if (contains(type, "html")) return DocumentFormat::kHtml;
  if (contains(type, "xml")) return DocumentFormat::kXml;
  if (contains(type, "tex") && !type.starts_with("text")) return DocumentFormat::kTex;
  for (const std::string_view ending : {".tex", ".latex", ".ltx"}) {
    if (name.ends_with(ending) && contains(head, "\\")) return DocumentFormat::kTex;
  }
  if (name.ends_with(".html") || name.ends_with(".htm")) return DocumentFormat::kHtml;
  if (name.ends_with(".xml")) return DocumentFormat::kXml;
  return DocumentFormat::kText;
}

}  // namespace

DocumentFormat document_format(std::string_view bytes, std::string_view content_type,
                               std::string_view name) {
  if (const std::optional<DocumentFormat> marked = format_by_mark(bytes)) return *marked;
  if (without_space_and_mark(bytes).empty() || !is_text(bytes)) return DocumentFormat::kUnknown;
  return format_of_text(bytes, lower(content_type), lower(name));
}

}  // namespace dowser
