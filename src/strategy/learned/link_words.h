#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/page.h"

namespace dowser {

// The words of the links of a page, each word once per link: first those of the anchor, then those
// of the context that the anchor does not have. read() notes for each term of the page where it
// occurs next and where it occurred before, so that duplicates are found without sorting.
class LinkWords {
 public:
  void read(const Page& page);  // the page that the following links belong to

  struct Words {
    std::span<const TermId> all;  // valid until the next call
    size_t of_anchor;             // number of words that belong to the anchor
  };
  Words of(const Page& page, const Link& link);

 private:
  struct Seen {
    TermId id;
    uint32_t end;  // the term's place + 1; 0 if the slot is empty
  };
  struct Places {
    uint32_t before_end;  // place of the previous occurrence + 1, or 0
    uint32_t next;        // place of the next occurrence
  };

  std::vector<Seen> seen_;      // a hash table
  std::vector<Places> places_;  // by place in Page::placed_terms
  std::vector<TermId> words_;
};

}  // namespace dowser
