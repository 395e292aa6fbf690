#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/inspect.h"
#include "document/converter.h"
#include "document/header.h"
#include "document/kind.h"

// dowser inspect document: format, kind, header and text of one file.

namespace dowser {
namespace {

constexpr char kName[] = "inspect document";

nlohmann::json json_of(const DocumentText& document, const DocumentHeader& header,
                       const DocumentKind& kind) {
  const auto field = [](const HeaderField& f) {
    return nlohmann::json{{"value", f.value}, {"source", name_of(f.source)}};
  };
  return {{"format", name_of(document.format)},
          {"failure", name_of(document.failure)},
          {"detail", document.detail},
          {"kind", name_of(kind.type)},
          {"confidence", kind.confidence},
          {"accepted", kind.is_accepted()},
          {"reasons", kind.reasons},
          {"title", field(header.title)},
          {"authors", header.authors},
          {"authors_source", name_of(header.authors_source)},
          {"abstract", field(header.abstract)},
          {"keywords", field(header.keywords)},
          {"subject", field(header.subject)},
          {"year", header.year},
          {"references", header.references},
          {"characters", document.text.size()},
          {"cpu_seconds", document.cpu_seconds}};
}

void print_field(std::string_view name, std::string_view value, HeaderSource source) {
  if (value.empty()) return;
  fmt::print("{:<12}{} ({})\n", name, value, name_of(source));
}

void print(const DocumentText& document, const DocumentHeader& header, const DocumentKind& kind) {
  fmt::print("{:<12}{}\n", "format", name_of(document.format));
  if (document.failure != ConversionFailure::kNone) {
    fmt::print("{:<12}{}{}{}\n", "failure", name_of(document.failure),
               document.detail.empty() ? "" : ": ", document.detail);
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
  fmt::print("{:<12}{} characters\n", "text", document.text.size());
}

}  // namespace

int inspect_document_command(CommandLine line) {
  Arguments arguments(kName, "Tells what a document is and what its header says.",
                      "dowser inspect document paper.pdf");
  std::vector<std::string> files;
  bool json = false, text = false, no_metadata = false;
  arguments.words("FILE", "PDF, PostScript, Word, OpenDocument, RTF, TeX, XML or text", &files);
  arguments.flag("json", "print one JSON object for each file", &json);
  arguments.flag("text", "print the text of the document instead", &text);
  arguments.flag("no-metadata", "ignore the title and authors that the file itself names",
                 &no_metadata);
  arguments.note(
      "Behind each field stands where it was found: in the metadata of the file, by the layout of "
      "the\n"
      "first pages, or in the text. Converters run without access to files and network.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  Result<std::unique_ptr<Converter>> converter = Converter::start("/proc/self/exe");
  if (!converter) return fail(kName, converter.error());
  int code = kDone;
  for (const std::string& file : files) {
    const Result<std::string> bytes = read_file(file);
    if (!bytes) {
      code = fail(kName, bytes.error());
      continue;
    }
    const std::string name = std::filesystem::path(file).filename().string();
    const DocumentText document = read_document(*bytes, "", name, **converter);
    if (text) {
      fmt::print("{}", document.text);
      continue;
    }
    const DocumentHeader header = header_of(document, {!no_metadata});
    const DocumentKind kind = kind_of(document, header);
    if (json) {
      nlohmann::json object = json_of(document, header, kind);
      object["file"] = file;
      fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
      if (files.size() > 1) fmt::print("== {}\n", file);
      print(document, header, kind);
    }
  }
  return code;
}

}  // namespace dowser
