#include "model/page_terms.h"

#include <cstring>

namespace dowser {

void KeptTerms::load(ByteReader& in) {
  language = in.text();
  const std::string_view bytes = in.text();
  terms.resize(bytes.size() / sizeof(TermCount));
  if (!terms.empty()) std::memcpy(terms.data(), bytes.data(), terms.size() * sizeof(TermCount));
}

}  // namespace dowser
