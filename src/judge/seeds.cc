#include <algorithm>
#include <cmath>

#include "judge/judge.h"
#include "judge/trained/learned_judge.h"

// Seeds: similarity to the start pages ("similarity to seed pages" in Küçük 2009, section 4.2: the
// seed pages are combined into one document, and the importance of a page is its cosine to that
// document). It is for crawls whose start pages describe the topic better than words do.
//
// clang-format off
//   relevance = p · s / (|p| |s|)     p, s: for each term 1 + ln(number of occurrences); s of the
//                                     texts of all start pages taken together
// clang-format on
//
// Example: the seeds are "owl owl night" and "owl dusk". The document has owl 3 times, night and
// dusk once, so s is (1 + ln 3, 1, 1), and the page "owl" has the cosine 2.10 / 2.53 = 0.83.
//
// Start pages become known as they are fetched, so this is a judge that learns: each of the first
// 100 is added to the document and makes a new judge. Until the first one has been fetched, the
// cosine to the topic judges. A start page is a visit without a parent; one that cannot be fetched,
// is empty, or is a copy of another adds nothing.
//
// The threshold, unless the user sets one, is chosen as for cosine: half the mean cosine of a seed
// to the others together, and 0.2 for a single seed. A seed that leads to the topic but is not on
// it (a list of links, a home page) pulls the document away from the topic; then it is better to
// give examples to cosine. docs/experiments.md has figures.

namespace dowser {
namespace {

constexpr size_t kMostSeeds = 100;
constexpr double kSingleThreshold = 0.2;
constexpr double kShareOfSeeds = 0.5;

class SeedsClassifier final : public Classifier {
 public:
  explicit SeedsClassifier(SparseVector counts) {
    std::vector<SparseVector::Entry> entries;
    for (const auto& e : counts.entries()) entries.push_back({e.index, 1 + std::log(e.value)});
    document_ = SparseVector(std::move(entries)).normalised();
  }
  double probability(std::span<const TermCount> terms) const override {
    return std::clamp(dot(unit_vector(terms), document_), 0.0, 1.0);
  }
  bool is_sum() const override { return true; }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    const SparseVector page = unit_vector(terms);
    std::vector<SparseVector::Entry> shares;
    for (const auto& e : page.entries())
      shares.push_back({e.index, e.value * document_.at(e.index)});
    return SparseVector(std::move(shares));
  }
  void save(ByteWriter&) const override {}  // the trainer has the pages

 private:
  SparseVector document_;
};

class SeedsTrainer final : public Trainer {
 public:
  SeedsTrainer(Spec spec, TermWords words, std::optional<double> threshold)
      : spec_(std::move(spec)), words_(std::move(words)), threshold_(threshold) {}

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    const bool is_seed = !visit.candidate.trail.parent;
    if (!is_seed || !visit.is_new_page() || visit.page.terms.empty()) return nullptr;
    if (pages_.size() == kMostSeeds) return nullptr;
    pages_.push_back(count_vector(visit.page.terms));
    add_words(visit.page, words_);
    return judge();
  }

  void save(ByteWriter& out) const override {
    out.number(static_cast<uint32_t>(pages_.size()));
    for (const SparseVector& page : pages_) {
      out.number(static_cast<uint32_t>(page.size()));
      for (const auto& e : page.entries()) {
        out.number(e.index);
        out.number(e.value);
      }
    }
    save_words(words_, out);
  }

  Result<std::unique_ptr<Judge>> load(ByteReader& in) override {
    for (uint32_t pages = in.number<uint32_t>(); pages > 0 && in.ok(); --pages) {
      std::vector<SparseVector::Entry> entries;
      for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
        const TermId term = in.number<TermId>();
        entries.push_back({term, in.number<double>()});
      }
      pages_.emplace_back(std::move(entries));
    }
    load_words(in, words_);
    if (!in.ok()) return Error{"the saved state of the judge is cut short"};
    return pages_.empty() ? std::unique_ptr<Judge>() : judge();
  }

 private:
  std::unique_ptr<Judge> judge() const {
    SparseVector total;
    for (const SparseVector& page : pages_) total = sum(total, page);
    return std::make_unique<LearnedJudge>(spec_, std::make_shared<SeedsClassifier>(total),
                                          std::make_shared<TermWords>(words_),
                                          threshold_.value_or(own_threshold(total)));
  }

  double own_threshold(const SparseVector& total) const {
    if (pages_.size() == 1) return kSingleThreshold;
    double mean = 0;
    for (const SparseVector& page : pages_) {
      std::vector<TermCount> terms;
      for (const auto& e : page.entries())
        terms.push_back({e.index, static_cast<uint32_t>(e.value)});
      mean += SeedsClassifier(sum(total, page, -1)).probability(terms);
    }
    return kShareOfSeeds * mean / static_cast<double>(pages_.size());
  }

  const Spec spec_;
  TermWords words_;
  const std::optional<double> threshold_;
  std::vector<SparseVector> pages_;  // term counts of each start page
};

class SeedsJudge final : public Judge, public Learns {
 public:
  SeedsJudge(const Spec& spec, std::unique_ptr<Judge> cosine, const JudgeContext& context)
      : spec_(spec), cosine_(std::move(cosine)), threshold_(context.threshold) {
    add_words(context.topic.words, words_);
  }
  Judgement judge(const Page& page) const override { return cosine_->judge(page); }
  Relevance relevance(const PageTerms& page) const override { return cosine_->relevance(page); }
  Spec spec() const override { return spec_; }
  double threshold() const override { return cosine_->threshold(); }
  std::unique_ptr<Trainer> trainer() const override {
    return std::make_unique<SeedsTrainer>(spec_, words_, threshold_);
  }

 private:
  const Spec spec_;
  const std::unique_ptr<Judge> cosine_;
  const std::optional<double> threshold_;
  TermWords words_;
};

}  // namespace

Result<std::unique_ptr<Judge>> make_seeds_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  Result<std::unique_ptr<Judge>> cosine = make_cosine_judge({"cosine", {}}, context);
  if (!cosine) return cosine.error();
  return std::unique_ptr<Judge>(std::make_unique<SeedsJudge>(spec, std::move(*cosine), context));
}

}  // namespace dowser
