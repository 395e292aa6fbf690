#include <fmt/format.h>

#include "judge/cindi/profile_keywords.h"
#include "judge/cindi/word_counts.h"
#include "judge/judge.h"
#include "judge/trained/learned_judge.h"
#include "judge/trained/model_judge.h"
#include "judge/trained/sampling_trainer.h"
#include "learn/page_weights.h"
#include "learn/rbf_svm.h"

// The judge of the CINDI Robot (Chen 2008, 4.2.4 and 4.3.3), in three steps:
//
//   1. A domain keyword of the profile in the title or the meta keywords, or a host that looks like
//      a department's: the page is relevant, and nothing is classified.
//   2. At first a support vector machine with an RBF kernel decides (learn/rbf_svm.cc), over words
//      that are in more than 3 pages it was trained on, weighted by TF-IDF
//      (learn/page_weights.cc).
//   3. From 5,000 relevant and 10,000 other pages on, weighted naive Bayes decides
//      (learn/weighted_bayes.cc), trained on all pages so far and again after every 50,000.
//
// Example: with the profile computer-science "Machine Learning at Example University" is relevant
// by its title, whatever it says.
//
// Parameters. weights: the representation for the support vector machine, tf-idf, or count, binary,
// rdf-rkf, rdf-rkf-topic. The thesis finds tf-idf and rdf-rkf equally good and takes rdf-rkf, which
// costs less to compute. With ten examples instead of its 200, rdf-rkf is much worse
// (docs/cindi.md): a word then weighs as much as it is common in the pages of both kinds. cost: of
// the support vector machine. keywords=no leaves step 1 out. bayes_from_relevant, bayes_from_other,
// retrain_every, rdf_above: those of the thesis, or of the profile.
//
// What differs from the thesis. Its support vector machine is trained on 200 pages on the subject
// and 400 others that people collected; here on the examples of the topic and on pages of the crawl
// (judge/trained/sampling_trainer.cc), with its schedule: a crawl begins with a few examples, and
// the first 50,000 pages cannot wait for the first training. The pages that naive Bayes learns from
// were labelled by the judge itself, in the thesis too. All pages count, but pages are not kept
// (word_counts.h).
//
// With a model (dowser learn rbf-svm or weighted-bayes, --model) the model alone decides.
//
// A page that step 1 decides has relevance 1. Its terms alone do not tell that, so relevance() of
// them is the classifier's. Threshold: ½.

namespace dowser {
namespace {

constexpr double kCindiCost = 1;

// A support vector machine over weighted words.
class WeightedSvm final : public Classifier {
 public:
  WeightedSvm(PageWeights weights, RbfSvm svm)
      : weights_(std::move(weights)), svm_(std::move(svm)) {}

  double probability(std::span<const TermCount> terms) const override {
    return svm_.probabilities(weights_.vector(count_vector(terms)))[1];
  }
  // With this kernel a word has no share of its own.
  SparseVector contributions(std::span<const TermCount>) const override { return {}; }
  void save(ByteWriter& out) const override {
    weights_.save(out);
    svm_.save(out);
  }

 private:
  const PageWeights weights_;
  const RbfSvm svm_;
};

Learner::Made made_weighted_svm(PageWeights weights, Result<RbfSvm> svm) {
  if (!svm) return svm.error();
  if (svm->classes() != 2) return Error{"the saved support vector machine is not of two classes"};
  return std::shared_ptr<const Classifier>(
      std::make_shared<WeightedSvm>(std::move(weights), std::move(*svm)));
}

class WeightedBayesClassifier final : public Classifier {
 public:
  explicit WeightedBayesClassifier(WeightedBayes bayes) : bayes_(std::move(bayes)) {}
  double probability(std::span<const TermCount> terms) const override {
    return bayes_.posteriors(count_vector(terms))[1];
  }
  SparseVector contributions(std::span<const TermCount> terms) const override {
    return bayes_.contributions(count_vector(terms), 1);
  }
  void save(ByteWriter& out) const override { bayes_.save(out); }
  const WeightedBayes& bayes() const { return bayes_; }

