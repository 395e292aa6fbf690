#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "base/random.h"
#include "model/page.h"
#include "model/response.h"
#include "model/url.h"

// Soft 404: "not found" with status 200, or a redirect to a page that says so, or to the home page.
// The engine requests from each host one page that cannot exist; the answer shows what the host
// sends for missing pages. The essay is in soft_404.cc.

namespace dowser {

// An address next to `page` that no server can have: same directory, same extension, the name
// "no-such-page-" (so that an administrator who sees it in the log understands) and 16 random
// letters.
Url probe_address(const Url& page, Random& random);

// One thread at a time. A host that answers missing pages with 404 takes 30 bytes; for the others
// the text of the answer is kept, at most 64 kB.
class Soft404 {
 public:
  // The answer to the probe `asked`, after redirects. A failure or a status that is not a 2xx says
  // that the host is honest, or that nothing can be known.
  void learn_probe(const Url& asked, const Response& response, const Page& page);

  // Whether the answer to `asked`, after redirects, is what its host sends for missing pages. Home
  // pages never are.
  bool is_soft_404(const Url& asked, const Response& response, const Page& page) const;

 private:
  // The answer for a page that does not exist.
  struct Answer {
    Url asked;
    std::string place;  // the target of a redirect; "" if there was none
    bool place_has_query = false;
    std::string title;
    std::string text;
  };

  static Answer answer_of(const Url& asked, const Response& response, const Page& page);
  static bool same_text(const Answer& missing, const Answer& page);

  // By fingerprint of the host; null if it answers missing pages with 404.
  absl::flat_hash_map<uint64_t, std::unique_ptr<const Answer>> hosts_;
};

}  // namespace dowser
