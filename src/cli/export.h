#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

// Parts of `dowser export`; they return the exit code.

namespace dowser {

// --format hadf|arff: the hits of the pages that a crawl found.
int export_hits(const std::string& folder, const std::string& format, const std::string& to);

// --format graphml|gexf
int export_network(const std::vector<std::string>& folders, const std::string& format,
                   const std::string& to, bool all);

}  // namespace dowser
