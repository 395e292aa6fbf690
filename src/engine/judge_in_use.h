#pragma once

#include <atomic>
#include <memory>

#include "judge/judge.h"
#include "model/field_weights.h"
#include "strategy/strategy.h"

namespace dowser {

// The judge of a crawl: the one it began with, or the newest that its trainer made. Any thread may
// judge; the thread that thinks lets it learn.
class JudgeInUse final : public Judge, public JudgeView {
 public:
  // `fields`: what it sees of a page, where that is not the usual, for spec().
  explicit JudgeInUse(std::unique_ptr<Judge> first, const FieldWeights& fields = {});

  Judgement judge(const Page& page) const override { return current_.load()->judge(page); }
  Relevance relevance(const Page& page) const override { return current_.load()->relevance(page); }
  // On the thread that thinks.
  double direction_of(std::span<const TermId> terms) const override {
    return newest_->direction_of(terms);
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return current_.load()->strongest_words(most);
  }
  Spec spec() const override;
  double threshold() const override { return current_.load()->threshold(); }

  bool learns() const { return trainer_ != nullptr; }
  // These too.
  uint64_t generation() const override { return generation_; }
  Relevance relevance_of(std::span<const TermCount> terms,
                         std::string_view language) const override;

  void learn(const Visit& visit);

  // Nothing where the judge stays as it is.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  void replace(std::unique_ptr<Judge> newest);

  // Shared: a thread may be judging with the old one while a new one takes its place.
  std::atomic<std::shared_ptr<const Judge>> current_;
  std::shared_ptr<const Judge> newest_;  // the same, for the thread that thinks: without locks
  std::unique_ptr<Trainer> trainer_;
  uint64_t generation_ = 0;
  const std::string fields_;
};

}  // namespace dowser
