#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/analyzer.h"
#include "text/charset.h"
#include "text/language.h"
#include "text/utf8.h"

// Bytes of any kind through character sets, language and words: it ends, and every term is clean
// UTF-8.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  static Analyzer analyzer;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto check = [](std::string_view term) {
    if (term.empty() || !is_valid_utf8(term)) std::abort();
  };
  for (const char* language : {"en", "tr", "fr"}) analyzer.for_each_term(bytes, language, check);
  const std::string text = to_utf8(bytes, detect_charset(bytes));
  if (!is_valid_utf8(text)) std::abort();
  analyzer.for_each_term(text, detect_language(text), check);
  return 0;
}
