#pragma once

#include <string>

#include "learn/signature/cluster_hits.h"

namespace dowser {

// The clusters of a hits array as a section of a report: what marks each of them, its best pages,
// and the array as a picture.
std::string clusters_html(const HitsArray& array, const HitsClusters& clusters);

}  // namespace dowser
