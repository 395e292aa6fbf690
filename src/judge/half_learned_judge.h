#pragma once

#include "judge/learned_judge.h"

namespace dowser {

// A cosine c as a relevance that can be held against a probability: c / (c + t), t the threshold of
// the judge that said it.
Relevance relevance_of_cosine(const Judge& cosine, double value);

// Judges by what was learned from pages that nobody called examples, and by the cosine to the topic
// itself, half and half; judge/sampling_trainer.cc tells why.
class HalfLearnedJudge final : public Judge {
 public:
  // The cosine is shared with the trainer and the judges before and after this one.
  HalfLearnedJudge(std::shared_ptr<const Judge> cosine, LearnedJudge learned)
      : cosine_(std::move(cosine)), learned_(std::move(learned)) {}

  Judgement judge(const Page& page) const override;
  Relevance relevance(const Page& page) const override;
  Spec spec() const override { return learned_.spec(); }
  double threshold() const override { return learned_.threshold(); }
  double direction_of(std::span<const TermId> terms) const override {
    return learned_.direction_of(terms);
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return learned_.strongest_words(most);
  }

 private:
  Relevance both(Relevance learned, const Page& page) const;

  const std::shared_ptr<const Judge> cosine_;
  const LearnedJudge learned_;
};

}  // namespace dowser
