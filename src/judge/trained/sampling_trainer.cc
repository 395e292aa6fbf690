#include "judge/trained/sampling_trainer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "background/background.h"
#include "base/hash.h"
#include "base/random.h"
#include "judge/trained/blended_judge.h"
#include "learn/bm25.h"
#include "text/terms.h"

// A classifier needs examples of both classes, but a user names only pages that are on the topic.
// The negative examples are found during the crawl: most fetched pages are not on the topic.
//
// Not every fetched page is a negative example, though, since a good focused crawl fetches many
// pages that are on the topic. So only the lower half by relevance is used:
//
// clang-format off
//   after 15 pages, 24, 38, … (each time 1.6 times as many):
//     judge all sampled pages again with the judge in use, and sort them by relevance
//     negatives: at most 200 of the lower half, chosen at random (by the hash of the address),
//                without those that a trained classifier holds more likely on the topic than not
//     positives: the example pages
//     train; the new judge replaces the old one
// clang-format on
//
// The last training is the first one after 20,000 pages: by then the sample changes little, and
// each new judge makes strategies score their links again.
//
// With fewer than 5 negatives, or if the learner fails, the old judge stays. The schedule and the
// limits come from an experiment with 36 topics on five webs; the factor 1.6 makes all trainings
// together cost about as much as the last two or three.
//
// The sample is a reservoir: each of the n pages so far is in it with the same probability
// min(1, 1000 / n) (Vitter 1985, algorithm R). A sampled page takes about 3 KB for its terms.
//
// Counter-examples, which a user names with --not-example, are negatives too, each of which weighs
// as much as a tenth of all others.
//
// Few examples. If the user gives words, or fewer than 3 pages, there is no class to learn from.
// Then the best tenth of the sampled pages become positive examples, with these precautions: they
// are the best by their match with the words of the topic (learn/bm25.h), or if there is an example
// by the cosine to the topic, not by the learned judge, so that errors do not reinforce themselves;
// the cosine must call them relevant; there must be at least 3, and at most 50 are used; and they
// are chosen again at every training. What is learned from them may still
// drift away from the topic, so the topic itself keeps three quarters of the influence
// (blended_judge.h): relevance is a weighted geometric mean of the learned probability and the
// relevance by cosine, and a page without any word of the topic has none. Four fifths of the
// direction of the words of links are that of the topic's words. docs/experiments.md has the
// figures.
//
// A learner that needs no negative examples judges from the start if there are enough examples.
// Otherwise the cosine c to the topic judges before the first training. A cosine is not a
// probability: 0.2 may be a high value. Since links keep the scores they were given, both judges
// must mean about the same by a number. So relevance = c / (c + t), where t is the cosine's
// threshold: it is ½ where the cosine begins to call pages relevant, and twice the cosine gives
// twice the odds.
//
// Threshold: ½, of the learner's probability.

namespace dowser {
namespace {

constexpr uint32_t kFirstTraining = 15;
constexpr double kNextTraining = 1.6;
constexpr uint32_t kLastTraining = 20'000;
constexpr size_t kSample = 1000;
constexpr size_t kLeastNegatives = 5, kMostNegatives = 200;
constexpr size_t kFewExamples = 3, kMostPositives = 50;
constexpr double kShareOfBest = 0.1;
constexpr double kWeightOfCounterExample = 0.1;
// Of the rarity of words, as in learn/final_model.cc.
constexpr double kBackgroundWeight = 0.1, kSeenWeight = 0.25, kSeenPrior = 5, kLeastShare = 2e-4;
constexpr size_t kMostWords = 10'000;  // kept to explain judgements; from about the first 100 pages

struct SampledPage {
  uint64_t hash = 0;  // of its address
  KeptTerms words;
};

// What does not change during a crawl.
struct Setup {
  Learner learner;
  std::shared_ptr<const Judge> cosine;  // shared with the judges that use it
  double threshold;
  std::vector<Example> examples;          // of the topic, with label 1
  std::vector<Example> counter_examples;  // with label 0
  std::vector<TermId> topic_words;        // in every language, sorted
  uint64_t topic = 0;                     // a fingerprint
  std::shared_ptr<const TermWords> words;
  std::shared_ptr<const Classifier> first;  // trained on the topic's examples or words alone

