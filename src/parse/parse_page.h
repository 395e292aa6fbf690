#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "model/field_weights.h"
#include "model/page.h"
#include "model/response.h"
#include "model/url.h"

// Converts the bytes of an answer to text and links. The rest of the crawler uses this folder only
// through this header.

namespace dowser {

struct ParseOptions {
  size_t max_body = 8 << 20;  // bytes of a body after decompression; the rest is not read
  size_t max_text = 2 << 20;  // bytes of Page::text
  size_t max_links = 10'000;  // of a page
  // Everything that is taken from a page has a limit, since all of it is kept: bytes, but for the
  // number of alternates. Longer texts are cut; longer addresses are left out and counted.
  size_t max_title = 1000;
  size_t max_description = 1000;  // each of description and keywords
  size_t max_address = 2048;      // of links, base, canonical and alternates
  size_t max_alternates = 1000;
  size_t max_citations = 100;  // see Page::citations
  bool detect_language = true;
  bool count_terms = true;
  FieldWeights fields;  // of the terms that judges see
  // Called before they are counted; it may change the roles of blocks.
  std::function<void(Page&)> mark_blocks;
};

// Reads the answer of a server, whatever its status. HTML and XHTML give everything, plain text
// gives text without links, and other types give an empty page that still names its content_type.
// An answer without a type is HTML if it looks like it. It never fails: what cannot be read is left
// out.
//
// The character set is that of the byte order mark, the Content-Type header, a <meta> in the first
// 1024 bytes, or detection, in this order, and otherwise windows-1252.
Page parse_page(const Response& response, const ParseOptions& options = {});

// The same for the text of a page: valid UTF-8, without a byte order mark.
Page parse_html(std::string_view utf8, const Url& url, const ParseOptions& options = {});

// The page of a document: its text, as a converter printed it, and its title. Lines of a paragraph
// are joined, words that were divided at the end of a line too; blank lines and form feeds separate
// paragraphs, each of which is a block. There are no links.
Page parse_document(std::string_view utf8, std::string_view title, const Url& url,
                    const ParseOptions& options = {});

}  // namespace dowser
