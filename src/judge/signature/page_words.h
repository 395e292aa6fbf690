#pragma once

#include <absl/container/flat_hash_map.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "learn/signature/group_scanner.h"
#include "learn/signature/signature.h"
#include "model/page.h"

// The words of a page as signatures see them: those of its paragraphs, list items and table cells
// in order, synonyms replaced, stop words removed, stemmed only if the settings say so. A position
// counts kept words. Any thread may use one.

namespace dowser {

class PageWords {
 public:
  explicit PageWords(const SignatureSettings& settings);

  std::vector<TermId> words(const Page& page) const;

  // The same with their places in Page::text.
  std::vector<PlacedTerm> placed_words(const Page& page) const;

  // The words and how they are written; those of `texts` that are not known yet.
  using Spelling = absl::flat_hash_map<TermId, std::string>;
  std::vector<TermId> words(const Page& page, Spelling& spelling) const;

  // Only the keywords that a scanner looks for, in a part of the page's text. `position` is that of
  // its first word, and then of the first one after it.
  void add_keywords(const Page& page, Span text, const GroupScanner& scanner, uint32_t& position,
                    std::vector<GroupScanner::Event>& events) const;

  // A keyword as written in a descriptor file.
  static TermId term_of(std::string_view word);

  // Which parts of the page count.
  bool counts(const Page& page, const Block& block) const;

 private:
  template <class Add>
  void each_word(const Page& page, Add add) const;
  template <class Add>
  void each_word(std::string_view text, std::string_view language, Add add) const;

  SignatureSettings settings_;
  std::map<std::string, std::string, std::less<>> synonyms_;
};

}  // namespace dowser
