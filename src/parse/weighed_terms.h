#pragma once

#include <vector>

#include "model/field_weights.h"
#include "model/page.h"

namespace dowser {

// The terms of a page that judges see, sorted by id: how often each stands in its title,
// description, keywords and text, by the weights of these places. `placed_terms` and the roles of
// its blocks must be there. A page of which too little would be left counts with all of its text.
std::vector<TermCount> weighed_terms(const Page& page, const FieldWeights& weights);

}  // namespace dowser
