#pragma once

#include <atomic>
#include <memory>

#include "judge/judge.h"

namespace dowser {

// The judge of a crawl: the one it began with, or the newest that its trainer made. Any thread may
// judge; the thread that thinks lets it learn.
class JudgeInUse final : public Judge {
 public:
  explicit JudgeInUse(std::unique_ptr<Judge> first);

  Judgement judge(const Page& page) const override { return current_.load()->judge(page); }
  Spec spec() const override { return current_.load()->spec(); }
  double threshold() const override { return current_.load()->threshold(); }

  void learn(const Visit& visit);

  // Nothing where the judge stays as it is.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  // Shared: a thread may be judging with the old one while a new one takes its place.
  std::atomic<std::shared_ptr<const Judge>> current_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace dowser
