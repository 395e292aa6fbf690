#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/page.h"

namespace dowser {

// The words of a page's links, each once for a link: those of its anchor, then those of its context
// that the anchor has not. A page is read once, so that for a link nothing needs to be sorted:
// where each term stands next and stood before tells whether the link has it already.
class LinkWords {
 public:
  void read(const Page& page);  // the one that the following links are of

  struct Words {
    std::span<const TermId> all;  // until the next link is asked for
    size_t of_anchor;             // that come first
  };
  Words of(const Page& page, const Link& link);

 private:
  struct Seen {
    TermId id;
    uint32_t end;  // one more than its place; 0: nothing is here
  };
  struct Places {
    uint32_t before_end;  // one more than the place where the same term stood before, or 0
    uint32_t next;        // the place where it stands next
  };

  std::vector<Seen> seen_;      // a hash table
  std::vector<Places> places_;  // by place in Page::placed_terms
  std::vector<TermId> words_;
};

}  // namespace dowser
