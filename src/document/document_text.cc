#include "document/document_text.h"

#include <algorithm>

#include "base/compress.h"
#include "document/converter.h"
#include "document/format.h"
#include "text/charset.h"

namespace dowser {
namespace {

constexpr size_t kMostUnpacked = 128 << 20;
constexpr size_t kFewestLetters = 20;  // a document with fewer is a scan or a form

// &amp; &lt; &gt; &quot; &#38; as far as the converters write them.
std::string without_entities(std::string_view text) {
  struct Entity {
    std::string_view name;
    char character;
  };
  constexpr Entity kEntities[] = {{"&amp;", '&'}, {"&lt;", '<'},   {"&gt;", '>'},  {"&quot;", '"'},
                                  {"&#34;", '"'}, {"&#39;", '\''}, {"&#160;", ' '}};
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities), [&](auto& e) {
        return text.substr(i).starts_with(e.name);
      });
      if (entity != std::end(kEntities)) {
        result += entity->character;
        i += entity->name.size() - 1;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  const size_t to = text.find(end, from + begin.size());
  if (to == std::string_view::npos) return {};
  return text.substr(from + begin.size(), to - from - begin.size());
}

// Tags go, words stay. XML from the web need not be well-formed here: nothing hangs on its
// structure.
std::string without_tags(std::string_view xml) {
  std::string text;
  for (size_t i = 0; i < xml.size();) {
    if (xml[i] != '<') {
      const size_t end = std::min(xml.find('<', i), xml.size());
      text += without_entities(xml.substr(i, end - i));
      i = end;
      continue;
    }
    const bool is_comment = xml.substr(i).starts_with("<!--");
    const std::string_view close = is_comment ? "-->" : ">";
    const size_t end = xml.find(close, i);
    if (end == std::string_view::npos) break;
    text += ' ';
    i = end + close.size();
  }
  return text;
}

std::string decoded(std::string_view bytes) {
  return is_valid_utf8(bytes) ? std::string(bytes) : to_utf8(bytes, detect_charset(bytes));
}

// Files are packed once, as in paper.ps.gz; packed twice is a bomb or a mistake.
Status unpack(std::string_view bytes, std::string& unpacked) {
  Result<Decoded> inside = decode_content("gzip", bytes, kMostUnpacked);
  if (!inside) return inside.error();
  if (inside->truncated && inside->bytes.size() >= kMostUnpacked) {
    return Error{"it decompresses to more bytes than the limit for documents"};
  }
  if (inside->bytes.empty()) return Error{"it cannot be decompressed"};
  unpacked = std::move(inside->bytes);
  return {};
}

size_t letters_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
  }));
}

void convert(std::string_view bytes, Converter* converter, const ConversionLimits& limits,
             DocumentText& document) {
  if (!converter) {
    document.failure = ConversionFailure::kNotConfined;
    document.detail = "no converter could be started";
    return;
  }
  RawConversion raw = converter->convert(document.format, bytes, limits);
  document.failure = raw.failure;
  document.detail = std::move(raw.detail);
  document.cpu_seconds = raw.cpu_seconds;
  if (raw.failure != ConversionFailure::kNone) return;
  if (document.format == DocumentFormat::kPdf) {
    read_pdf_text(raw.text, document);
    document.lines = read_pdf_layout(raw.layout);
  } else {
    document.text = decoded(raw.text);
  }
}

}  // namespace

void read_pdf_text(std::string_view html, DocumentText& document) {
  const std::string_view head = html.substr(0, html.find("<pre>"));
  document.metadata.title = without_entities(between(head, "<title>", "</title>"));
  const auto meta = [&](std::string_view name) {
    return without_entities(
        between(head, "<meta name=\"" + std::string(name) + "\" content=\"", "\"/>"));
  };
  document.metadata.author = meta("Author");
  document.metadata.subject = meta("Subject");
  document.metadata.keywords = meta("Keywords");
  document.metadata.created = meta("CreationDate");
  // The text itself is not escaped.
  std::string_view text = html.substr(std::min(html.size(), head.size() + 5));
  const size_t end = text.rfind("</pre>");
  document.text = decoded(text.substr(0, end));
}

DocumentText read_document(std::string_view bytes, std::string_view content_type,
                           std::string_view name, Converter* converter,
                           const ConversionLimits& limits) {
  DocumentText document;
  document.format = document_format(bytes, content_type, name);
  std::string unpacked;
  if (document.format == DocumentFormat::kGzip) {
    document.packed = true;
    if (Status s = unpack(bytes, unpacked); !s) {
      document.failure = ConversionFailure::kDamaged;
      document.detail = s.error().message;
      return document;
    }
    if (name.ends_with(".gz")) name.remove_suffix(3);
    bytes = unpacked;
    document.format = document_format(bytes, "", name);
  }
  switch (document.format) {
    case DocumentFormat::kHtml:
      return document;
    case DocumentFormat::kText:
      document.text = decoded(bytes);
      break;
    case DocumentFormat::kXml:
      document.text = without_tags(decoded(bytes));
      break;
    case DocumentFormat::kGzip:
      document.failure = ConversionFailure::kDamaged;
      break;
    case DocumentFormat::kUnknown:
      document.failure = ConversionFailure::kUnknownFormat;
      break;
    default:
      convert(bytes, converter, limits, document);
  }
  if (document.failure == ConversionFailure::kNone && letters_of(document.text) < kFewestLetters) {
    document.failure = ConversionFailure::kNoText;
  }
  return document;
}

}  // namespace dowser
