#include "eval/page_values.h"

#include <algorithm>
#include <cmath>

#include "graph/pagerank.h"
#include "text/terms.h"
#include "text/topic_vector.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

constexpr size_t kQueryTerms = 20;
// The usual parameters of BM25 (Robertson et al. 1994).
constexpr double kSaturation = 1.2, kLengthShare = 0.75;

// The number of pages of the pool that have each term.
absl::flat_hash_map<TermId, uint32_t> document_frequencies(const HeldWeb& web,
                                                           std::span<const Node> pool) {
  absl::flat_hash_map<TermId, uint32_t> frequencies;
  for (const Node node : pool) {
    for (const TermCount& t : web.page(node).terms) ++frequencies[t.term];
  }
  return frequencies;
}

double length_of(const Page& page) {
  double length = 0;
  for (const TermCount& t : page.terms) length += t.count;
  return length;
}

// The terms with the highest tf-idf in the examples.
std::vector<std::pair<TermId, double>> query_terms(
    const HeldWeb& web, std::span<const Node> examples,
    const absl::flat_hash_map<TermId, uint32_t>& frequencies, double pool_size) {
  SparseVector sum_of_examples;
  for (const Node node : examples) {
    sum_of_examples = sum(sum_of_examples, log_vector(web.page(node).terms).normalised());
  }
  std::vector<std::pair<TermId, double>> terms;  // with their inverse document frequency
  std::vector<std::pair<double, TermId>> strengths;
  for (const auto& [term, value] : sum_of_examples.entries()) {
    const auto it = frequencies.find(term);
    const double df = it == frequencies.end() ? 0 : it->second;
    strengths.emplace_back(value * std::log(1 + pool_size / (df + 1)), term);
  }
  std::sort(strengths.rbegin(), strengths.rend());
  for (size_t i = 0; i < std::min(kQueryTerms, strengths.size()); ++i) {
    const auto it = frequencies.find(strengths[i].second);
    const double df = it == frequencies.end() ? 0 : it->second;
    terms.emplace_back(strengths[i].second, std::log(1 + (pool_size - df + 0.5) / (df + 0.5)));
  }
  return terms;
}

uint32_t count_of(const Page& page, TermId term) {
  const auto it = std::lower_bound(page.terms.begin(), page.terms.end(), term,
                                   [](const TermCount& t, TermId id) { return t.term < id; });
  return it != page.terms.end() && it->term == term ? it->count : 0;
}

// Names of topics are written with hyphens.
std::vector<TermId> terms_of(std::string_view keyword) {
  std::string words(keyword);
  std::replace(words.begin(), words.end(), '-', ' ');
  return term_ids(words, "en");
}

}  // namespace

std::vector<double> similarities(const HeldWeb& web, std::span<const Node> description) {
  TopicVector topic;
  for (const Node node : description) topic.add_example(web.page(node).terms);
  std::vector<double> values(web.nodes());
  for (Node node = 0; node < web.nodes(); ++node) {
    values[node] = topic.similarity(web.page(node).terms, web.page(node).language);
  }
  return values;
}

std::vector<double> predicate(const HeldWeb& web, std::string_view keyword) {
  const std::vector<TermId> wanted = terms_of(keyword);
  std::vector<double> values(web.nodes());
  for (Node node = 0; node < web.nodes(); ++node) {
    const Page& page = web.page(node);
    values[node] = std::all_of(wanted.begin(), wanted.end(),
                               [&](TermId term) { return count_of(page, term) > 0; });
  }
  return values;
}

std::vector<double> phrase(const HeldWeb& web, std::string_view keyword) {
  const std::vector<TermId> wanted = terms_of(keyword);
  const auto stands_in = [&](std::span<const TermId> terms) {
    return std::search(terms.begin(), terms.end(), wanted.begin(), wanted.end()) != terms.end();
  };
  std::vector<double> values(web.nodes());
  std::vector<TermId> terms;
  for (Node node = 0; node < web.nodes() && !wanted.empty(); ++node) {
    const Page& page = web.page(node);
    terms.clear();
    for (const PlacedTerm& term : page.placed_terms) terms.push_back(term.id);
    values[node] = stands_in(terms) || stands_in(term_ids(page.title, page.language));
  }
  return values;
}

std::vector<double> in_link_popularity(const HeldWeb& web) {
  const LinkGraph& links = web.links();
  const double mean =
      static_cast<double>(links.edges()) / static_cast<double>(std::max<size_t>(links.nodes(), 1));
  std::vector<double> values(web.nodes());
  for (Node node = 0; node < links.nodes() && mean > 0; ++node) {
    values[node] = static_cast<double>(links.in().degree(node)) / mean;
  }
  return values;
}

std::vector<double> popularity(const HeldWeb& web) {
  std::vector<double> values = pagerank(web.links()).values;
  for (double& value : values) value *= static_cast<double>(web.nodes());
  return values;
}

std::vector<double> retrieval_ranks(const HeldWeb& web, std::span<const Node> pool,
                                    std::span<const Node> examples) {
  std::vector<double> values(web.nodes());
  const auto size = static_cast<double>(pool.size());
  const auto frequencies = document_frequencies(web, pool);
  const auto query = query_terms(web, examples, frequencies, size);
  double mean_length = 0;
  for (const Node node : pool) mean_length += length_of(web.page(node)) / size;
  std::vector<std::pair<double, Node>> scores;
  for (const Node node : pool) {
    const Page& page = web.page(node);
    const double length = mean_length > 0 ? length_of(page) / mean_length : 0;
    const double norm = kSaturation * (1 - kLengthShare + kLengthShare * length);
    double score = 0;
    for (const auto& [term, idf] : query) {
      const double tf = count_of(page, term);
      score += idf * tf * (kSaturation + 1) / (tf + norm);
    }
    scores.emplace_back(score, node);
  }
  std::sort(scores.begin(), scores.end());
  for (size_t i = 0, end = 0; i < scores.size(); i = end) {
    while (end < scores.size() && scores[end].first == scores[i].first) ++end;
    const double place = static_cast<double>(i + end - 1) / 2;
    for (size_t k = i; k < end; ++k) {
      values[scores[k].second] = scores.size() < 2 ? 1 : place / (size - 1);
    }
  }
  return values;
}

}  // namespace dowser
