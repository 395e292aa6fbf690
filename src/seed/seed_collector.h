#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "model/profile.h"
#include "model/url_rules.h"

namespace dowser {

// Takes addresses that may be seeds from several sources, and keeps what is worth starting at: no
// repeats (by seen key), no documents, which have no links to follow, and no hosts of
// advertisements (Chen 2008, 3.1 and 4.1.2). It holds 8 bytes for each seed; the caller keeps the
// addresses.
class SeedCollector {
 public:
  // `keep` is called with each new seed and where it came from.
  using Keep = std::function<void(const Url&, std::string_view from)>;
  SeedCollector(const Profile& profile, Keep keep);

  // False if the address was left out.
  bool add(std::string_view address, std::string_view from);

  struct Counts {
    uint64_t offered = 0, kept = 0, repeats = 0, documents = 0, sponsors = 0, invalid = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  const UrlRules rules_;
  const Keep keep_;
  absl::flat_hash_set<std::string> sponsors_;  // registrable domains and hosts
  absl::flat_hash_set<uint64_t> seen_;
  Counts counts_;
};

}  // namespace dowser
