#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "learn/signature/signature.h"
#include "learn/signature/signature_scanner.h"

namespace dowser {

// How relevant a text with hits is: a number by which texts can be ordered. The essay is in
// signature_relevance.cc. Immutable; any thread may use one.
class SignatureRelevance {
 public:
  // `groups` is the scanner of the library. `idf` says how rare a keyword is in general,
  // for libraries that were learned without a background set.
  SignatureRelevance(std::span<const Signature> library, const GroupScanner& groups,
                     const std::function<TermId(std::string_view)>& term_of,
                     const std::function<double(std::string_view)>& idf);

  // `hits` names the signatures that hit; `counts` has the occurrences of each keyword, by its
  // number in the scanner; `length` is the number of words of the text. 0 without hits.
  double operator()(std::span<const HitCount> hits, std::span<const uint32_t> counts,
                    size_t length) const;
  // The same from the places of the keywords.
  double operator()(std::span<const HitCount> hits, std::span<const GroupScanner::Event> events,
                    size_t length) const;

  // No text with a hit has less.
  double least() const { return least_; }

 private:
  double from_evidence(double evidence) const { return evidence / (evidence + half_); }

  std::vector<double> of_signature_;  // weights
  std::vector<double> of_keyword_;    // likewise, by number in the scanner
  double half_ = 1;                   // evidence with a relevance of one half
  double least_ = 0;
};

}  // namespace dowser
