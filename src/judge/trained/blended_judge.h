#pragma once

#include "judge/trained/learned_judge.h"

namespace dowser {

// Converts a cosine c into a relevance that is comparable to a probability: c / (c + t), where t is
// the threshold of the cosine judge.
Relevance relevance_of_cosine(const Judge& cosine, double value);

// Combines a learned classifier with the cosine to the topic. It is used when the user gave few
// examples or none, so that the classifier was trained on pages that nobody called examples: it
// counts a quarter, and a fifth for the words of links; if the user gave counter-examples, which
// only the classifier knows, half. judge/trained/sampling_trainer.cc explains why.
class BlendedJudge final : public Judge, public JudgesWords {
 public:
  // Shares the cosine judge (for pages) and `given` (for the words of links) with the trainer and
  // other judges. Without `given` the words of links are judged by the learned classifier alone.
  BlendedJudge(std::shared_ptr<const Judge> cosine, std::shared_ptr<const Classifier> given,
               LearnedJudge learned, bool knows_counter_examples);

  Judgement judge(const Page& page) const override;
  Relevance relevance(const PageTerms& page) const override;
  Spec spec() const override { return learned_.spec(); }
  double threshold() const override { return learned_.threshold(); }
  double direction_of(std::span<const TermId> terms) const override;
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return strongest_of(learned_.words(), *this, most);
  }

 private:
  Relevance both(Relevance learned, Relevance cosine) const;

  const std::shared_ptr<const Judge> cosine_;
  const std::shared_ptr<const Classifier> given_;
  const LearnedJudge learned_;
  const double of_learned_, of_given_words_;
};

}  // namespace dowser
