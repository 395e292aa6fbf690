#pragma once

#include <string_view>

namespace dowser {

// Whether a judge of this text form needs examples or a model: words alone are not enough for it.
// Implemented in plugins.cc, which knows the judges by name.
bool needs_examples(std::string_view judge);

}  // namespace dowser
