#pragma once

#include <string>

#include "learn/signature/cluster_hits.h"

// A hits array as a picture: documents as rows by cluster, signatures as columns, the darker the
// more hits.

namespace dowser {

// An SVG file of its own. Of more than `most` rows or columns, those with most hits are drawn, and
// a line says how many are not.
std::string hits_svg(const HitsArray& array, const HitsClusters& clusters, size_t most = 150);

// The two or three words that a signature's name is made of: "nest egg feather".
std::string words_of_signature(std::string_view name);
// The same for people: "owl nest egg" for tr_owl_nest_egg_1, "owl nest egg (2)" for the second
// signature of these words.
std::string label_of_signature(std::string_view name);

}  // namespace dowser