 private:
  const WeightedBayes bayes_;
};

// What does not change during a crawl.
struct CindiSetup {
  Spec spec;
  double threshold = kLearnedThreshold;
  uint32_t bayes_from_relevant, bayes_from_other, retrain_every, rdf_above;
  std::optional<ProfileKeywords> keywords;
  std::unique_ptr<Judge> first;  // of the support vector machine
};

class CindiTrainer;

// Looks for keywords, and asks another judge otherwise.
class CindiJudge final : public Judge, public JudgesWords, public Learns {
 public:
  // `other` is null for the first judge, which is that of the setup.
  CindiJudge(std::shared_ptr<const CindiSetup> setup, std::unique_ptr<Judge> other)
      : setup_(std::move(setup)), other_(std::move(other)) {}

  Judgement judge(const Page& page) const override {
    if (setup_->keywords) {
      if (const std::optional<std::string> keyword = setup_->keywords->find(page)) {
        Judgement judgement;
        judgement.relevance.value = 1;
        judgement.relevant = true;
        judgement.reasons = {{"keyword of the profile: " + *keyword, 1}};
        return judgement;
      }
    }
    return other().judge(page);
  }
  Relevance relevance(const PageTerms& page) const override { return other().relevance(page); }
  double threshold() const override { return setup_->threshold; }
  Spec spec() const override { return setup_->spec; }
  double direction_of(std::span<const TermId> terms) const override {
    const auto* words = dynamic_cast<const JudgesWords*>(&other());
    return words ? words->direction_of(terms) : 0;
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    const auto* words = dynamic_cast<const JudgesWords*>(&other());
    return words ? words->strongest_words(most) : std::vector<Judgement::Reason>();
  }
  std::unique_ptr<Trainer> trainer() const override;

 private:
  const Judge& other() const { return other_ ? *other_ : *setup_->first; }

  const std::shared_ptr<const CindiSetup> setup_;  // shared by all judges of a crawl
  const std::unique_ptr<Judge> other_;
};

class CindiTrainer final : public Trainer {
 public:
  explicit CindiTrainer(std::shared_ptr<const CindiSetup> setup)
      : setup_(std::move(setup)), svm_(trainer_of(*setup_->first)) {}

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    if (visit.is_new_page() && !visit.page.terms.empty()) {
      counts_.add(visit.page.terms, visit.judgement.relevant);
    }
    if (bayes_) {
      return ++since_training_ < setup_->retrain_every ? nullptr : train_bayes();
    }
    std::unique_ptr<Judge> next = svm_->learn(visit);
    const bool is_enough = counts_.relevant() >= setup_->bayes_from_relevant &&
                           counts_.others() >= setup_->bayes_from_other;
    if (is_enough) return train_bayes();
    return next ? with_keywords(std::move(next)) : nullptr;
  }

  void save(ByteWriter& out) const override {
    out.number(since_training_);
    counts_.save(out);
    ByteWriter svm;
    svm_->save(svm);
    out.text(svm.bytes());
    out.number(static_cast<uint8_t>(bayes_ != nullptr));
    if (bayes_) bayes_->save(out);
  }

  Result<std::unique_ptr<Judge>> load(ByteReader& in) override {
    since_training_ = in.number<uint32_t>();
    counts_.load(in);
    const std::string_view saved = in.text();
    const bool has_bayes = in.number<uint8_t>() != 0;
    if (!in.ok()) return Error{"the saved state of the judge is cut short"};
    ByteReader svm(saved);
    Result<std::unique_ptr<Judge>> judge = svm_->load(svm);
    if (!judge) return judge.error();
    if (has_bayes) {
      Result<WeightedBayes> bayes = WeightedBayes::load(in);
      if (!bayes) return bayes.error();
      bayes_ = std::make_shared<WeightedBayesClassifier>(std::move(*bayes));
      return bayes_judge();
    }
    return *judge ? with_keywords(std::move(*judge)) : std::unique_ptr<Judge>();
  }
  bool is_renewed() const override { return svm_->is_renewed(); }

