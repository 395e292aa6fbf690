#include "eval/perfect_judge.h"

#include <unordered_set>

#include "base/hash.h"

namespace dowser {
namespace {

using Known = std::unordered_set<uint64_t>;  // hashes of the terms of pages

uint64_t hash_of(std::span<const TermCount> terms) {
  return hash64({reinterpret_cast<const char*>(terms.data()), terms.size_bytes()});
}

class PerfectJudge final : public Judge, public JudgesWords, public Learns {
 public:
  PerfectJudge(std::shared_ptr<const Known> known, std::unique_ptr<Judge> learned)
      : known_(std::move(known)),
        learned_(std::move(learned)),
        words_(dynamic_cast<const JudgesWords*>(learned_.get())) {}

  Judgement judge(const Page& page) const override {
    Judgement judgement;
    judgement.relevance = relevance(terms_of(page));
    judgement.relevant = judgement.relevance.value > 0;
    return judgement;
  }
  Relevance relevance(const PageTerms& page) const override {
    return {known_->contains(hash_of(page.terms)) ? 1.0 : 0.0};
  }
  double direction_of(std::span<const TermId> terms) const override {
    return words_ ? words_->direction_of(terms) : 0;
  }
  Spec spec() const override { return {std::string(kPerfect), {}}; }
  double threshold() const override { return 0.5; }
  std::unique_ptr<Trainer> trainer() const override;

 private:
  const std::shared_ptr<const Known> known_;
  const std::unique_ptr<Judge> learned_;
  const JudgesWords* const words_;  // the same, if it judges words
};

class PerfectTrainer final : public Trainer {
 public:
  PerfectTrainer(std::shared_ptr<const Known> known, std::unique_ptr<Trainer> trainer)
      : known_(std::move(known)), trainer_(std::move(trainer)) {}

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    std::unique_ptr<Judge> better = trainer_->learn(visit);
    if (!better) return nullptr;
    return std::make_unique<PerfectJudge>(known_, std::move(better));
  }
  void save(ByteWriter&) const override {}
  Result<std::unique_ptr<Judge>> load(ByteReader&) override {
    return Error{"a comparison is not saved"};
  }

 private:
  const std::shared_ptr<const Known> known_;
  const std::unique_ptr<Trainer> trainer_;
};

std::unique_ptr<Trainer> PerfectJudge::trainer() const {
  std::unique_ptr<Trainer> trainer = trainer_of(*learned_);
  if (!trainer) return nullptr;
  return std::make_unique<PerfectTrainer>(known_, std::move(trainer));
}

}  // namespace

Result<std::unique_ptr<Judge>> make_perfect_judge(const Topic& topic,
                                                  std::span<const Page* const> pages_of_topic) {
  Result<std::unique_ptr<Judge>> learned = make_learned_judge({"learned", {}}, {topic, {}, {}});
  if (!learned) return learned.error();
  auto known = std::make_shared<Known>();
  for (const Page* page : pages_of_topic) known->insert(hash_of(page->terms));
  return std::unique_ptr<Judge>(
      std::make_unique<PerfectJudge>(std::move(known), std::move(*learned)));
}

}  // namespace dowser
