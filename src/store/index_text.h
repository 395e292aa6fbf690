#pragma once

#include <string>
#include <string_view>

#include "model/library_item.h"
#include "model/page.h"

namespace dowser {

// An item of a library with its words as the index takes them: in lower case, separated by blanks,
// with a mark between two blocks. Making one is pure, so items can be prepared on several threads
// while one thread writes.
struct IndexText {
  LibraryItem item;
  std::string title, author, abstract, keywords;
  // `other` holds headers, footers, comments and what is known to be the template of the host;
  // `text` holds all else, lists of links included.
  std::string text, other;
  std::string url;
};

// Of an HTML or plain text page. The item has address, host, title and length.
IndexText index_text(const Page& page);

// Of a document: `item` has its header, `text` is UTF-8. An empty line or a form feed ends a block;
// a line end does not, since lines of a document are broken anywhere.
IndexText index_text(LibraryItem item, std::string_view text);

// What a search shows of a text, one block per line: for a page the blocks of IndexText::text, for
// a document its paragraphs.
std::string shown_text(const Page& page);
std::string shown_text(std::string_view document);

}  // namespace dowser
