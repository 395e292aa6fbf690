#include "absl/container/flat_hash_map.h"
#include "model/url_canonical.h"
#include "strategy/strategy.h"

// In-degree: the link that most fetched pages point to goes first (Uluhan 2006, fig. 4), a crude
// form of PageRank. It ignores the topic.
//
//   cp(link) = number of fetched pages that link to it
//
// The counts only grow, so the frontier's rule that a link found again keeps its best score keeps
// the newest count. Uluhan adds 1 for every occurrence of a link, so that a page that repeats a
// link votes twice; here a page has one vote for an address, as in a link graph. Addresses that
// differ only by `www.` or a default file name count as one.
//
// Cost: one hash look-up for each link, and 16 bytes for each address that was ever linked to.

namespace dowser {
namespace {

class InDegree final : public Strategy, public SavesState {
 public:
  std::optional<Score> score(const Visit& visit, const Link& link) override {
    Count& count = counts_[seen_fingerprint(link)];
    if (count.votes == 0 || count.last_voter != visit.id.value) {
      ++count.votes;
      count.last_voter = visit.id.value;
    }
    return Score(count.votes);
  }
  Spec spec() const override { return {"in-degree", {}}; }

  void save(ByteWriter& out) const override {
    out.number(static_cast<uint64_t>(counts_.size()));
    for (const auto& [address, count] : counts_) {
      out.number(address);
      out.number(count.votes);
      out.number(count.last_voter);
    }
  }
  Status load(ByteReader& in) override {
    for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
      Count& count = counts_[in.number<uint64_t>()];
      count.votes = in.number<uint32_t>();
      count.last_voter = in.number<uint32_t>();
    }
    if (!in.ok()) return Error{"the saved counts of in-degree are cut short"};
    return {};
  }

 private:
  struct Count {
    uint32_t votes = 0;
    uint32_t last_voter = 0;
  };
  absl::flat_hash_map<uint64_t, Count> counts_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_in_degree(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  return std::unique_ptr<Strategy>(std::make_unique<InDegree>());
}

}  // namespace dowser
