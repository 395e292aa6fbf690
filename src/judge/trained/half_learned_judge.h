#pragma once

#include "judge/trained/learned_judge.h"

namespace dowser {

// A cosine c as a relevance that can be held against a probability: c / (c + t), t the threshold of
// the judge that said it.
Relevance relevance_of_cosine(const Judge& cosine, double value);

// Judges by what was learned from pages that nobody called examples, and by the cosine to the topic
// itself, half and half; judge/trained/sampling_trainer.cc tells why. So it is with the words of
// links: by what was learned, and by the topic itself.
class HalfLearnedJudge final : public Judge {
 public:
  // What stands for the topic is shared with the trainer and the judges before and after this one:
  // the cosine for pages, `given` for links (none: only what was learned counts there).
  HalfLearnedJudge(std::shared_ptr<const Judge> cosine, std::shared_ptr<const Classifier> given,
                   LearnedJudge learned)
      : cosine_(std::move(cosine)), given_(std::move(given)), learned_(std::move(learned)) {}

  Judgement judge(const Page& page) const override;
  Relevance relevance(const Page& page) const override;
  Spec spec() const override { return learned_.spec(); }
  double threshold() const override { return learned_.threshold(); }
  double direction_of(std::span<const TermId> terms) const override;
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return strongest_of(learned_.words(), *this, most);
  }

 private:
  Relevance both(Relevance learned, const Page& page) const;

  const std::shared_ptr<const Judge> cosine_;
  const std::shared_ptr<const Classifier> given_;
  const LearnedJudge learned_;
};

}  // namespace dowser
