#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fetch/web.h"
#include "model/field_weights.h"
#include "model/page.h"
#include "model/response.h"
#include "model/topic.h"
#include "parse/parse_page.h"

// A topic from what a person names: words, and example pages.

namespace dowser {

// The answers that stand for the examples: addresses of the web, or HTML files. `web` may be null
// if no example is an address. robots.txt is not consulted, since a person named the page.
Result<std::vector<Response>> load_examples(const std::vector<std::string>& examples, Web* web);

Topic make_topic(const std::string& words, const std::vector<Response>& examples,
                 const std::vector<Response>& counter_examples = {},
                 const FieldWeights& fields = {});

// A page for `dowser judge`: an address in the archives, or an HTML file.
Result<Page> load_page(const std::string& place, const std::vector<std::string>& archives,
                       const ParseOptions& options = {});

// Topic of words and example pages.
Result<Topic> load_topic(const std::string& words, const std::vector<std::string>& examples,
                         const std::vector<std::string>& archives, const FieldWeights& fields = {});

}  // namespace dowser
