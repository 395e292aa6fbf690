#pragma once

#include "model/document.h"
#include "model/page.h"
#include "model/response.h"
#include "parse/parse_page.h"

namespace dowser {

// Makes the page of an answer: HTML and text, and, if `lists` are wanted, sitemaps and feeds, whose
// links are the addresses that they list, and the alternates in the head of a page. The links of an
// answer with status 2xx have their fingerprints. The page of a redirect is empty.
//
// The page of a document has its text and title, and no links: `document` is that of the answer, or
// null. (Of a web page that is a paper, the page is that of its HTML.)
//
// The same answer always gives the same page: a crawl that is resumed makes the pages of its
// archive again and must learn from them what it learned before.
Page make_page(const Response& response, const ParseOptions& options, bool lists,
               const Document* document = nullptr);

}  // namespace dowser
