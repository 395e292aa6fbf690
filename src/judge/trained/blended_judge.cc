#include "judge/trained/blended_judge.h"

#include <cmath>

namespace dowser {
namespace {

// How much the learned classifier counts in the relevance of a page (as an exponent), and the given
// words in the direction of the words of a link. From 22 topics on three webs; what was learned
// from pages that nobody called examples drifts (docs/experiments.md).
constexpr double kOfLearned = 0.25, kOfGivenWords = 0.8;
constexpr double kHalf = 0.5;  // of either, if a person has said what is not meant

}  // namespace

BlendedJudge::BlendedJudge(std::shared_ptr<const Judge> cosine,
                           std::shared_ptr<const Classifier> given, LearnedJudge learned,
                           bool knows_counter_examples)
    : cosine_(std::move(cosine)),
      given_(std::move(given)),
      learned_(std::move(learned)),
      of_learned_(knows_counter_examples ? kHalf : kOfLearned),
      of_given_words_(knows_counter_examples ? kHalf : kOfGivenWords) {}

Relevance relevance_of_cosine(const Judge& cosine, double value) {
  return {value > 0 ? value / (value + cosine.threshold()) : 0};
}

Judgement BlendedJudge::judge(const Page& page) const {
  const Judgement learned = learned_.judge(page), given = cosine_->judge(page);
  Judgement judgement;
  judgement.relevance = both(learned.relevance, given.relevance);
  judgement.relevant = judgement.relevance.value >= threshold();
  if (judgement.relevance.value == 0) return judgement;
  const double of_learned = of_learned_ * judgement.relevance.value;
  const double of_given = judgement.relevance.value - of_learned;
  judgement.reasons = joined(scaled(learned.reasons, of_learned / learned.relevance.value),
                             scaled(given.reasons, of_given / given.relevance.value));
  return judgement;
}

Relevance BlendedJudge::relevance(const PageTerms& page) const {
  return both(learned_.relevance(page), cosine_->relevance(page));
}

double BlendedJudge::direction_of(std::span<const TermId> terms) const {
  const double learned = learned_.direction_of(terms);
  if (!given_) return learned;
  return (1 - of_given_words_) * learned + of_given_words_ * given_->direction_of(terms);
}

// A weighted geometric mean, so that either of the two can rule a page out.
Relevance BlendedJudge::both(Relevance learned, Relevance cosine) const {
  return {std::pow(learned.value, of_learned_) *
          std::pow(relevance_of_cosine(*cosine_, cosine.value).value, 1 - of_learned_)};
}

}  // namespace dowser
