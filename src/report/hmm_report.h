#pragma once

#include <string>

#include "learn/hmm_file.h"

namespace dowser {

// What was learned from browsing, as one HTML page for people: the states, the two tables of the
// chain, the groups of pages with their strongest words, and a picture of the graph. `links` are
// those between the training pages.
std::string hmm_report(const HmmFile& file, std::span<const std::pair<uint32_t, uint32_t>> links);

}  // namespace dowser
