#pragma once

#include <cstdint>
#include <string>

#include "document/jail.h"
#include "model/document.h"

namespace dowser {

struct ConversionLimits {
  JailLimits jail;
  // Of wall-clock time, for each program. Pages come before documents, so a program may wait for
  // the processor much longer than it uses it.
  uint32_t seconds = 120;
  uint64_t output_bytes = 8 << 20;  // of each program
};

// The output of the converters, not yet parsed.
struct RawConversion {
  ConversionFailure failure = ConversionFailure::kNone;
  std::string detail;  // for a person, may be empty: the last line that the program said
  std::string text;    // pdf: HTML with the document's metadata around the text; others: plain text
  std::string layout;  // pdf: the first page with words as XML of pdftohtml; others: empty
  double cpu_seconds = 0;
};

}  // namespace dowser