 private:
  std::unique_ptr<Judge> with_keywords(std::unique_ptr<Judge> judge) const {
    return std::make_unique<CindiJudge>(setup_, std::move(judge));
  }
  std::unique_ptr<Judge> bayes_judge() const {
    return with_keywords(std::make_unique<LearnedJudge>(
        setup_->spec, bayes_, std::make_shared<const TermWords>(), setup_->threshold));
  }
  std::unique_ptr<Judge> train_bayes() {
    since_training_ = 0;
    Result<WeightedBayes> bayes = counts_.bayes(setup_->rdf_above);
    if (!bayes) return nullptr;
    bayes_ = std::make_shared<WeightedBayesClassifier>(std::move(*bayes));
    return bayes_judge();
  }

  const std::shared_ptr<const CindiSetup> setup_;
  const std::unique_ptr<Trainer> svm_;
  WordCounts counts_;
  uint32_t since_training_ = 0;                           // visits
  std::shared_ptr<const WeightedBayesClassifier> bayes_;  // shared with the judge that uses it
};

std::unique_ptr<Trainer> CindiJudge::trainer() const {
  return std::make_unique<CindiTrainer>(setup_);
}

}  // namespace

Result<std::unique_ptr<Judge>> make_cindi_judge(const Spec& spec, const JudgeContext& context) {
  static const Profile none;
  const Profile& profile = context.profile ? *context.profile : none;
  Parameters p(spec);
  std::vector<std::string> names = {"tf-idf"};
  for (const std::string_view name : weight_kind_names()) {
    if (name != names.front()) names.emplace_back(name);
  }
  const WeightKind weights = *weight_kind_named(p.choice("weights", names));
  RbfSvmOptions options;
  options.cost = p.number("cost", kCindiCost);
  const bool uses_keywords = p.choice("keywords", {"yes", "no"}) == "yes";
  const int64_t from_relevant = p.integer("bayes_from_relevant", profile.judge.bayes_from_relevant);
  const int64_t from_other = p.integer("bayes_from_other", profile.judge.bayes_from_other);
  const int64_t retrain_every = p.integer("retrain_every", profile.judge.retrain_every);
  const int64_t rdf_above = p.integer("rdf_above", profile.judge.rdf_above);
  if (auto bad = p.finish()) return *bad;
  if (!(options.cost > 0)) return Error{"cost of cindi must be above 0"};
  if (from_relevant < 1 || from_other < 1 || retrain_every < 1) {
    return Error{
        "bayes_from_relevant, bayes_from_other and retrain_every of cindi must be at least 1"};
  }
  if (rdf_above < 0) return Error{"rdf_above of cindi must not be negative"};
  if (!context.model.empty()) return make_model_judge(spec, context);

  auto setup = std::make_shared<CindiSetup>();
  setup->spec = spec;
  setup->threshold = context.threshold.value_or(kLearnedThreshold);
  setup->bayes_from_relevant = static_cast<uint32_t>(from_relevant);
  setup->bayes_from_other = static_cast<uint32_t>(from_other);
  setup->retrain_every = static_cast<uint32_t>(retrain_every);
  setup->rdf_above = static_cast<uint32_t>(rdf_above);
  if (uses_keywords) setup->keywords.emplace(profile);
  Learner learner{spec,
                  [=](std::span<const Example> examples) {
                    PageWeights learned =
                        PageWeights::learn(examples, weights, static_cast<uint32_t>(rdf_above));
                    Result<RbfSvm> svm = RbfSvm::train(learned.vectors(examples), options);
                    return made_weighted_svm(std::move(learned), std::move(svm));
                  },
                  [](ByteReader& in) -> Learner::Made {
                    Result<PageWeights> saved = PageWeights::load(in);
                    if (!saved) return saved.error();
                    return made_weighted_svm(std::move(*saved), RbfSvm::load(in));
                  }};
  Result<std::unique_ptr<Judge>> first = make_sampling_judge(std::move(learner), context);
  if (!first) return first.error();
  setup->first = std::move(*first);
  return std::unique_ptr<Judge>(std::make_unique<CindiJudge>(std::move(setup), nullptr));
}

}  // namespace dowser
