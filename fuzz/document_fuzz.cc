// What the converters of PDF print, and what is found in it. fuzz/format_fuzz.cc, docx_fuzz.cc and
// tex_fuzz.cc have the readers of our own.

#include <cstdint>
#include <string_view>

#include "document/document_text.h"
#include "document/header.h"
#include "document/kind.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  DocumentText document;
  if (data[0] % 2 == 0) {
    read_pdf_text(bytes, document);
  } else {
    document.lines = read_pdf_layout(bytes);
    document.text = std::string(bytes);
  }
  (void)kind_of(document, header_of(document));
  return 0;
}
