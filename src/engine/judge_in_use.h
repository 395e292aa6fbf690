#pragma once

#include <memory>
#include <mutex>

#include "judge/judge.h"
#include "model/field_weights.h"
#include "strategy/strategy.h"

namespace dowser {

// The judge of a crawl: the one it began with, or the newest that its trainer made. Any thread may
// judge; all other functions are for the thread that runs the crawl.
class JudgeInUse final : public Judge, public JudgeView {
 public:
  // `fields`: what it sees of a page, where that is not the usual, for spec().
  explicit JudgeInUse(std::unique_ptr<Judge> first, const FieldWeights& fields = {});

  Judgement judge(const Page& page) const override { return current()->judge(page); }
  Relevance relevance(const PageTerms& page) const override { return current()->relevance(page); }
  Spec spec() const override;
  double threshold() const override { return current()->threshold(); }

  uint64_t generation() const override { return generation_; }
  double direction_of(std::span<const TermId> terms) const override {
    return words_ ? words_->direction_of(terms) : 0;
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const {
    return words_ ? words_->strongest_words(most) : std::vector<Judgement::Reason>();
  }

  bool learns() const { return trainer_ != nullptr; }
  void learn(const Visit& visit);

  // Tells strategies that the judge is a new one, if the topic of a resumed crawl has changed.
  // Called once what was learned before is learned again.
  void announce_renewal() {
    if (trainer_ && trainer_->is_renewed()) ++generation_;
  }

  // save() writes nothing if the judge does not learn.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  void replace(std::unique_ptr<Judge> newest);
  std::shared_ptr<const Judge> current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

  mutable std::mutex mutex_;
  // Shared: a thread may be judging with the old one while a new one takes its place.
  std::shared_ptr<const Judge> current_;  // guarded by mutex_
  const JudgesWords* words_ = nullptr;    // the same judge, if it judges words
  std::unique_ptr<Trainer> trainer_;
  uint64_t generation_ = 0;
  const std::string fields_;
};

}  // namespace dowser
