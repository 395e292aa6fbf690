#include "frontier/host_quotas.h"

#include "base/hash.h"
#include "model/registrable_domain.h"

namespace dowser {

void HostQuotas::add_host(std::string_view name) {
  const HostId id = static_cast<HostId>(hosts_.size());
  Host& host = hosts_.emplace_back();
  if (max_per_site_ == 0) return;
  const auto [it, added] =
      site_ids_.try_emplace(hash64(registrable_domain(name)), static_cast<uint32_t>(sites_.size()));
  if (added) sites_.emplace_back();
  host.site = it->second;
  sites_[host.site].hosts.push_back(id);
}

void HostQuotas::add_taken(HostId id, uint32_t links) {
  hosts_[id].taken += links;
  if (max_per_site_ > 0) sites_[hosts_[id].site].taken += links;
}

void HostQuotas::remove_taken(HostId id) {
  --hosts_[id].taken;
  if (max_per_site_ > 0) --sites_[hosts_[id].site].taken;
}

std::vector<HostId> HostQuotas::used_up_with(HostId id) const {
  const Host& host = hosts_[id];
  if (is_site_used_up(host)) return sites_[host.site].hosts;
  if (is_host_used_up(host)) return {id};
  return {};
}

size_t HostQuotas::memory_bytes() const {
  size_t bytes = hosts_.capacity() * sizeof(Host) + sites_.capacity() * sizeof(Site) +
                 site_ids_.capacity() * (sizeof(std::pair<uint64_t, uint32_t>) + 1);
  for (const Site& site : sites_) bytes += site.hosts.capacity() * sizeof(HostId);
  return bytes;
}

}  // namespace dowser