  bool needs_more_examples() const { return examples.size() < kFewExamples; }
};

class SamplingTrainer final : public Trainer {
 public:
  explicit SamplingTrainer(std::shared_ptr<const Setup> setup)
      : setup_(std::move(setup)), words_(setup_->words) {
    if (!setup_->needs_more_examples()) classifier_ = setup_->first;
  }

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    if (visit.page.terms.empty() || !visit.is_new_page()) return nullptr;
    if (setup_->needs_more_examples() && is_near(visit.page)) {
      add_words(visit.page, new_words_, kMostWords);
    }
    sample(visit);
    if (++seen_ < next_) return nullptr;
    next_ = next_ > kLastTraining ? UINT32_MAX : static_cast<uint32_t>(next_ * kNextTraining);
    return train();
  }

  void save(ByteWriter& out) const override {
    out.number(seen_);
    out.number(next_);
    out.number(random_.state());
    out.number(static_cast<uint32_t>(pages_.size()));
    for (const SampledPage& page : pages_) {
      out.number(page.hash);
      page.words.save(out);
    }
    save_words(words_ != setup_->words ? *words_ : TermWords{}, out);
    save_words(new_words_, out);
    out.number(static_cast<uint8_t>(classifier_ != nullptr));
    if (classifier_) classifier_->save(out);
    out.number(setup_->topic);
  }

  Result<std::unique_ptr<Judge>> load(ByteReader& in) override {
    seen_ = in.number<uint32_t>();
    next_ = in.number<uint32_t>();
    random_ = Random(in.number<uint64_t>());
    pages_.clear();
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      SampledPage& page = pages_.emplace_back();
      page.hash = in.number<uint64_t>();
      page.words.load(in);
    }
    auto words = std::make_shared<TermWords>();
    load_words(in, *words);
    load_words(in, new_words_);
    if (!words->empty()) words_ = std::move(words);
    const bool trained = in.number<uint8_t>() != 0;
    if (!in.ok()) return Error{"the saved state of the judge is cut short"};
    if (trained) {
      Learner::Made classifier = setup_->learner.load(in);
      if (!classifier) return classifier.error();
      classifier_ = std::move(*classifier);
    }
    is_renewed_ = !in.at_end() && in.number<uint64_t>() != setup_->topic;
    if (is_renewed_) return renewed();
    return trained ? judge() : std::unique_ptr<Judge>();
  }
  bool is_renewed() const override { return is_renewed_; }

 private:
  // The topic has changed: what was sampled teaches a new judge at once.
  std::unique_ptr<Judge> renewed() {
    classifier_ = setup_->needs_more_examples() ? nullptr : setup_->first;
    return train();
  }

  bool is_near(const Page& page) const {
    return new_words_.size() < kMostWords &&
           setup_->cosine->relevance(terms_of(page)).value >= setup_->cosine->threshold();
  }

  void sample(const Visit& visit) {
    const uint64_t place = seen_ < kSample ? seen_ : random_.below(seen_ + uint64_t{1});
    if (place >= kSample) return;
    if (place >= pages_.size()) pages_.emplace_back();
    pages_[place] = {hash64(visit.response.url.href()), KeptTerms(visit.page)};
  }

  std::unique_ptr<Judge> train() {
    std::vector<Example> examples = setup_->examples;
    std::vector<const SampledPage*> rest;
    for (const SampledPage& page : pages_) rest.push_back(&page);
    if (setup_->needs_more_examples() && !take_positives(rest, examples)) return nullptr;
    const std::vector<const SampledPage*> negatives = lower_half(rest);
    if (negatives.size() < kLeastNegatives) return nullptr;
    for (const SampledPage* page : negatives)
      examples.push_back({count_vector(page->words.terms), 0});
    const auto copies = std::max<size_t>(
        1, static_cast<size_t>(kWeightOfCounterExample * static_cast<double>(negatives.size())));
    for (const Example& example : setup_->counter_examples) {
      examples.insert(examples.end(), copies, example);
    }
    Learner::Made classifier = setup_->learner.train(examples);
    if (!classifier) return nullptr;
    classifier_ = std::move(*classifier);
    if (!new_words_.empty()) {
      new_words_.insert(setup_->words->begin(), setup_->words->end());
      words_ = std::make_shared<TermWords>(new_words_);
    }
    return judge();
  }

