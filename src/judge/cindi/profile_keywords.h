#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <string>
#include <vector>

#include "base/terms.h"
#include "model/page.h"
#include "model/profile.h"
#include "model/url_rules.h"

namespace dowser {

// What decides without a classifier that a page is on the subject of a profile (Chen 2008, 4.2.1
// and 4.2.4): a domain keyword in its title or meta keywords, or a host that looks like that of a
// department. Keywords are compared after stop words are removed and words are stemmed, so
// "database system" is found in "The Database Systems Group". Immutable.
class ProfileKeywords {
 public:
  explicit ProfileKeywords(const Profile& profile);

  // The keyword, or the label of the host.
  std::optional<std::string> find(const Page& page) const;

 private:
  struct Keyword {
    std::string words;
    std::vector<TermId> terms;
  };
  const UrlRules rules_;
  absl::flat_hash_map<std::string, std::vector<Keyword>> by_language_;
};

}  // namespace dowser
