// Files of word processors: archives as they come, and XML in an archive that is made here, since a
// fuzzer seldom finds a whole one.

#include <cstdint>
#include <string>
#include <string_view>

#include "document/docx_text.h"

namespace {

std::string number(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// A zip archive with one file that is not compressed.
std::string archive_of(std::string_view name, std::string_view content) {
  const std::string sizes = number(content.size(), 4) + number(content.size(), 4);
  const std::string head = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) +
                           number(0, 4) + sizes + number(name.size(), 2) + number(0, 2);
  const std::string file = "PK\x03\x04" + head + std::string(name) + std::string(content);
  const std::string entry = "PK\x01\x02" + number(20, 2) + head + number(0, 2) + number(0, 2) +
                            number(0, 2) + number(0, 4) + number(0, 4) + std::string(name);
  return file + entry + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) +
         number(entry.size(), 4) + number(file.size(), 4) + number(0, 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      (void)text_of_docx(bytes);
      break;
    case 1:
      (void)text_of_odt(bytes);
      break;
    case 2:
      (void)text_of_docx(archive_of("word/document.xml", bytes));
      break;
    default:
      (void)text_of_odt(archive_of("content.xml", bytes));
  }
  return 0;
}
