// Documents: formats, our own readers, and what the converters print.

#include <cstdint>
#include <string_view>

#include "document/document_text.h"
#include "document/docx_text.h"
#include "document/header.h"
#include "document/kind.h"
#include "document/tex_text.h"
#include "document/zip_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  DocumentText document;
  switch (data[0] % 6) {
    case 0:
      (void)document_format(bytes, "", "a.tex");
      return 0;
    case 1:
      (void)text_of_docx(bytes);
      return 0;
    case 2:
      (void)text_of_odt(bytes);
      return 0;
    case 3:
      document.text = *text_of_tex(bytes);
      break;
    case 4:
      read_pdf_text(bytes, document);
      break;
    default:
      document.lines = read_pdf_layout(bytes);
      document.text = std::string(bytes);
  }
  (void)kind_of(document, header_of(document));
  return 0;
}
