#pragma once

#include <string>
#include <string_view>

#include "model/document.h"

namespace dowser {

// A file name for a document, made of the one that it had: "An%20Intro.PDF" with the digest
// "sha1:2ABC…" gives "An_Intro-2abcdefghijk.pdf". It is safe on any system (letters, digits, '.',
// '-' and '_' alone, no path, no hidden file, no device), at most 64 bytes long, always the same
// for the same document, and different for different contents, whatever the server calls them.
//
// `original` is the last segment of the address or path, still percent-encoded.
std::string document_name(std::string_view original, std::string_view digest, DocumentFormat format,
                          bool packed);

}  // namespace dowser
