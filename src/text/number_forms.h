#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dowser {

// A word in lower case and its plural or singular by the regular rules of English: "network" and
// "networks", "theories" and "theory". Short words, and those without such a form, stand alone.
// Irregular forms ("mice") are not known; a form that does not exist ("sheeps") does no harm to
// whoever looks for it.
std::vector<std::string> number_forms(std::string_view word);

}  // namespace dowser
