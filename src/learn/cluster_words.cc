#include "learn/cluster_words.h"

#include <algorithm>
#include <cmath>
#include <map>

// Which words are most associated with a cluster? Liu, Janssen and Milios 2005 list thirty of each
// by "log odds ratio" and by "mutual information" and print no formulas. These are the usual ones,
// and give values of the size of theirs:
//
//   log odds            p ln( p (1 - q) / (q (1 - p)) )
//     p = P(w | c), the share of w in all words of the cluster's documents; q = P(w | not c), that
//     in all others; both with 1/2 added to the count. Weighed by p, or the rarest words would
//     lead.
//
//   mutual information  sum over x, y in {0, 1} of P(x, y) ln( P(x, y) / (P(x) P(y)) )
//     x: the document has w, y: it is of the cluster; shares of documents.
//
// The first counts occurrences, the second documents: a word that occurs a hundred times on one
// page leads the first list only. A word that is rarer in the cluster than outside is as telling
// for the second, but tells what the cluster is not about, and is left out of both.
//
// Example: 4 documents, 2 in the cluster; w occurs in exactly these: mutual information ln 2 =
// 0.69.
//
// Cost: terms × clusters.

namespace dowser {
namespace {

struct Counts {
  std::vector<double> words;      // occurrences in each cluster
  std::vector<double> documents;  // of each cluster that have the word
};

double log_odds(double in, double all_in, double out, double all_out) {
  const double p = (in + 0.5) / (all_in + 1);
  const double q = (out + 0.5) / (all_out + 1);
  return p <= q ? 0 : p * std::log(p * (1 - q) / (q * (1 - p)));
}

// a documents of the cluster have the word, b others; c and d of these have not.
double mutual_information(double a, double b, double c, double d) {
  if (a * (b + d) <= b * (a + c)) return 0;
  const double n = a + b + c + d;
  const auto part = [n](double both, double x, double y) {
    return both > 0 ? both / n * std::log(both * n / (x * y)) : 0;
  };
  return part(a, a + b, a + c) + part(b, a + b, b + d) + part(c, c + d, a + c) +
         part(d, c + d, b + d);
}

void keep_strongest(std::vector<ClusterWord>& words, size_t most) {
  std::erase_if(words, [](const ClusterWord& w) { return w.value <= 0; });
  std::sort(words.begin(), words.end(), [](const ClusterWord& a, const ClusterWord& b) {
    return a.value != b.value ? a.value > b.value : a.term < b.term;
  });
  if (words.size() > most) words.resize(most);
}

}  // namespace

std::vector<ClusterWords> cluster_words(std::span<const std::span<const TermCount>> documents,
                                        std::span<const uint32_t> cluster_of, uint32_t clusters,
                                        size_t most) {
  std::map<TermId, Counts> counts;
  Counts total{std::vector<double>(clusters), std::vector<double>(clusters)};
  double all_words = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    const uint32_t c = cluster_of[i];
    ++total.documents[c];
    for (const TermCount& t : documents[i]) {
      Counts& own = counts[t.term];
      if (own.words.empty()) own = {std::vector<double>(clusters), std::vector<double>(clusters)};
      own.words[c] += t.count;
      ++own.documents[c];
      total.words[c] += t.count;
      all_words += t.count;
    }
  }
  std::vector<ClusterWords> strongest(clusters);
  const auto all_documents = static_cast<double>(documents.size());
  for (const auto& [term, own] : counts) {
    double words = 0, with = 0;
    for (uint32_t c = 0; c < clusters; ++c) {
      words += own.words[c];
      with += own.documents[c];
    }
    for (uint32_t c = 0; c < clusters; ++c) {
      if (own.documents[c] == 0) continue;
      strongest[c].by_log_odds.push_back(
          {term, log_odds(own.words[c], total.words[c], words - own.words[c],
                          all_words - total.words[c])});
      const double a = own.documents[c], b = with - a, c_without = total.documents[c] - a;
      strongest[c].by_mutual_information.push_back(
          {term, mutual_information(a, b, c_without, all_documents - a - b - c_without)});
    }
  }
  for (ClusterWords& words : strongest) {
    keep_strongest(words.by_log_odds, most);
    keep_strongest(words.by_mutual_information, most);
  }
  return strongest;
}

}  // namespace dowser
