#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/document_text.h"

// The semantic header of a document (Desai's CINDI): what a library's card says of it. What cannot
// be found is empty. Each field says where it came from, since a person may trust one source more
// than another.

namespace dowser {

enum class HeaderSource : uint8_t {
  kNone,
  kMetadata,  // of the file
  kLayout,    // sizes of letters on the first pages
  kText,      // words and their order
};
std::string_view name_of(HeaderSource source);

struct HeaderField {
  std::string value;
  HeaderSource source = HeaderSource::kNone;
};

struct DocumentHeader {
  HeaderField title, abstract, keywords, subject;
  std::vector<std::string> authors;
  HeaderSource authors_source = HeaderSource::kNone;
  int year = 0;  // 0: not known
  HeaderSource year_source = HeaderSource::kNone;
  uint32_t references = 0;  // entries of its bibliography
};

struct HeaderOptions {
  bool metadata = true;  // false: what the file says of itself is not looked at
};

DocumentHeader header_of(const DocumentText& document, const HeaderOptions& options = {});

}  // namespace dowser
