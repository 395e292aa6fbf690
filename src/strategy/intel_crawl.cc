#include "strategy/intel_crawl.h"

#include <fmt/format.h>

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "model/url_canonical.h"

// Intel-Crawl (Pinnamaneni 2013, chapter 4): breadth-first, but only the links of relevant pages
// are followed, and of these only the first ten.
//
//   "A URL and its corresponding chain of links is considered only if the parent URL has at least
//   one hit, else everything will be discarded and the next URL is processed."
//
// Example: a seed with a hit links to b, c and d. b has no hit, so its links are dropped; those of
// c wait behind d. With first_links = 2, d would not have been followed at all.
//
// Parameters:
//   first_links   10, as in the thesis; 0: all
//   links         text (default): links in the text of a page before all others, since the thesis
//                 takes the links "present in the text"; all: in their order, headings too
//
// What is text? The thesis crawled pages whose links stood in paragraphs. Today most pages begin
// with a menu, which is a list or a table like others, and ten links are soon used up: on a wiki
// the first ten are "Home", "Random article", "Recent changes" and so on, on every page. So the
// links must stand in the content of the page (parse/main_content.cc), which leaves out menus by
// their tags, names and shape, and menus that the host repeats on most of its pages
// (guard/host_templates.cc). A page that has fewer than ten of them, such as a table of contents,
// gives links of its other lists too, and then of its menus: a menu is the same on page after page,
// so it costs few requests where it comes last.
//
// What is relevant is the judge's word; that of the thesis is `signatures`. A link counts once,
// however often the page has it, and one to the page itself does not count: otherwise a table of
// contents would use up all ten.
//
// Cost: one or two passes over the links of a relevant page. Tests: the scenario intel_crawl.txt,
// and tests/engine/intel_crawl_test.cc for pages with menus.

namespace dowser {
namespace {

// Where a link stands: the text first, then lists outside of it that nothing marks as a menu, then
// menus of the page itself.
enum class Place : uint8_t { kText, kList, kMenu, kElsewhere };

Place place_of(const Block* block) {
  if (!block || block->kind == BlockKind::kHeading) return Place::kElsewhere;
  switch (block->role) {
    case BlockRole::kContent:
      return Place::kText;
    case BlockRole::kLinks:
    case BlockRole::kBeside:
      return Place::kList;
    case BlockRole::kMenu:
      return Place::kMenu;
    default:
      return Place::kElsewhere;
  }
}

class IntelCrawl final : public Strategy, public HasNoState {
 public:
  IntelCrawl(int64_t first_links, bool text_only)
      : first_links_(first_links), text_only_(text_only) {}

  void learn(const Visit& visit) override {
    followed_.clear();
    if (!visit.judgement.relevant) return;
    Seen seen = {seen_fingerprint(visit.page.url)};
    if (text_only_) {
      for (const Place place : {Place::kText, Place::kList, Place::kMenu}) {
        follow_first(visit.page, seen,
                     [&](const Block* block) { return place_of(block) == place; });
      }
      std::sort(followed_.begin(), followed_.end());
    } else {
      follow_first(visit.page, seen, [](const Block*) { return true; });
    }
  }

  std::optional<Score> score(const Visit&, const Link& link) override {
    if (!std::binary_search(followed_.begin(), followed_.end(), link.position)) return std::nullopt;
    return Score(0);
  }

  Spec spec() const override {
    return {
        "intel-crawl",
        {{"first_links", fmt::format("{}", first_links_)}, {"links", text_only_ ? "text" : "all"}}};
  }

 private:
  using Seen = absl::flat_hash_set<uint64_t>;

  // Follows links whose block is wanted, as long as fewer than first_links_ are followed. The block
  // of a link outside all blocks is null.
  template <class IsWanted>
  void follow_first(const Page& page, Seen& seen, IsWanted is_wanted) {
    size_t block = 0;
    for (const Link& link : page.links) {  // in the order of the text, as the blocks are
      if (first_links_ > 0 && seen.size() > static_cast<size_t>(first_links_)) break;
      while (block < page.blocks.size() && page.blocks[block].text.end < link.anchor.end) ++block;
      const bool is_inside =
          block < page.blocks.size() && page.blocks[block].text.begin <= link.anchor.begin;
      if (!is_wanted(is_inside ? &page.blocks[block] : nullptr)) continue;
      if (seen.insert(seen_fingerprint(link)).second) followed_.push_back(link.position);
    }
  }

  const int64_t first_links_;
  const bool text_only_;
  std::vector<uint32_t> followed_;  // positions of the links of the newest visit, rising
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_intel_crawl(const Spec& spec, const StrategyContext&) {
  Parameters p(spec);
  const int64_t first_links = p.integer("first_links", 10);
  const bool text_only = p.choice("links", {"text", "all"}) == "text";
  if (auto bad = p.finish()) return *bad;
  if (first_links < 0) return Error{"first_links of intel-crawl must be 0 (all) or more"};
  return std::unique_ptr<Strategy>(std::make_unique<IntelCrawl>(first_links, text_only));
}

}  // namespace dowser
