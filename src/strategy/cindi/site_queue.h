#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "frontier/frontier_view.h"
#include "model/url.h"

namespace dowser {

// Sites as units of a crawl: which of them are known, which wait with high and with low priority,
// and which are open. site_queue.cc describes the order.
class SiteQueue {
 public:
  enum class Priority : uint8_t { kLow, kHigh };
  struct Options {
    bool by_domain = false;  // all hosts of a registrable domain are one site
    size_t most_open = 75;
    bool reopens = true;      // links into finished sites are followed
    bool take_turns = false;  // all open sites go on alike, whatever the scores of their links
  };
  explicit SiteQueue(const Options& options) : options_(options) {}

  bool is_same_site(const Url& a, const Url& b) const { return key_of(a) == key_of(b); }

  // What learn() and score() of the strategy tell.
  void note_visit(const Url& url, VisitId id);
  void note_offer(const Url& url, Priority priority);
  bool note_layer_one(const Url& url);  // true: it is the first such page of its site
  void note_trap(const Url& url);

  // What to fetch now. `high_is_exhausted`: no site with high priority waits.
  struct Choice {
    Candidate candidate;
    bool high_is_exhausted = false;
  };
  std::optional<Choice> choose(FrontierView& frontier);

  size_t sites() const { return sites_.size(); }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using SiteId = uint32_t;
  struct Site {
    std::vector<std::string> hosts;
    uint32_t visits = 0;
    uint32_t last_visit = 0;
    bool is_high = false, is_low = false;  // it is in the queue of this priority
    bool has_layer_one = false;
    bool is_trap = false;
  };
  struct Queue {
    std::vector<SiteId> sites;  // in the order in which they were found
    size_t begin = 0;           // all before were opened
  };
  // What the frontier says about all hosts of a site.
  struct Look {
    uint32_t in_flight = 0;
    bool has_work = false;               // a link waits that is not among the last ones
    const std::string* ready = nullptr;  // the host with the best link that may be taken now
    Score best;                          // of that host
    bool will_be_ready = false;
  };

  // An open site that can continue.
  struct Turn {
    SiteId site = 0;
    uint32_t last_visit = 0;
    Look look;
  };

  bool goes_before(const Turn& a, const Turn& b) const;
  std::string_view key_of(const Url& url) const;
  SiteId site_of(const Url& url);
  std::optional<SiteId> find(const Url& url) const;
  Look look_at(const Site& site, const FrontierView& frontier) const;
  void leave(const Site& site, FrontierView& frontier) const;
  void find_open(const FrontierView& frontier);
  std::optional<Candidate> take(SiteId site, const Look& look, FrontierView& frontier);

  Options options_;
  std::vector<Site> sites_;
  absl::flat_hash_map<uint64_t, SiteId> ids_;  // by hash of the site's name
  Queue high_, low_;
  // Follows from the rest and from the frontier, so it is not saved: sites that are open, and some
  // that are finished.
  absl::btree_set<SiteId> open_;
  bool knows_open_ = true;
};

}  // namespace dowser