  // Sorts by relevance, the lowest first; equal ones by their hashes.
  static void order(std::vector<const SampledPage*>& pages, const auto& relevance_of) {
    std::vector<std::pair<double, const SampledPage*>> ranked;
    for (const SampledPage* page : pages) ranked.push_back({relevance_of(*page), page});
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second->hash < b.second->hash;
    });
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = ranked[i].second;
  }

  // Words that few of the sampled pages have count more.
  Bm25 match_with_words() const {
    absl::flat_hash_map<TermId, double> having;
    double total = 0;
    for (const SampledPage& page : pages_) {
      total += length_of(page.words.terms);
      for (const TermCount& t : page.words.terms) {
        const auto& words = setup_->topic_words;
        if (std::binary_search(words.begin(), words.end(), t.term)) ++having[t.term];
      }
    }
    const auto pages = static_cast<double>(pages_.size());
    std::vector<Bm25::Word> words;
    for (const TermId word : setup_->topic_words) {
      const double share = kBackgroundWeight * background_share(word) +
                           kSeenWeight * having[word] / (pages + kSeenPrior);
      words.push_back({word, std::log(1 + 1 / (share + kLeastShare))});
    }
    return {std::move(words), total / pages};
  }

  double cosine_of(const SampledPage& page) const {
    return setup_->cosine->relevance(page.words).value;
  }

  // Moves the best of `pages` to the examples. Returns false if there are not enough examples then.
  bool take_positives(std::vector<const SampledPage*>& pages,
                      std::vector<Example>& examples) const {
    if (setup_->examples.empty()) {
      const Bm25 match = match_with_words();
      order(pages, [&](const SampledPage& page) { return match.score(page.words.terms); });
    } else {
      order(pages, [&](const SampledPage& page) { return cosine_of(page); });
    }
    const auto share = static_cast<size_t>(kShareOfBest * static_cast<double>(pages.size()));
    const size_t wanted = std::clamp(share, kFewExamples, kMostPositives);
    for (size_t n = 0; n < wanted && !pages.empty(); ++n) {
      const SampledPage& best = *pages.back();
      pages.pop_back();
      if (cosine_of(best) < setup_->cosine->threshold()) continue;
      examples.push_back({count_vector(best.words.terms), 1});
    }
    return examples.size() >= kFewExamples;
  }

  std::vector<const SampledPage*> lower_half(std::vector<const SampledPage*> pages) const {
    order(pages, [&](const SampledPage& page) {
      return classifier_ ? classifier_->probability(page.words.terms) : cosine_of(page);
    });
    pages.resize(pages.size() / 2);
    if (classifier_) {
      std::erase_if(pages, [&](const SampledPage* page) {
        return classifier_->probability(page->words.terms) >= kLearnedThreshold;
      });
    }
    std::sort(pages.begin(), pages.end(),
              [](const auto* a, const auto* b) { return a->hash < b->hash; });
    if (pages.size() > kMostNegatives) pages.resize(kMostNegatives);
    return pages;
  }

  std::unique_ptr<Judge> judge() const {
    LearnedJudge learned(setup_->learner.spec, classifier_, words_, setup_->threshold);
    if (!setup_->needs_more_examples()) return std::make_unique<LearnedJudge>(std::move(learned));
    return std::make_unique<BlendedJudge>(setup_->cosine, setup_->first, std::move(learned),
                                          !setup_->counter_examples.empty());
  }

  const std::shared_ptr<const Setup> setup_;  // shared with the first judge
  std::shared_ptr<const TermWords> words_;    // of the newest judge
  TermWords new_words_;  // for the next judge: of pages that may become examples
  uint32_t seen_ = 0, next_ = kFirstTraining;
  bool is_renewed_ = false;
  Random random_{1};
  std::vector<SampledPage> pages_;
  std::shared_ptr<const Classifier> classifier_;  // none before the first training
};

