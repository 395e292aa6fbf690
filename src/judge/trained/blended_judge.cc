#include "judge/trained/blended_judge.h"

#include <cmath>

namespace dowser {

Relevance relevance_of_cosine(const Judge& cosine, double value) {
  return {value > 0 ? value / (value + cosine.threshold()) : 0};
}

Judgement BlendedJudge::judge(const Page& page) const {
  const Judgement learned = learned_.judge(page), given = cosine_->judge(page);
  Judgement judgement;
  judgement.relevance = both(learned.relevance, given.relevance);
  judgement.relevant = judgement.relevance.value >= threshold();
  if (judgement.relevance.value == 0) return judgement;
  // Each of the two accounts for half of the relevance.
  const double half = judgement.relevance.value / 2;
  judgement.reasons = joined(scaled(learned.reasons, half / learned.relevance.value),
                             scaled(given.reasons, half / given.relevance.value));
  return judgement;
}

Relevance BlendedJudge::relevance(const PageTerms& page) const {
  return both(learned_.relevance(page), cosine_->relevance(page));
}

double BlendedJudge::direction_of(std::span<const TermId> terms) const {
  const double learned = learned_.direction_of(terms);
  return given_ ? (learned + given_->direction_of(terms)) / 2 : learned;
}

// The geometric mean, so that either of the two can rule a page out.
Relevance BlendedJudge::both(Relevance learned, Relevance cosine) const {
  return {std::sqrt(learned.value * relevance_of_cosine(*cosine_, cosine.value).value)};
}

}  // namespace dowser
