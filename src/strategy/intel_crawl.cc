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
//   links         text (default): only links that stand in paragraphs, lists and tables, since the
//                 thesis takes the links "present in the text"; all: also those of headings and
//                 menus outside these
//
// What is relevant is the judge's word; that of the thesis is `signatures`. A link counts once,
// however often the page has it, and one to the page itself does not count: otherwise a table of
// contents would use up all ten.
//
// Cost: one pass over the links of a relevant page. The scenario intel_crawl.txt tests it.

namespace dowser {
namespace {

bool is_text(BlockKind kind) {
  return kind == BlockKind::kParagraph || kind == BlockKind::kListItem ||
         kind == BlockKind::kTableCell;
}

class IntelCrawl final : public Strategy, public HasNoState {
 public:
  IntelCrawl(int64_t first_links, bool text_only)
      : first_links_(first_links), text_only_(text_only) {}

  void learn(const Visit& visit) override {
    followed_.clear();
    if (!visit.judgement.relevant) return;
    absl::flat_hash_set<uint64_t> seen = {seen_fingerprint(visit.page.url)};
    size_t block = 0;
    for (const Link& link : visit.page.links) {
      if (first_links_ > 0 && seen.size() > static_cast<size_t>(first_links_)) break;
      if (text_only_ && !stands_in_text(visit.page, link, block)) continue;
      if (seen.insert(seen_fingerprint(link)).second) followed_.push_back(link.position);
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
  // `block` is where the search begins; links come in the order of the text.
  static bool stands_in_text(const Page& page, const Link& link, size_t& block) {
    while (block < page.blocks.size() && page.blocks[block].text.end < link.anchor.end) ++block;
    return block < page.blocks.size() && page.blocks[block].text.begin <= link.anchor.begin &&
           is_text(page.blocks[block].kind);
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
