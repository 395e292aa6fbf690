#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <span>
#include <string>
#include <vector>

#include "model/page.h"
#include "model/profile.h"

namespace dowser {

// The two lists of link texts of a profile (Chen 2008, 4.2.2). A link is on a list if its text is
// one of the list's, compared as a whole after stop words are removed and words are stemmed: "The
// policies" is "Policy", "Policy desk" is not. A text of which nothing is left is on no list.
//
// The phrases of a list are prepared in every language that pages are analysed in, since that of
// the page decides what its stems are.
class AnchorLists {
 public:
  explicit AnchorLists(const Profile::Anchors& anchors);

  bool prunes(const Page& page, const Link& link) const { return pruning_.contains(page, link); }
  bool has_extracting() const { return !extracting_.by_language.empty(); }
  bool extracts(const Page& page, const Link& link) const {
    return extracting_.contains(page, link);
  }

 private:
  struct Phrases {
    explicit Phrases(const std::vector<std::string>& phrases);
    bool contains(const Page& page, const Link& link) const;
    // Hashes of term sequences. No language if the list is empty.
    absl::flat_hash_map<std::string, absl::flat_hash_set<uint64_t>> by_language;
  };
  const Phrases pruning_, extracting_;
};

}  // namespace dowser
