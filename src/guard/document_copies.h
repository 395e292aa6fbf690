#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "model/document.h"
#include "model/url.h"

// Which documents of a crawl are one and the same: the same bytes under another address, or the
// same document in another format next to it (Chen 2008, 4.5: the same address up to the file name,
// and the same file name without its extension).

namespace dowser {

class DocumentCopies {
 public:
  struct Opinion {
    std::optional<VisitId> same_bytes_as, other_format_of;
  };
  // Of a document that came from `url`; it is remembered.
  Opinion add(VisitId id, const Url& url, const Document& document);
  // The same from what was saved: digest() and stem() of the document.
  Opinion add(VisitId id, uint64_t digest, uint64_t stem, DocumentFormat format);

  // 64 bits of the SHA-1 of its bytes.
  static uint64_t digest(const Document& document);
  // Of the address without the extension of its file name: equal for /a/paper.pdf and
  // /a/paper.ps.gz. 0 if it has a query or no file name: nothing is next to it.
  static uint64_t stem(const Url& url);

 private:
  struct First {
    VisitId id;
    DocumentFormat format;
  };
  absl::flat_hash_map<uint64_t, VisitId> by_bytes_;
  absl::flat_hash_map<uint64_t, First> by_stem_;
};

}  // namespace dowser
