#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "frontier/frontier_view.h"
#include "model/visit.h"
#include "text/topic_coverage.h"

namespace dowser {

// What the strategy `learned` knows of hosts: how much each has brought lately, and how well the
// hosts of the seeds are known. Described in learned.cc.
class KnownHosts {
 public:
  explicit KnownHosts(TopicWords topic) : best_pages_(std::move(topic)) {}

  // A page was fetched. `mean` is the mean relevance of all pages so far.
  void learn(const Visit& visit, double relevance, double mean);

  // How much the host of the page that was learned last is put back behind others.
  double fatigue() const { return fatigue_; }

  // Takes the best waiting link of the seeds' host that is known least, if it is the turn of such a
  // host, and if the topic has not been found yet. `exploration` says how well they are to be
  // known.
  std::optional<Candidate> take_fair_start(FrontierView& frontier,
                                           const Exploration& exploration) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  bool has_found_topic() const;

  struct Host {
    double recent = 0;  // mean relevance of its newest pages
    uint32_t pages = 0;
  };
  absl::flat_hash_map<uint64_t, Host> hosts_;  // by hash of the name
  std::map<std::string, uint32_t> of_seeds_;   // the number of pages that were fetched
  CoverageOfBest best_pages_;
  uint32_t visits_ = 0;
  double fatigue_ = 0;
};

}  // namespace dowser
