#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

// Options that name a file to write. It is refused before any work is done if it must not be
// written: base/new_file.h and run/own_places.h say when.

namespace dowser {

Arguments::Set output_file(std::string* file);
Arguments::Set output_files(std::vector<std::string>* files);
// A library may replace a library, which the program recognises when it opens it.
Arguments::Set library_file_option(std::string* file);

}  // namespace dowser
