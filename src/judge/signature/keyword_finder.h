#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/signature/page_words.h"
#include "learn/signature/group_scanner.h"
#include "learn/signature/signature.h"

// Finds the keywords of a library in a page, which a crawl does for every page. The result is the
// same as that of reading all PageWords, but the text is read again only where a keyword may occur.
// Any thread may use one. The essay is in keyword_finder.cc.

namespace dowser {

class KeywordFinder {
 public:
  // The scanner is that of the library, which is not empty, and outlives the finder.
  KeywordFinder(std::span<const Signature> library, const GroupScanner& scanner);

  std::vector<GroupScanner::Event> find(const Page& page) const;

 private:
  // A bit for each low part of a term's hash: whether a keyword may have this stem.
  using Filter = std::vector<uint64_t>;

  void find_in(const Page& page, const Block& block, const Filter& filter, uint32_t& position,
               std::vector<GroupScanner::Event>& events) const;

  const PageWords words_;
  const GroupScanner& scanner_;
  const bool is_stemmed_;
  std::vector<Filter> filters_;  // by analysed language; empty if all text must be read
};

}  // namespace dowser
