#pragma once

#include <string>
#include <vector>

#include "library/query.h"
#include "store/match_score.h"

// Queries in the language of FTS5.

namespace dowser {

// Whether one FTS5 expression can represent the whole query. It cannot if the query names hosts or
// notes, or if a NOT has nothing to exclude from.
bool is_full_text(const Query& query);

// Requires is_full_text(query).
FullText full_text_of(const Query& query);

// Matches items with any of the phrases that the query wants, to score them; an empty expression if
// FTS5 knows none of them.
FullText any_wanted_of(const Query& query);

// A phrase as FTS5 writes it: {title text} : "swan lake" *
std::string full_text_phrase(const Query& phrase);

}  // namespace dowser
