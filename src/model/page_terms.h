#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/terms.h"
#include "model/page.h"

namespace dowser {

// The words of a page as a judge counts them: enough for its relevance, but not for reasons or a
// label. A view of a Page or of KeptTerms.
struct PageTerms {
  std::string_view language;
  std::span<const TermCount> terms;
};

inline PageTerms terms_of(const Page& page) { return {page.language, page.terms}; }

// The same, kept after the page itself has been discarded, so that a later judge can judge it
// again.
struct KeptTerms {
  std::string language;
  std::vector<TermCount> terms;

  KeptTerms() = default;
  explicit KeptTerms(const Page& page) : language(page.language), terms(page.terms) {}

  operator PageTerms() const { return {language, terms}; }

  void save(ByteWriter& out) const {
    out.text(language);
    out.text({reinterpret_cast<const char*>(terms.data()), terms.size() * sizeof(TermCount)});
  }
  // The caller checks in.ok().
  void load(ByteReader& in);
};

}  // namespace dowser
