#pragma once

#include "model/page.h"
#include "model/response.h"
#include "parse/parse_page.h"

namespace dowser {

// From an answer to its page, whatever its kind: HTML, text, and where `lists` are wanted also
// sitemaps and feeds, whose links are what they list, and the alternates in the head of a page.
// The links of a page that is there (2xx) have their fingerprints. A redirect has an empty page.
//
// The same answer always gives the same page: a crawl that is resumed makes the pages of its
// archive again and must learn from them what it learned before.
Page make_page(const Response& response, const ParseOptions& options, bool lists);

}  // namespace dowser
