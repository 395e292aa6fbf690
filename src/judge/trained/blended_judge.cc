#include "judge/trained/blended_judge.h"

#include <cmath>

namespace dowser {

Relevance relevance_of_cosine(const Judge& cosine, double value) {
  return {value > 0 ? value / (value + cosine.threshold()) : 0};
}

Judgement BlendedJudge::judge(const Page& page) const {
  Judgement judgement = learned_.judge(page);
  judgement.relevance = both(judgement.relevance, terms_of(page));
  judgement.relevant = judgement.relevance.value >= threshold();
  return judgement;
}

Relevance BlendedJudge::relevance(const PageTerms& page) const {
  return both(learned_.relevance(page), page);
}

double BlendedJudge::direction_of(std::span<const TermId> terms) const {
  const double learned = learned_.direction_of(terms);
  return given_ ? (learned + given_->direction_of(terms)) / 2 : learned;
}

// The geometric mean, so that either of the two can rule a page out.
Relevance BlendedJudge::both(Relevance learned, const PageTerms& page) const {
  const Relevance given = relevance_of_cosine(*cosine_, cosine_->relevance(page).value);
  return {std::sqrt(learned.value * given.value)};
}

}  // namespace dowser
