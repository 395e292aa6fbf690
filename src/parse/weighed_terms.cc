#include "parse/weighed_terms.h"

#include <algorithm>

#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kTooFew = 10;  // terms

void add(TermId id, size_t times, std::vector<TermId>& ids) {
  for (size_t i = 0; i < times; ++i) ids.push_back(id);
}

void add_text(std::string_view text, std::string_view language, size_t times,
              std::vector<TermId>& ids) {
  if (times == 0 || text.empty()) return;
  const size_t begin = ids.size();
  append_term_ids(text, language, ids);
  const size_t end = ids.size();
  for (size_t i = begin; i < end; ++i) add(ids[i], times - 1, ids);
}

// Terms, blocks and emphasised parts are all in document order.
void add_blocks(const Page& page, const FieldWeights& weights, std::vector<TermId>& ids) {
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
      for (; term != stop; ++term) add(term->id, weights.heading, ids);
      continue;
    }
    for (; term != stop; ++term) {
      while (emphasised != page.emphasised.end() && emphasised->end <= term->place) ++emphasised;
      const bool is_strong =
          emphasised != page.emphasised.end() && emphasised->begin <= term->place;
      add(term->id, is_strong ? weights.emphasis * usual : usual, ids);
    }
  }
  for (; term != end; ++term) add(term->id, 1, ids);
}

}  // namespace

std::vector<TermCount> weighed_terms(const Page& page, const FieldWeights& weights) {
  std::vector<TermId> ids;
  ids.reserve(page.placed_terms.size() + 64);
  add_blocks(page, weights, ids);
  if (ids.size() < kTooFew) {
    ids.clear();
    for (const PlacedTerm& term : page.placed_terms) ids.push_back(term.id);
  }
  add_text(page.title, page.language, weights.title, ids);
  add_text(page.description, page.language, weights.description, ids);
  add_text(page.keywords, page.language, weights.keywords, ids);
  return count_terms(std::move(ids));
}

}  // namespace dowser
