#include "text/link_terms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/terms.h"
#include "text/tokens.h"

namespace dowser {

std::vector<TermCount> link_terms(std::string_view anchor, std::string_view address,
                                  std::string_view language) {
  return count_terms({anchor, fmt::format("{}", fmt::join(url_tokens(address), " "))}, language);
}

}  // namespace dowser
