#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontier/rank.h"

// How many links of each host, and of each site, were taken, and who has reached the limit. The
// site of a host is its registrable domain: "a.example.co.uk" and "b.example.co.uk" are two hosts
// of the site "example.co.uk", and a server that makes up host names cannot escape the limit of its
// site. Sites are looked up only if they have a limit.

namespace dowser {

class HostQuotas {
 public:
  HostQuotas(size_t max_per_host, size_t max_per_site)  // 0: no limit
      : max_per_host_(max_per_host), max_per_site_(max_per_site) {}

  void add_host(std::string_view name);  // is given the number 0, 1, 2, …
  void add_taken(HostId id, uint32_t links = 1);
  void remove_taken(HostId id);

  uint32_t taken(HostId id) const { return hosts_[id].taken; }
  bool is_used_up(HostId id) const {
    return is_host_used_up(hosts_[id]) || is_site_used_up(hosts_[id]);
  }
  // The hosts of which no link may be taken any more because of the links of this host: none, the
  // host itself, or all hosts of its site.
  std::vector<HostId> used_up_with(HostId id) const;

  size_t memory_bytes() const;

 private:
  struct Host {
    uint32_t taken = 0;
    uint32_t site = 0;
  };
  struct Site {
    uint64_t taken = 0;
    std::vector<HostId> hosts;
  };

  bool is_host_used_up(const Host& host) const {
    return max_per_host_ > 0 && host.taken >= max_per_host_;
  }
  bool is_site_used_up(const Host& host) const {
    return max_per_site_ > 0 && sites_[host.site].taken >= max_per_site_;
  }

  const size_t max_per_host_, max_per_site_;
  std::vector<Host> hosts_;
  std::vector<Site> sites_;
  absl::flat_hash_map<uint64_t, uint32_t> site_ids_;  // by fingerprint of the domain
};

}  // namespace dowser
