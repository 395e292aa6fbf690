#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "model/page.h"
#include "model/session.h"

// What a session needs from the HTML of its pages: the links between them.

namespace dowser {

// The links of pages by the addresses they lead to, each page parsed once.
class PageLinks {
 public:
  // Fingerprints of the addresses that the page links to, sorted. Empty if there is no HTML.
  std::span<const uint64_t> of(const SessionPage& page);

 private:
  std::map<std::string, std::vector<uint64_t>, std::less<>> known_;  // by address
};

// Sets the links of the session: those that exist between two of its pages, by the HTML that was
// kept. Links that are there already and start on a page without HTML stay.
void link_pages(Session& session, PageLinks& links);

}  // namespace dowser
