#include <algorithm>

#include "base/hash.h"
#include "model/url_canonical.h"
#include "strategy/per_visit.h"
#include "strategy/strategy.h"

// Fish-search: a school of fish that goes on where there is food and dies out where there is none
// (De Bra and Post 1994, as Hersovici et al. 1998 restate it; U 2, K 3.1.3.2). Pages are relevant
// or not, and links wait in one list:
//
//   the first α · width children of a relevant page    to the front of the list            1
//   the first width children of any other page         behind the children of relevant     0.5
//                                                      pages, before all else
//   the rest                                           to the end, for when time permits   0
//
// and depth: children of a relevant page may be followed `depth` links deep, those of others one
// link less than their page; a page with no depth left does not offer its links (even where it is
// relevant: depth is asked first).
//
// Example, width 1, depth 2: a relevant page a links to b and c. b goes to the front, c to the end.
// If b is not relevant, its first child d goes before c, with depth 1; d's child e has depth 0: e
// is fetched, but nothing behind it.
//
// "To the front" makes it a search in depth: of two relevant pages the children of the later one go
// first. So the score has two parts: 1, 0.5 or 0, and for the first two the number of the visit.
//
// Parameters: α is 1.5 in Hersovici. The papers leave width and depth to the user; 3 is ours to
// start with. Width was meant for pages of a few links; pages of today begin with dozens that lead
// around the site, and 10 is enough for other pages to have their turn.
//
// Different from the papers: a link found again keeps its better offer, along with the depth of
// that offer, where Hersovici keeps the greatest depth apart; found again on an equally good page
// it moves to the front with the others of that page. A child is an address, so a link that the
// page repeats counts once; links that the crawl may not follow are no children.
//
// Cost: a page's first α · width addresses are compared with each other, the rest costs nothing. 4
// bytes a visited page.

namespace dowser {
namespace {

constexpr double kAlpha = 1.5;
constexpr int64_t kWidth = 10;
constexpr int64_t kDepth = 3;

class FishSearch final : public Strategy {
 public:
  FishSearch(int64_t width, int64_t depth) : width_(width), full_depth_(depth) {}

  void learn(const Visit& visit) override {
    const bool relevant = visit.judgement.relevant;
    depth_now_ = depth_.of_parent(visit, static_cast<uint32_t>(full_depth_));
    depth_.set(visit.id, relevant ? static_cast<uint32_t>(full_depth_)
                                  : depth_now_ - std::min(depth_now_, 1u));
    width_now_ = static_cast<size_t>(relevant ? kAlpha * static_cast<double>(width_)
                                              : static_cast<double>(width_));
    children_.clear();
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    if (depth_now_ == 0) return std::nullopt;
    is_first_ = is_one_of_the_first(link);
    if (!is_first_) return Score(0);
    return Score(visit.judgement.relevant ? 1 : 0.5, visit.id.value);
  }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    return {{"relevant", visit.judgement.relevant ? 1.0 : 0.0},
            {"first", is_first_ ? 1.0 : 0.0},
            {"depth", static_cast<double>(depth_now_)}};
  }

  void save(ByteWriter& out) const override { depth_.save(out); }
  Status load(ByteReader& in) override {
    depth_.load(in);
    if (!in.ok()) return Error{"the saved depths of fish-search are cut short"};
    return {};
  }

  Spec spec() const override {
    return {"fish-search",
            {{"width", std::to_string(width_)}, {"depth", std::to_string(full_depth_)}}};
  }

 private:
  // Once there are enough, what repeats one of them may go to the end: the better offer stays.
  bool is_one_of_the_first(const Link& link) {
    if (children_.size() == width_now_) return false;
    const uint64_t child = seen_fingerprint(link);
    if (std::find(children_.begin(), children_.end(), child) == children_.end()) {
      children_.push_back(child);
    }
    return true;
  }

  const int64_t width_, full_depth_;
  PerVisit<uint32_t> depth_;  // of the children of visited pages

  // Of the page just learned, and of the link just scored.
  uint32_t depth_now_ = 0;
  size_t width_now_ = 0;
  std::vector<uint64_t> children_;
  bool is_first_ = false;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_fish_search(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  const int64_t width = p.integer("width", kWidth);
  const int64_t depth = p.integer("depth", kDepth);
  if (auto bad = p.finish()) return *bad;
  if (width < 1 || width > UINT32_MAX) return Error{"width of fish-search must be at least 1"};
  if (depth < 1 || depth > UINT32_MAX) return Error{"depth of fish-search must be at least 1"};
  return std::unique_ptr<Strategy>(std::make_unique<FishSearch>(width, depth));
}

}  // namespace dowser
