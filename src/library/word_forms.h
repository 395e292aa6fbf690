#pragma once

#include "base/result.h"
#include "library/query.h"
#include "store/library_reader.h"

namespace dowser {

// Looks up, for every word of the query that stands for all its forms, which words of the library
// have the same stem, and writes them into Query::forms. See word_forms.cc.
Status find_forms(LibraryReader& library, Query& query);

}  // namespace dowser
