#pragma once

#include <string>

#include "library/query.h"

// Queries in the language of FTS5.

namespace dowser {

// Whether one FTS5 expression can represent the whole query. It cannot if the query names hosts or
// notes, or if a NOT has nothing to exclude from.
bool is_full_text(const Query& query);

// Requires is_full_text(query). A phrase is written as {title text} : "swan lake" *
std::string full_text_of(const Query& query);

}  // namespace dowser
