#include "parse/weighed_terms.h"

#include <algorithm>

#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kTooFew = 10;  // terms

void add_text(std::string_view text, std::string_view language, uint32_t times,
              TermCounter& counter) {
  if (times == 0 || text.empty()) return;
  for (const TermId id : term_ids(text, language)) counter.add(id, times);
}

// Terms, blocks and emphasised parts are all in document order.
void add_blocks(const Page& page, const FieldWeights& weights, TermCounter& counter) {
  auto emphasised = page.emphasised.begin();
  auto term = page.placed_terms.begin();
  const auto end = page.placed_terms.end();
  for (const Block& block : page.blocks) {
    const auto stop =
        std::find_if(term, end, [&](const PlacedTerm& t) { return t.place >= block.text.end; });
    const uint8_t usual = weights.roles[static_cast<size_t>(block.role)];
    if (usual == 0) {
      term = stop;
      continue;
    }
    if (block.kind == BlockKind::kHeading) {
      for (; term != stop; ++term) counter.add(term->id, weights.heading);
      continue;
    }
    for (; term != stop; ++term) {
      while (emphasised != page.emphasised.end() && emphasised->end <= term->place) ++emphasised;
      const bool is_strong =
          emphasised != page.emphasised.end() && emphasised->begin <= term->place;
      counter.add(term->id, is_strong ? weights.emphasis * usual : usual);
    }
  }
  for (; term != end; ++term) counter.add(term->id);
}

}  // namespace

std::vector<TermCount> weighed_terms(const Page& page, const FieldWeights& weights) {
  TermCounter counter(page.placed_terms.size());
  add_blocks(page, weights, counter);
  if (counter.total() < kTooFew) {
    counter = TermCounter(page.placed_terms.size());
    for (const PlacedTerm& term : page.placed_terms) counter.add(term.id);
  }
  add_text(page.title, page.language, weights.title, counter);
  add_text(page.description, page.language, weights.description, counter);
  add_text(page.keywords, page.language, weights.keywords, counter);
  return std::move(counter).sorted();
}

}  // namespace dowser
