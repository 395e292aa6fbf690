#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/random.h"
#include "frontier/frontier_view.h"
#include "model/visit.h"
#include "strategy/infospiders/spider_agent.h"
#include "strategy/infospiders/spider_links.h"

// The population of agents of InfoSpiders; infospiders.cc describes the idea.
//
// Its state changes in learn() and offer() only, because these are repeated when a crawl is
// resumed; choose() does not change it. So no decision of choose() is stored: the agent of a visit
// follows from the owner of the link, and random numbers follow from the number of visits.

namespace dowser {

class SpiderPopulation {
 public:
  enum class Lists : uint8_t { kOwn, kShared };  // one list for each agent, or one for all

  SpiderPopulation(const SpiderOptions& options, Lists lists, const Topic& topic,
                   uint64_t random_seed);

  // The agent that fetched this page gains or loses energy, learns, has an offspring or dies.
  void learn(const Visit& visit);

  // Returns the score that this agent gives a link of the page, and adds the link to its list.
  struct Estimate {
    double net = 0, page = 0;  // what the agent's net and the page contribute
    double total = 0;          // their sum, and the bonus
  };
  Estimate offer(const Visit& visit, const Link& link, double bonus = 0);

  // The agent whose turn it is takes a link. Nothing if no link may be fetched at present.
  std::optional<Candidate> choose(FrontierView& frontier);

  const std::vector<SpiderAgent>& agents() const { return agents_; }  // includes the last dead ones
  const SpiderAgent* current() const { return find(last_); }          // that fetched the last page
  size_t living() const;
  size_t births() const { return births_; }
  size_t deaths() const { return deaths_; }
  size_t founded() const { return founded_; }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  static constexpr uint32_t kNobody = 0;  // ids begin at 1

  SpiderAgent* find(uint32_t id);
  const SpiderAgent* find(uint32_t id) const {
    return const_cast<SpiderPopulation*>(this)->find(id);
  }
  SpiderLinks::List& list_of(SpiderAgent& agent);
  Random random(uint64_t purpose, uint32_t agent) const;

  void bury();
  std::optional<SpiderLink> forget_visited(const Visit& visit);
  // Returns kNobody if an agent is to be founded there.
  uint32_t agent_of(const Visit& visit, const SpiderLink* followed) const;
  uint32_t next_in_turn(uint32_t after) const;
  void live(SpiderAgent& agent, const Visit& visit, const SpiderLink* followed, double estimate);
  void give_birth(SpiderAgent& parent, const Page& page);
  std::optional<Candidate> choose(SpiderAgent& agent, FrontierView& frontier);

  const SpiderOptions options_;
  const Lists lists_;
  const uint64_t random_seed_;
  SpiderKeywords keywords_;
  std::vector<SpiderAgent> agents_;  // sorted by id
  SpiderLinks links_;
  SpiderLinks::List shared_;

  uint64_t visits_ = 0;
  double estimates_ = 0;     // sum over all visits
  uint32_t last_ = kNobody;  // the agent that fetched the last page
  uint32_t next_id_ = 1;
  uint32_t at_seeds_ = 0;    // number of agents founded at start pages
  uint32_t to_refound_ = 0;  // after extinction: how many pages still found an agent
  uint64_t births_ = 0, deaths_ = 0, founded_ = 0;

  // These belong to the visit that was learned last and are used by offer().
  std::vector<std::vector<KeywordInput>> inputs_;
  double page_ = 0;
  uint32_t newborn_ = kNobody;

  uint64_t choices_ = 0;  // of choose(), since the last visit
};

}  // namespace dowser
