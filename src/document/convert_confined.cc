#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "document/confined_run.h"
#include "document/converter_process.h"
#include "document/docx_text.h"
#include "document/tex_text.h"

// Which program or reader of ours makes text of which format, and what it means when one fails.

namespace dowser {
namespace {

// Only what is here is ever executed, by its whole path.
constexpr char kPdfToText[] = "/usr/bin/pdftotext", kPdfToHtml[] = "/usr/bin/pdftohtml";
constexpr char kGhostscript[] = "/usr/bin/gs", kUnrtf[] = "/usr/bin/unrtf";
constexpr char kAntiword[] = "/usr/bin/antiword", kCatdoc[] = "/usr/bin/catdoc";

bool says(const ConfinedRun& run, std::string_view what) {
  return std::search(run.errors.begin(), run.errors.end(), what.begin(), what.end(),
                     [](char a, char b) { return std::tolower(a) == std::tolower(b); }) !=
         run.errors.end();
}

ConversionFailure failure_of(const ConfinedRun& run, const ConversionLimits& limits) {
  if (run.not_confined) return ConversionFailure::kNotConfined;
  if (run.overflowed) return ConversionFailure::kOutput;
  if (run.timed_out || run.signal == SIGXCPU || run.cpu_seconds >= limits.jail.cpu_seconds) {
    return ConversionFailure::kTime;
  }
  if (run.is_ok()) return ConversionFailure::kNone;
  if (says(run, "password") || says(run, "encrypted")) return ConversionFailure::kEncrypted;
  if (says(run, "out of memory") || says(run, "bad_alloc") || says(run, "VMerror") ||
      run.memory_bytes > limits.jail.memory_bytes / 10 * 8) {
    return ConversionFailure::kMemory;
  }
  return ConversionFailure::kDamaged;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

// One conversion: its document and what all programs for it have in common.
class Conversion {
 public:
  Conversion(int input, int given_up, const JailSupport& support, const ConversionLimits& limits)
      : input_(input), given_up_(given_up), support_(support), limits_(limits) {}

  // The output of the program or reader; "" with the failure set where there is none.
  std::string run(const Confined& what) {
    if (!what.reader && access(what.command.front().c_str(), X_OK) != 0) {
      result_.failure = ConversionFailure::kConverterMissing;
      result_.detail = fmt::format("{} is not installed", what.command.front());
      return "";
    }
    ConfinedRun done = run_confined(what, input_, given_up_, support_, limits_);
    result_.failure = failure_of(done, limits_);
    result_.detail = done.is_ok() ? "" : last_line(done.errors);
    result_.cpu_seconds += done.cpu_seconds;
    return result_.failure == ConversionFailure::kNone ? std::move(done.output) : std::string();
  }

  RawConversion& result() { return result_; }

 private:
  const int input_, given_up_;
  const JailSupport& support_;
  const ConversionLimits& limits_;
  RawConversion result_;
};

// The first of the first two pages on which there are words; they end with form feeds.
int page_with_words(std::string_view html) {
  const std::string_view text = html.substr(std::min(html.find("<pre>"), html.size()));
  const std::string_view first = text.substr(std::min<size_t>(5, text.size()));
  const size_t end = std::min(first.find('\f'), first.size());
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) || c >= 0x80; };
  return std::count_if(first.begin(), first.begin() + static_cast<ptrdiff_t>(end), is_letter) >= 4
             ? 1
             : 2;
}

void convert_pdf(Conversion& conversion) {
  RawConversion& result = conversion.result();
  // Not "-q": what it says tells an encrypted file from a damaged one.
  result.text = conversion.run({{kPdfToText, "-htmlmeta", "-enc", "UTF-8", "-", "-"}, {}});
  if (result.failure != ConversionFailure::kNone) return;
  // Without the layout the document is still worth having.
  RawConversion text = result;
  const std::string page = std::to_string(page_with_words(result.text));
  result.layout = conversion.run({{kPdfToHtml, "-q", "-xml", "-i", "-stdout", "-enc", "UTF-8", "-f",
                                   page, "-l", page, "-", "unused"},
                                  {}});
  result.failure = text.failure;
  result.detail = text.detail;
}

void convert_doc(Conversion& conversion) {
  RawConversion& result = conversion.result();
  // Many Word files can be read by one of the two alone.
  result.text = conversion.run({{kAntiword, "-m", "UTF-8.txt", "-w", "0", "/dev/stdin"}, {}});
  if (result.failure == ConversionFailure::kNone && !result.text.empty()) return;
  const RawConversion first = result;
  result.text = conversion.run({{kCatdoc, "-d", "utf-8", "-w"}, {}});
  if (result.failure == ConversionFailure::kConverterMissing &&
      first.failure != ConversionFailure::kConverterMissing) {
    result.failure = first.failure;
    result.detail = first.detail;
  }
}

// unrtf prints what it knows about the file first ("### Translation from RTF performed by UnRTF"),
// and then a line of dashes.
std::string without_unrtf_head(std::string text) {
  constexpr std::string_view kEnd = "\n-----------------\n";
  const size_t end = text.starts_with("###") ? text.find(kEnd) : std::string::npos;
  return end == std::string::npos ? text : text.substr(end + kEnd.size());
}

}  // namespace

std::span<const ConverterProgram> converter_programs() {
  static constexpr ConverterProgram kPrograms[] = {{"pdftotext", kPdfToText, "pdf"},
                                                   {"gs", kGhostscript, "postscript"},
                                                   {"antiword", kAntiword, "doc"},
                                                   {"catdoc", kCatdoc, "doc"},
                                                   {"unrtf", kUnrtf, "rtf"}};
  return kPrograms;
}

RawConversion convert_confined(DocumentFormat format, int input, int given_up,
                               const JailSupport& support, const ConversionLimits& limits) {
  Conversion conversion(input, given_up, support, limits);
  RawConversion& result = conversion.result();
  switch (format) {
    case DocumentFormat::kPdf:
      convert_pdf(conversion);
      break;
    case DocumentFormat::kDoc:
      convert_doc(conversion);
      break;
    case DocumentFormat::kPostScript:
      result.text = conversion.run({{kGhostscript, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE",
                                     "-dNOCACHE", "-sDEVICE=txtwrite", "-sOutputFile=-", "-"},
                                    {}});
      break;
    case DocumentFormat::kRtf:
      result.text = without_unrtf_head(conversion.run({{kUnrtf, "--text"}, {}}));
      break;
    case DocumentFormat::kDocx:
      result.text = conversion.run({{}, text_of_docx});
      break;
    case DocumentFormat::kOdt:
      result.text = conversion.run({{}, text_of_odt});
      break;
    case DocumentFormat::kTex:
      result.text = conversion.run({{}, text_of_tex});
      break;
    default:
      result.failure = ConversionFailure::kUnknownFormat;
      break;
  }
  return std::move(result);
}

}  // namespace dowser
