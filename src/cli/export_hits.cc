#include <fmt/format.h>

#include "base/new_file.h"
#include "cli/export.h"
#include "run/signature_hits.h"

namespace dowser {

// dowser export --format hadf|arff: the hits of the pages that a crawl found.
int export_hits(const std::string& folder, const std::string& format, const std::string& to) {
  const auto hits = read_crawl_hits(folder);
  if (!hits) return fail("export", hits.error());
  if (hits->array.signatures.empty()) {
    return fail("export", Error{fmt::format("the crawl in {} has no signatures: crawl with --judge "
                                            "signatures, or choose another format",
                                            folder)});
  }
  const std::string text =
      format == "hadf" ? hadf_text(hits->array) : arff_text(hits->array, hits->cluster_of);
  if (to.empty()) {
    fmt::print("{}", text);
    return kDone;
  }
  if (Status s = write_file(to, text); !s) return fail("export", s.error());
  return kDone;
}

}  // namespace dowser
