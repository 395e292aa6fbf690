// TeX without running TeX, and what is found in its text.

#include <cstdint>
#include <string_view>

#include "document/document_text.h"
#include "document/header.h"
#include "document/kind.h"
#include "document/tex_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  DocumentText document;
  if (auto text = text_of_tex(bytes)) document.text = std::move(*text);
  (void)kind_of(document, header_of(document));
  return 0;
}
