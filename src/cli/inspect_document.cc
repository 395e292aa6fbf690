#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "document/converter.h"
#include "document/document_text.h"
#include "document/file_name.h"
#include "document/make_document.h"
#include "parse/parse_page.h"
#include "text/printable.h"

// dowser inspect document: format, kind, header and text of one file.

namespace dowser {
namespace {

constexpr char kName[] = "inspect document";

nlohmann::json json_of(const Document& document, size_t characters) {
  const auto field = [](const HeaderField& f) {
    return nlohmann::json{{"value", f.value}, {"source", name_of(f.source)}};
  };
  const DocumentHeader& header = document.header;
  return {{"format", name_of(document.format)},
          {"failure", name_of(document.failure)},
          {"detail", document.detail},
          {"name", document.name},
          {"kind", name_of(document.kind.type)},
          {"confidence", document.kind.confidence},
          {"accepted", document.kind.is_accepted()},
          {"reasons", document.kind.reasons},
          {"title", field(header.title)},
          {"authors", header.authors},
          {"authors_source", name_of(header.authors_source)},
          {"abstract", field(header.abstract)},
          {"keywords", field(header.keywords)},
          {"subject", field(header.subject)},
          {"year", header.year},
          {"references", header.references},
          {"characters", characters}};
}

void print_field(std::string_view name, std::string_view value, HeaderSource source) {
  if (value.empty()) return;
  fmt::print("{:<12}{} ({})\n", name, printable(value), name_of(source));
}

void print(const Document& document, size_t characters) {
  const DocumentHeader& header = document.header;
  const DocumentKind& kind = document.kind;
  fmt::print("{:<12}{}\n", "format", name_of(document.format));
  if (document.failure != ConversionFailure::kNone) {
    fmt::print("{:<12}{}{}{}\n", "failure", name_of(document.failure),
               document.detail.empty() ? "" : ": ", printable(document.detail));
    return;
  }
  fmt::print("{:<12}{} (confidence {:.2f}){}\n", "kind", name_of(kind.type), kind.confidence,
             kind.is_accepted() ? "" : ", not accepted");
  for (const std::string& reason : kind.reasons) fmt::print("{:<12}{}\n", "", reason);
  print_field("title", header.title.value, header.title.source);
  print_field("authors", fmt::format("{}", fmt::join(header.authors, "; ")), header.authors_source);
  if (header.year != 0) print_field("year", std::to_string(header.year), header.year_source);
  print_field("keywords", header.keywords.value, header.keywords.source);
  print_field("subject", header.subject.value, header.subject.source);
  print_field("abstract", header.abstract.value, header.abstract.source);
  if (header.references > 0) fmt::print("{:<12}{}\n", "references", header.references);
  fmt::print("{:<12}{} characters\n", "text", characters);
}

// A file, and the text that was found in it.
struct Inspected {
  Document document;
  std::string text;
};

Inspected inspected(const std::string& bytes, const std::string& name, Converter* converter,
                    bool metadata) {
  DocumentText text = read_document(bytes, "", name, converter);
  if (text.format != DocumentFormat::kHtml || text.packed) {
    Document document = document_of(text, name, bytes, {metadata});
    return {std::move(document), std::move(text.text)};
  }
  Response response;
  response.url = *Url::parse("http://file.invalid/");
  response.status = 200;
  response.headers.add("Content-Type", "text/html");
  response.body = bytes;
  Page page = parse_page(response);
  Document document = page_as_document(page, bytes);
  document.name = document_name(name, document.digest, document.format, false);
  return {std::move(document), std::move(page.text)};
}

}  // namespace

int inspect_document_command(CommandLine line) {
  Arguments arguments(
      kName, "Shows the format and kind of a document, and its title, authors and abstract.",
      "dowser inspect document paper.pdf");
  std::vector<std::string> files;
  bool json = false, text = false, no_metadata = false;
  arguments.words("FILE", "PDF, PostScript, Word, OpenDocument, RTF, TeX, XML, HTML or text",
                  &files);
  arguments.flag("json", "print one JSON object for each file", &json);
  arguments.flag("text", "print the text of the document instead", &text);
  arguments.flag("no-metadata", "ignore the title and authors in the metadata of the file",
                 &no_metadata);
  arguments.note(
      "After each field it prints where it was found: in the metadata of the file, by the layout "
      "of the\nfirst pages, or in the text. Converters run without access to files and the "
      "network.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  Result<std::unique_ptr<Converter>> converter = Converter::start("/proc/self/exe");
  if (!converter) return fail(kName, converter.error());
  int code = kDone;
  for (const std::string& file : files) {
    const Result<std::string> bytes = read_file(file, kLargestDocument);
    if (!bytes) {
      code = fail(kName, bytes.error());
      continue;
    }
    const std::string name = std::filesystem::path(file).filename().string();
    const Inspected found = inspected(*bytes, name, converter->get(), !no_metadata);
    if (text) {
      fmt::print("{}", found.text);
      continue;
    }
    if (json) {
      nlohmann::json object = json_of(found.document, found.text.size());
      object["file"] = file;
      print_json(object);
    } else {
      if (files.size() > 1) fmt::print("== {}\n", file);
      print(found.document, found.text.size());
    }
  }
  return code;
}

}  // namespace dowser
