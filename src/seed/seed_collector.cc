#include "seed/seed_collector.h"

#include "model/registrable_domain.h"
#include "model/url_canonical.h"

namespace dowser {

SeedCollector::SeedCollector(const Profile& profile, Keep keep)
    : rules_(profile),
      keep_(std::move(keep)),
      sponsors_(profile.seeds.sponsors.begin(), profile.seeds.sponsors.end()) {}

bool SeedCollector::add(std::string_view address, std::string_view from) {
  ++counts_.offered;
  const Result<Url> url = Url::parse(address);
  if (!url || !url->is_http() || url->hostname().empty()) {
    ++counts_.invalid;
    return false;
  }
  if (sponsors_.contains(std::string(url->hostname())) ||
      sponsors_.contains(std::string(registrable_domain(url->hostname())))) {
    ++counts_.sponsors;
    return false;
  }
  if (rules_.format(*url) == AddressFormat::kDocument) {
    ++counts_.documents;
    return false;
  }
  if (!seen_.insert(seen_fingerprint(*url)).second) {
    ++counts_.repeats;
    return false;
  }
  ++counts_.kept;
  keep_(*url, from);
  return true;
}

}  // namespace dowser
