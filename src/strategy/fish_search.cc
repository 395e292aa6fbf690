#include <algorithm>

#include "model/url_canonical.h"
#include "strategy/per_visit.h"
#include "strategy/strategy.h"

// Fish-search (De Bra and Post 1994, as restated by Hersovici et al. 1998; Uluhan 2006, ch. II;
// Küçük 2009, section 3.1.3.2): the crawl is a school of fish that multiplies where there is food
// and dies out where there is none. Pages are relevant or not, and links wait in one list:
//
// clang-format off
//   links                                            place in the list                        score
//   first α · width children of a relevant page      at the front                             1
//   first width children of any other page           after the children of relevant pages     0.5
//   all others                                       at the end                               0
// clang-format on
//
// Depth: the children of a relevant page may be followed `depth` links deep, those of other pages
// one link less than their page. The links of a page with no depth left are not offered, even if
// the page is relevant: the depth is checked first.
//
// Example with width 1 and depth 2: a relevant page a links to b and c. b goes to the front, c to
// the end. If b is not relevant, its first child d goes before c, with depth 1; d's child e has
// depth 0, so e is fetched, but its links are not.
//
// Because links go to the front of the list, of two relevant pages the children of the later one go
// first. So the score has two parts: 1, 0.5 or 0, and, for the first two, the number of the visit.
//
// Parameters: α = 1.5 is Hersovici's. The papers leave width and depth to the user; 3 is our
// default depth. Width was meant for pages of a few links. Pages today begin with dozens of
// navigation links, and a width of 10 still leaves room for the links of other pages.
//
// Differences from the papers: a link that is found again keeps its better offer together with the
// depth of that offer, where Hersovici keeps the greatest depth separately; found again on an
// equally good page, it moves to the front with the other links of that page. A child is an
// address, so a link that the page repeats counts once. Links that the crawl may not follow do not
// count as children.
//
// Cost: a page's first α · width addresses are compared with each other; 4 bytes for each visit.

namespace dowser {
namespace {

constexpr double kAlpha = 1.5;
constexpr int64_t kWidth = 10;
constexpr int64_t kDepth = 3;

class FishSearch final : public Strategy, public ExplainsScores, public SavesState {
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
    return {{"relevant", visit.judgement.relevant ? 1.0 : 0.0, ScorePart::kFact},
            {"first", is_first_ ? 1.0 : 0.0, ScorePart::kFact},
            {"depth", static_cast<double>(depth_now_), ScorePart::kFact}};
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
  // Once there are enough children, a repeated one may go to the end: its better offer stays.
  bool is_one_of_the_first(const Link& link) {
    if (children_.size() == width_now_) return false;
    const uint64_t child = seen_fingerprint(link);
    if (std::find(children_.begin(), children_.end(), child) == children_.end()) {
      children_.push_back(child);
    }
    return true;
  }

  const int64_t width_, full_depth_;
  PerVisit<uint32_t> depth_;  // of the children of each visited page

  // These belong to the page that was learned last and the link that was scored last.
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