class FirstJudge final : public Judge, public JudgesWords, public Learns {
 public:
  explicit FirstJudge(std::shared_ptr<const Setup> setup) : setup_(std::move(setup)) {}

  Judgement judge(const Page& page) const override {
    if (is_learned()) return learned().judge(page);
    Judgement judgement = setup_->cosine->judge(page);
    const double cosine = judgement.relevance.value;
    judgement.relevance = relevance_of_cosine(*setup_->cosine, cosine);
    if (cosine > 0) {
      judgement.reasons = scaled(std::move(judgement.reasons), judgement.relevance.value / cosine);
    }
    judgement.relevant =
        judgement.relevance.value > 0 && judgement.relevance.value >= setup_->threshold;
    return judgement;
  }
  Relevance relevance(const PageTerms& page) const override {
    if (is_learned()) return learned().relevance(page);
    return relevance_of_cosine(*setup_->cosine, setup_->cosine->relevance(page).value);
  }
  double direction_of(std::span<const TermId> terms) const override {
    return setup_->first ? setup_->first->direction_of(terms) : 0;
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    if (!setup_->first) return {};
    return learned().strongest_words(most);
  }
  Spec spec() const override { return setup_->learner.spec; }
  double threshold() const override { return setup_->threshold; }
  std::unique_ptr<Trainer> trainer() const override {
    return std::make_unique<SamplingTrainer>(setup_);
  }

 private:
  bool is_learned() const { return setup_->first && !setup_->needs_more_examples(); }
  LearnedJudge learned() const {
    return {setup_->learner.spec, setup_->first, setup_->words, setup_->threshold};
  }

  const std::shared_ptr<const Setup> setup_;
};

uint64_t fingerprint_of(const Topic& topic) {
  uint64_t hash = hash64(topic.words);
  for (const auto* pages : {&topic.examples, &topic.counter_examples}) {
    hash = hash64("pages", hash);
    for (const Page& page : *pages) {
      hash = hash64(
          {reinterpret_cast<const char*>(page.terms.data()), page.terms.size() * sizeof(TermCount)},
          hash);
    }
  }
  return hash;
}

// Trains on the topic alone; null if the learner needs negative examples.
Result<std::shared_ptr<const Classifier>> learn_alone(const Setup& setup) {
  if (!setup.learner.learns_from_examples_alone) return std::shared_ptr<const Classifier>();
  std::vector<Example> examples = setup.examples;
  if (examples.empty()) {
    std::vector<SparseVector::Entry> words;
    for (const TermId id : setup.topic_words) words.push_back({id, 1});
    examples.push_back({SparseVector(std::move(words)), 1});
  }
  return setup.learner.train(examples);
}

}  // namespace

Result<std::unique_ptr<Judge>> make_sampling_judge(Learner learner, const JudgeContext& context) {
  Result<std::unique_ptr<Judge>> cosine =
      make_cosine_judge({"cosine", {}}, {context.topic, {}, {}});
  if (!cosine) return cosine.error();
  auto setup = std::make_shared<Setup>();
  setup->learner = std::move(learner);
  setup->cosine = std::move(*cosine);
  setup->threshold = context.threshold.value_or(kLearnedThreshold);
  TermWords words;
  add_words(context.topic.words, words);
  for (const Page& page : context.topic.examples) {
    if (page.terms.empty()) continue;
    setup->examples.push_back({count_vector(page.terms), 1});
    add_words(page, words);
  }
  setup->words = std::make_shared<TermWords>(std::move(words));
  for (const Page& page : context.topic.counter_examples) {
    if (!page.terms.empty()) setup->counter_examples.push_back({count_vector(page.terms), 0});
  }
  std::set<TermId> ids;
  for (const std::string& language : analysed_languages()) {
    for (const TermId id : term_ids(context.topic.words, language)) ids.insert(id);
  }
  setup->topic_words.assign(ids.begin(), ids.end());
  setup->topic = fingerprint_of(context.topic);
  auto first = learn_alone(*setup);
  if (!first) return first.error();
  setup->first = std::move(*first);
  return std::unique_ptr<Judge>(std::make_unique<FirstJudge>(std::move(setup)));
}

}  // namespace dowser
