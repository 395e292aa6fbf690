#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/format.h"
#include "document/jail.h"

namespace dowser {

// Why a document has no text. What each is called in the catalogue is name_of().
enum class ConversionFailure : uint8_t {
  kNone,
  kEncrypted,         // it asks for a password
  kDamaged,           // the converter could not read it
  kTime,              // it took too long
  kMemory,            // it needed too much memory
  kOutput,            // its text is larger than any document's
  kNoText,            // it was read and holds no words: a scan, for example
  kConverterMissing,  // the program that reads this format is not installed
  kUnknownFormat,
  kNotConfined,  // the jail could not be entered
};

std::string_view name_of(ConversionFailure failure);
std::optional<ConversionFailure> conversion_failure_named(std::string_view name);

struct ConversionLimits {
  JailLimits jail;
  uint32_t seconds = 30;            // of a clock on the wall, for each program
  uint64_t output_bytes = 8 << 20;  // of each program
  uint32_t layout_pages = 2;        // pages whose layout is told; 0: none
};

// What the programs printed, as it came: nobody has looked at it yet.
struct RawConversion {
  ConversionFailure failure = ConversionFailure::kNone;
  std::string detail;  // for a person, may be empty: the last line that the program said
  std::string text;    // pdf: HTML with the document's metadata around the text; others: plain text
  std::string layout;  // pdf: the first pages as XML of pdftohtml; others: empty
  double cpu_seconds = 0;
};

}  // namespace dowser
