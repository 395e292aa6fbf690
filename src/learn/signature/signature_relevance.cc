#include "learn/signature/signature_relevance.h"

#include <algorithm>
#include <cmath>

// A signature hits a page or it does not, and the thesis of Pinnamaneni (2013) has nothing beyond
// that: "URLs of documents for which at least one semantic signature is recorded". To order pages,
// we add up evidence, as probabilistic retrieval does (Robertson and Zaragoza 2009):
//
//   evidence  = Σ -ln(1 - p(s)) / n  +  Σ -ln(1 - p(w)) x (k + 1) / (x + k n)
//   n         = 1 - b + b · length / 600
//   relevance = evidence / (evidence + h)
//
// The first sum goes over the signatures s that hit, each once; p(s) is the share of its hits on
// training and background documents that were on the topic (SignatureEvidence). The sum alone would
// be the noisy-or 1 - Π(1 - p(s)). The second sum goes over the keywords w of the library, x times
// in the page, in the form of BM25, in which occurrences count less and less; p(w) is the share of
// the documents with the word that are on the topic, so a word counts as a signature of one word
// would. Both sums are divided by the length of the page, since a long page holds any word, and any
// signature, more often.
//
// Example: a page of 600 words (n = 1) that a signature of precision 0.8 hits, with a p of 0.75 for
// its two words, twice and once in the page: 1.61 + 1.39 · 2 · 4/5 + 1.39 · 1 · 4/4 = 5.21.
//
// Without a background set nothing is known about a word elsewhere, and the idf of the program's
// own vocabulary, divided by 4, takes the place of -ln(1 - p(w)).
//
// Parameters. b = 0.75 is the usual value of BM25; k = 3 is higher than usual (1.2), since pages
// repeat the words of their topic. h is 6 % of the evidence that all signatures and words together
// could give, so that it does not depend on the size of the library. 600 is the usual number of
// words of a page, without stop words; a page sees no collection from which its mean could be
// taken. Lengths beyond a quarter and four times of that count as these.
//
// Chosen on four topics of the schools collection (birds, food, weather, writers), two draws, where
// k from 1.5 to 5, b from 0.5 to 1 and signatures that count half or twice as much give average
// precisions from 0.58 to 0.63. Tried and left: the idf of the built-in vocabulary or of training
// and background for words (0.01 to 0.03 less), counts of hits with saturation and signatures that
// all count the same (0.01 to 0.02 less). docs/signatures.md has figures.

namespace dowser {
namespace {

constexpr double kSaturation = 3;      // k
constexpr double kLengthShare = 0.75;  // b
constexpr double kUsualLength = 600;
constexpr double kShortest = 0.25, kLongest = 4;  // times the usual length
constexpr double kHalf = 0.06;
constexpr double kIdfShare = 0.25;  // of a word's idf, where p(w) is not known

double weight_of(const SignatureEvidence& evidence) { return -std::log(1 - evidence.precision()); }

double length_factor(double length) {
  const double times = std::clamp(length / kUsualLength, kShortest, kLongest);
  return 1 - kLengthShare + kLengthShare * times;
}

}  // namespace

SignatureRelevance::SignatureRelevance(std::span<const Signature> library,
                                       const GroupScanner& groups,
                                       const std::function<TermId(std::string_view)>& term_of,
                                       const std::function<double(std::string_view)>& idf)
    : of_keyword_(groups.keywords()) {
  double all = 0, weakest = INFINITY;
  for (const Signature& s : library) {
    const double weight = weight_of(s.evidence);
    of_signature_.push_back(weight);
    all += weight;
    weakest = std::min(weakest, weight);
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t keyword = groups.keyword_of(term_of(s.words[i]));
      if (keyword == GroupScanner::kNone) continue;
      of_keyword_[keyword] = s.of_words[i].background_of > 0
                                 ? weight_of(s.of_words[i])
                                 : kIdfShare * std::max(0.0, idf(s.words[i]));
    }
  }
  for (const double weight : of_keyword_) all += weight * (kSaturation + 1);
  half_ = std::max(kHalf * all, 1e-9);
  if (!library.empty()) least_ = from_evidence(weakest / length_factor(kLongest * kUsualLength));
}

double SignatureRelevance::operator()(std::span<const HitCount> hits,
                                      std::span<const uint32_t> counts, size_t length) const {
  if (hits.empty()) return 0;
  const double factor = length_factor(static_cast<double>(length));
  double evidence = 0;
  for (const HitCount& hit : hits) evidence += of_signature_[hit.signature] / factor;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double x = counts[i];
    if (x > 0) evidence += of_keyword_[i] * x * (kSaturation + 1) / (x + kSaturation * factor);
  }
  return from_evidence(evidence);
}

double SignatureRelevance::operator()(std::span<const HitCount> hits,
                                      std::span<const GroupScanner::Event> events,
                                      size_t length) const {
  if (hits.empty()) return 0;
  std::vector<uint32_t> counts(of_keyword_.size());
  for (const GroupScanner::Event& event : events) ++counts[event.keyword];
  return (*this)(hits, counts, length);
}

}  // namespace dowser
