#pragma once

#include <string_view>
#include <vector>

#include "base/terms.h"

namespace dowser {

// The terms of what can be known about a page before it is fetched: the words of a link to it, in
// the language of the page that contains the link, and the words in its address. Sorted by id.
std::vector<TermCount> link_terms(std::string_view anchor, std::string_view address,
                                  std::string_view language);

}  // namespace dowser
