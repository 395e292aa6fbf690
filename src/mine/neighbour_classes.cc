// Link-based classification (Küçük 2009, section 2.2, "link-based classification"; Chakrabarti, Dom
// and Indyk, SIGMOD 1998; Lu and Getoor, ICML 2003): a page is often of the class of the pages that
// link to it, that it links to, or that are listed beside it. The homepage of a student may hardly
// have words, but the page that links to it links to thirty other students.
//
// Each page gets a term for each class in three directions: "in", the pages that link to it; "out",
// those that it links to; and "beside", those that are linked from the same pages (co-citation).
// With 40 students and 10 others beside a page, the term "beside: student" has the count 1 + 80 and
// "beside: other" 1 + 20: the share of the neighbours of known class, of 100. A classifier learns
// what they are worth in the same way as for words. Chakrabarti et al. found that the words of
// neighbours make it worse and their classes better, so words are not taken.
//
// What is ours: shares instead of counts, so that a page with many links is like one with few, and
// the factor 100, with which a share of a classifier with logarithmic weights weighs about five
// words. A page that links to more than 1,000 others lists everything and says nothing about them.
//
// Cost: O(links of the pages that link to the page).

#include "mine/neighbour_classes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr double kScale = 100;
constexpr size_t kMostListed = 1000;

using Shares = std::map<uint32_t, double>;  // by class

Shares shares_of(std::span<const uint32_t> nodes, uint32_t except,
                 std::span<const uint32_t> class_of) {
  Shares shares;
  double known = 0;
  for (const uint32_t n : nodes) {
    if (n == except || class_of[n] == kUnknownClass) continue;
    ++shares[class_of[n]];
    ++known;
  }
  for (auto& [c, share] : shares) share /= known;
  return shares;
}

Shares shares_beside(const LinkGraph& graph, uint32_t node, std::span<const uint32_t> class_of) {
  Shares sum;
  double lists = 0;
  for (const uint32_t list : graph.in().of(node)) {
    if (graph.out().degree(list) > kMostListed) continue;
    const Shares shares = shares_of(graph.out().of(list), node, class_of);
    for (const auto& [c, share] : shares) sum[c] += share;
    lists += !shares.empty();
  }
  for (auto& [c, share] : sum) share /= lists;
  return sum;
}

void add_terms(const Shares& shares, const std::string& direction, std::vector<TermCount>& to) {
  for (const auto& [c, share] : shares) {
    // No word has a control character, so no word has this term.
    const uint64_t hash = hash64("\x01" + direction + std::to_string(c));
    to.push_back(
        {static_cast<TermId>(hash), 1 + static_cast<uint32_t>(std::lround(kScale * share))});
  }
}

}  // namespace

std::vector<TermCount> neighbour_terms(const LinkGraph& graph, uint32_t node,
                                       std::span<const uint32_t> class_of) {
  std::vector<TermCount> terms;
  add_terms(shares_of(graph.in().of(node), node, class_of), "in", terms);
  add_terms(shares_of(graph.out().of(node), node, class_of), "out", terms);
  add_terms(shares_beside(graph, node, class_of), "beside", terms);
  return with_neighbour_terms({}, terms);
}

std::vector<TermCount> with_neighbour_terms(std::span<const TermCount> words,
                                            std::span<const TermCount> neighbours) {
  std::vector<TermCount> all(words.begin(), words.end());
  all.insert(all.end(), neighbours.begin(), neighbours.end());
  std::sort(all.begin(), all.end(),
            [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
  return all;
}

}  // namespace dowser
