#include "document/make_document.h"

#include <algorithm>
#include <array>

#include "base/compress.h"
#include "base/hash.h"
#include "document/document_text.h"
#include "document/file_name.h"
#include "document/format.h"
#include "document/header.h"
#include "document/header_lines.h"
#include "document/kind.h"
#include "text/charset.h"

namespace dowser {
namespace {

constexpr size_t kMostUnpacked = 128 << 20;  // of a body that came compressed
constexpr size_t kHead = 16 << 10;           // what the format is told by, mostly

std::string_view name_in(const Url& url) {
  const std::string_view path = url.path();
  return path.substr(path.rfind('/') + 1);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// The body as the server has it, without the encoding of the transfer. Archives sometimes keep the
// header of a body that they unpacked: then it is read as it is.
std::string_view body_of(const Response& response, std::string& buffer, size_t most) {
  const auto encoding = response.headers.get("Content-Encoding");
  if (!encoding || *encoding == "identity") return response.body;
  Result<Decoded> decoded = decode_content(*encoding, response.body, most);
  if (!decoded) return response.body;
  buffer = std::move(decoded->bytes);
  return buffer;
}

// What a server calls the types that documents have.
bool claims_document(std::string_view type, std::string_view name) {
  constexpr std::string_view kTypes[] = {"application/pdf",
                                         "application/x-pdf",
                                         "application/postscript",
                                         "application/msword",
                                         "application/rtf",
                                         "text/rtf",
                                         "application/x-tex",
                                         "application/x-latex",
                                         "application/octet-stream",
                                         "text/x-tex",
                                         "application/vnd.oasis.opendocument.text",
                                         "application/gzip",
                                         "application/x-gzip"};
  constexpr std::string_view kEndings[] = {".pdf", ".ps",  ".doc", ".docx",  ".odt",
                                           ".rtf", ".tex", ".txt", ".latex", ".eps"};
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes) ||
         type.starts_with("application/vnd.openxmlformats-officedocument.wordprocessing") ||
         std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

// XML that is something else than a document: it has a reader of its own, or none.
bool is_other_xml(std::string_view bytes) {
  constexpr std::string_view kRoots[] = {"<rss",     "<feed", "<urlset", "<sitemapindex",
                                         "<rdf:RDF", "<svg",  "<opml",   "<Error"};
  const std::string_view head = bytes.substr(0, 4096);
  return std::any_of(std::begin(kRoots), std::end(kRoots),
                     [&](std::string_view root) { return contains(head, root); });
}

bool is_plain_type(std::string_view type, std::string_view name) {
  return type.empty() || type == "text/plain" || claims_document(type, name);
}

}  // namespace

Document document_of(const DocumentText& text, std::string_view name, std::string_view bytes,
                     const HeaderOptions& options, const KindRules& rules) {
  Document document;
  document.format = text.format;
  document.failure = text.failure;
  document.detail = text.detail;
  // Converters print what they like.
  if (!is_valid_utf8(text.detail)) document.detail = to_utf8(text.detail, "utf-8");
  document.digest = sha1_digest(bytes);
  document.name = document_name(name, document.digest, text.format, text.packed);
  if (document.failure != ConversionFailure::kNone) return document;
  document.header = header_of(text, options);
  document.kind = kind_of(text, document.header, rules);
  return document;
}

bool is_document(const Response& response) {
  if (!response.ok() || response.body.empty()) return false;
  std::string buffer;
  const std::string_view bytes = body_of(response, buffer, kHead);
  const std::string type = response.content_type();
  const std::string_view name = name_in(response.url);
  switch (document_format(bytes, type, name)) {
    case DocumentFormat::kHtml:
      return false;
    case DocumentFormat::kText:
      return is_plain_type(type, name);
    case DocumentFormat::kXml:
      return (contains(type, "xml") || is_plain_type(type, name)) && !is_other_xml(bytes);
    case DocumentFormat::kGzip:  // sitemaps are packed too
      return !contains(name, ".xml.");
    case DocumentFormat::kUnknown:
      return claims_document(type, name);
    default:
      return true;
  }
}

Document make_document(const Response& response, Converter* converter,
                       const ConversionLimits& limits, const KindRules& rules) {
  std::string buffer;
  return make_document(body_of(response, buffer, kMostUnpacked), response.content_type(),
                       name_in(response.url), converter, limits, rules);
}

Document make_document(std::string_view bytes, std::string_view content_type, std::string_view name,
                       Converter* converter, const ConversionLimits& limits,
                       const KindRules& rules) {
  DocumentText text = read_document(bytes, content_type, name, converter, limits);
  // Packed HTML: no page, since it cannot be shown as one, and no format that is converted.
  if (text.format == DocumentFormat::kHtml) text.failure = ConversionFailure::kUnknownFormat;
  Document document = document_of(text, name, bytes, {}, rules);
  if (document.failure == ConversionFailure::kNone) document.text = std::move(text.text);
  return document;
}

}  // namespace dowser
