#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "guard/host_templates.h"
#include "model/field_weights.h"
#include "model/page.h"

// The terms of a page that was fetched, as bytes that the state keeps for the final judgement. To
// parse the pages of a crawl again would take as long as the crawl itself.

namespace dowser {

// Of a page as the judge saw it, whose terms were counted by the weights of these fields.
std::string kept_terms(const Page& page, const FieldWeights& fields);

// The packed terms (base/packed_terms.h) in what kept_terms() made. Nothing if a page parsed now
// would have others: because its terms were counted by other weights, or because more is known of
// the templates of its host than when it was fetched.
std::optional<std::string_view> terms_in(std::string_view kept, const FieldWeights& fields,
                                         const HostTemplates& templates);

}  // namespace dowser
