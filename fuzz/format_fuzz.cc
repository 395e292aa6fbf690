// What a document is by its first bytes, its type and its name, and the file name that it gets.

#include <cstdint>
#include <string_view>

#include "document/file_name.h"
#include "document/make_document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  constexpr std::string_view kTypes[] = {"",         "text/html",  "application/octet-stream",
                                         "text/xml", "text/plain", "application/pdf"};
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const size_t cut = std::min<size_t>(data[1], bytes.size());
  Response response;
  response.url = *Url::parse("http://a.test/a.tex");
  response.status = 200;
  response.headers.add("Content-Type", std::string(kTypes[data[0] % std::size(kTypes)]));
  if (data[0] & 0x80) response.headers.add("Content-Encoding", "gzip");
  response.body = std::string(bytes.substr(cut));
  (void)is_document(response);
  const std::string name =
      document_name(bytes.substr(0, cut), "sha1:ABCDEFGHIJKL", DocumentFormat::kPdf, data[0] & 1);
  if (name.size() > 64 || name.find_first_of(std::string_view("/\\\0\n", 4)) != name.npos) {
    __builtin_trap();
  }
  return 0;
}
