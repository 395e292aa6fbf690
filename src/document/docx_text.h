#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// The text of a word processor's file, a line a paragraph: DOCX (Office Open XML) and ODT
// (OpenDocument). Both are zip archives with an XML file inside. Only that file is read: nothing
// that it refers to, inside or outside, is opened, and a document type or an entity is an error.
// Tables give a paragraph for each of their cells; headers, footers, notes and deleted text are
// left out.
Result<std::string> text_of_docx(std::string_view archive);
Result<std::string> text_of_odt(std::string_view archive);

}  // namespace dowser
