#include <algorithm>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "base/random.h"
#include "judge/judge.h"
#include "learn/example_model.h"
#include "text/terms.h"

// (essay to come)

namespace dowser {
namespace {

constexpr size_t kFirstFit = 15;
constexpr double kGrowth = 1.6;
constexpr size_t kMostOthers = 200, kLeastOthers = 5;
constexpr double kOthersBelow = 0.9;
constexpr size_t kMostSample = 2000;

SparseVector counts_of(std::span<const TermCount> terms) {
  std::vector<SparseVector::Entry> entries;
  for (const TermCount& t : terms) entries.push_back({t.term, static_cast<double>(t.count)});
  return SparseVector(std::move(entries));
}

struct Known {
  std::vector<SparseVector> examples;
  std::map<TermId, std::string> words;
  double threshold = 0.5;
};

class LearnedJudge final : public Judge {
 public:
  LearnedJudge(std::shared_ptr<const Known> known, ExampleModel model)
      : known_(std::move(known)), model_(std::move(model)) {}

  Judgement judge(const Page& page) const override {
    Judgement judgement;
    const SparseVector counts = counts_of(page.terms);
    judgement.relevance.value = model_.relevance(counts);
    judgement.relevant = judgement.relevance.value >= known_->threshold;
    return judgement;
  }
  Relevance relevance(const Page& page) const override {
    return {model_.relevance(counts_of(page.terms))};
  }
  double direction_of(std::span<const TermId> terms) const override {
    return model_.direction_of(terms);
  }
  Spec spec() const override { return {"learned", {}}; }
  double threshold() const override { return known_->threshold; }
  std::unique_ptr<Trainer> trainer() const override;

  const ExampleModel& model() const { return model_; }
  const Known& known() const { return *known_; }
  std::shared_ptr<const Known> shared() const { return known_; }

 private:
  std::shared_ptr<const Known> known_;
  ExampleModel model_;
};

class LearnedTrainer final : public Trainer {
 public:
  LearnedTrainer(std::shared_ptr<const Known> known, ExampleModel first)
      : known_(std::move(known)), model_(std::move(first)) {}

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    ++seen_;
    if (visit.response.ok() && !visit.page.terms.empty()) {
      if (sample_.size() < kMostSample) {
        sample_.push_back(counts_of(visit.page.terms));
      } else if (const uint64_t at = random_.below(seen_); at < kMostSample) {
        sample_[at] = counts_of(visit.page.terms);
      }
    }
    if (seen_ < next_) return nullptr;
    next_ = std::max(next_ + 1, static_cast<size_t>(std::lround(next_ * kGrowth)));
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < sample_.size(); ++i) order.emplace_back(model_.likeness(sample_[i]), i);
    std::sort(order.begin(), order.end());
    order.resize(order.size() / 2);
    std::erase_if(order, [](const auto& entry) { return entry.first >= kOthersBelow; });
    Random random(seen_);
    std::vector<SparseVector> others;
    for (size_t i = 0; i < order.size() && others.size() < kMostOthers; ++i) {
      std::swap(order[i], order[i + random.below(order.size() - i)]);
      others.push_back(sample_[order[i].second]);
    }
    if (others.size() < kLeastOthers) return nullptr;
    Result<ExampleModel> model = ExampleModel::train(known_->examples, others);
    if (!model) return nullptr;
    model_ = std::move(*model);
    return std::make_unique<LearnedJudge>(known_, model_);
  }
  void save(ByteWriter&) const override {}
  Result<std::unique_ptr<Judge>> load(ByteReader&) override { return std::unique_ptr<Judge>(); }

 private:
  std::shared_ptr<const Known> known_;
  ExampleModel model_;
  std::vector<SparseVector> sample_;
  size_t seen_ = 0, next_ = kFirstFit;
  Random random_{1};
};

std::unique_ptr<Trainer> LearnedJudge::trainer() const {
  return std::make_unique<LearnedTrainer>(known_, model_);
}

}  // namespace

Result<std::unique_ptr<Judge>> make_learned_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  auto known = std::make_shared<Known>();
  for (const Page& page : context.topic.examples) known->examples.push_back(counts_of(page.terms));
  if (const auto ids = term_ids(context.topic.words, "en"); !ids.empty()) {
    std::vector<SparseVector::Entry> entries;
    for (const TermId id : ids) entries.push_back({id, 1});
    known->examples.push_back(SparseVector(std::move(entries)));
  }
  known->threshold = context.threshold.value_or(0.5);
  Result<ExampleModel> model = ExampleModel::train(known->examples, {});
  if (!model) return model.error();
  return std::unique_ptr<Judge>(std::make_unique<LearnedJudge>(known, std::move(*model)));
}

}  // namespace dowser
