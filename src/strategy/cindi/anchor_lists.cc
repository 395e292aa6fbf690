#include "strategy/cindi/anchor_lists.h"

#include "base/hash.h"
#include "text/terms.h"

namespace dowser {
namespace {

uint64_t hash_of_terms(std::span<const TermId> terms) {
  return hash64({reinterpret_cast<const char*>(terms.data()), terms.size_bytes()});
}

}  // namespace

AnchorLists::AnchorLists(const Profile::Anchors& anchors)
    : pruning_(anchors.pruning), extracting_(anchors.extracting) {}

AnchorLists::Phrases::Phrases(const std::vector<std::string>& phrases) {
  if (phrases.empty()) return;
  for (const std::string& language : analysed_languages()) {
    absl::flat_hash_set<uint64_t>& hashes = by_language[language];
    for (const std::string& phrase : phrases) {
      const std::vector<TermId> terms = term_ids(phrase, language);
      if (!terms.empty()) hashes.insert(hash_of_terms(terms));
    }
  }
}

bool AnchorLists::Phrases::contains(const Page& page, const Link& link) const {
  if (by_language.empty()) return false;
  const auto it = by_language.find(std::string(analysed_language(page.language)));
  if (it == by_language.end()) return false;
  std::vector<TermId> terms;
  for (const PlacedTerm& term : page.terms_in(link.anchor)) terms.push_back(term.id);
  return !terms.empty() && it->second.contains(hash_of_terms(terms));
}

}  // namespace dowser
