#pragma once

#include <cstdint>

#include "model/url.h"

namespace dowser {

// What an address leads to, as far as its extension tells before anything is fetched.
enum class FileType : uint8_t {
  kPage,      // HTML, text, or nothing known: what a crawler asks for
  kDocument,  // PDF, PostScript, Word and the like, also compressed: paper.ps.gz
  kMedia,     // pictures, sound, films, fonts, style sheets
  kArchive,   // packed files, disk images
  kProgram,   // what is run or installed
};

// By the last segment of the path. An address with a query may be a program's answer
// (/cgi-bin/find.exe?x), so kProgram is said only without one; "File:Rose.jpg" is the page of a
// wiki about a picture.
FileType file_type(const Url& url);

}  // namespace dowser
