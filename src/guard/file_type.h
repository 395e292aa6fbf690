#pragma once

#include <cstdint>

#include "model/url.h"

namespace dowser {

// What an address leads to, judging by its extension before anything is fetched.
enum class FileType : uint8_t {
  kPage,      // HTML, text, or nothing known: what a crawler asks for
  kDocument,  // PDF, PostScript, Word and the like, also compressed: paper.ps.gz
  kOffice,    // slides, tables, books: documents that no converter of ours reads
  kMedia,     // pictures, sound, films, fonts, style sheets
  kArchive,   // packed files, disk images
  kProgram,   // what is run or installed
};

// By the last segment of the path. An address with a query may be a program's answer
// (/cgi-bin/find.exe?x), so kProgram is returned only without one; "File:Rose.jpg" is the page of a
// wiki about a picture.
FileType file_type(const Url& url);

// Whether the address names a document that make_document() reads, by its extension; also .txt and
// .xml, which may as well be pages for file_type().
bool names_document(const Url& url);

}  // namespace dowser
