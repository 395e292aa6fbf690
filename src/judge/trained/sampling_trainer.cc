#include "judge/trained/sampling_trainer.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/random.h"
#include "judge/trained/half_learned_judge.h"
#include "text/terms.h"

// Classifiers want examples of both sides, and a person names only pages that are on the topic.
// The others are found on the way: of what a crawl brings back, most is not what one looks for.
//
// But "every fetched page is a negative" is a trap: a focused crawl is good at its work, and most
// of what it fetches is on the topic. So the lower half counts, by the judge of the moment:
//
//   at the 15th page, the 24th, the 38th, … (each time 1.6 times as many):
//     judge all sampled pages again, by the judge of the moment; order them by relevance
//     negatives: at most 200 of the lower half, at random (by the hash of the address); none that
//                a learned judge calls likelier on the topic than not
//     positives: the example pages
//     train; the new judge takes the place of the old one
//
// until the first after 20,000 pages: by then the sample changes little, and whoever goes by the
// judge has to think again of everything.
//
// With fewer than 5 negatives, or where the learner cannot learn from them, the old judge stays.
// (The schedule, the half and the two numbers are those of an experiment with 36 topics on five
// webs, in which a learned judge was worth .02 of focus and more; the × 1.6 makes the work of all
// trainings together about that of the last two or three.)
//
// The sample is a reservoir: each of the n pages that came so far is in it with the same
// probability min(1, 1000 / n) (Vitter 1985, algorithm R). A page is kept as its terms, some 3 KB.
//
// Too few examples. Where a person gives words, or one page, there is nothing to learn a class
// from. Then the best tenth of the sampled pages join the examples, with care: best by the cosine
// to the topic, never by the learned judge, so that errors do not feed on themselves; only such as
// the cosine holds relevant; at least 3 and at most 50, else the cosine stays; and they are asked
// for again at every training, from all that has come since. What is learned from them drifts all
// the same: a crawl for a Japanese topic on a web in many languages came to call 38 of 58 other
// Japanese pages relevant, and none in another language. So the topic keeps half the say, for good:
// relevance is the root of what the learner says times what the cosine says, and a page without any
// word of the topic has none. (Nine topics of five words each, four draws, focus without it and
// with it: learned .749 and .764, better for every topic; best-first with svm .591 and .613, with
// bayes .558 and .598, where one topic lost .06.) Likewise for the words of links: half what was
// learned, half the words that were given. (On three webs that is worth .086 of focus, .018 to
// .170, with words picked at random; .026, .010 to .041; and -.005, -.009 to -.001. Three quarters
// for the words that were given, or for the cosine, are no better than half; nor are fewer
// positives, 20 or 40 instead of 50, the best of all pages instead of the best of the sample, or a
// cosine in which rare words count more, which lost .02 to .13.)
//
// A learner that does without negatives judges from the start, where there are examples enough.
// Otherwise, before the first training, the cosine c to the topic judges. A cosine is no
// probability: 0.2 may be a lot. Links keep the score they were given, so both judges must mean
// about the same by a number: relevance = c / (c + t), t the cosine's own threshold, is ½ where the
// cosine would begin to say "relevant", and the odds are twice as high for twice the cosine.
//
// Threshold: ½, on the probability of the learner.

namespace dowser {
namespace {

constexpr uint32_t kFirstTraining = 15;
constexpr double kNextTraining = 1.6;
constexpr uint32_t kLastTraining = 20'000;
constexpr size_t kSample = 1000;
constexpr size_t kLeastNegatives = 5, kMostNegatives = 200;
constexpr size_t kFewExamples = 3, kMostPositives = 50;
constexpr double kShareOfBest = 0.1;
constexpr size_t kMostWords = 10'000;  // to explain by; those of the first hundred pages or so

struct SampledPage {
  uint64_t hash = 0;  // of its address
  std::string language;
  std::vector<TermCount> terms;

  Page page() const {
    Page page;
    page.language = language;
    page.terms = terms;
    return page;
  }
};

// What never changes in a crawl.
struct Setup {
  Learner learner;
  std::shared_ptr<const Judge> cosine;  // shared with the judges that go by it
  double threshold;
  std::vector<Example> examples;  // of the topic, label 1
  std::shared_ptr<const TermWords> words;
  std::shared_ptr<const Classifier> first;  // learned from the examples, or the words, alone

  bool needs_more_examples() const { return examples.size() < kFewExamples; }
};

class SamplingTrainer final : public Trainer {
 public:
  explicit SamplingTrainer(std::shared_ptr<const Setup> setup)
      : setup_(std::move(setup)), words_(setup_->words) {
    if (!setup_->needs_more_examples()) classifier_ = setup_->first;
  }

  std::unique_ptr<Judge> learn(const Visit& visit) override {
    if (visit.page.terms.empty() || visit.near_duplicate_of || visit.soft_404) return nullptr;
    if (!visit.response.ok()) return nullptr;
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
      out.text(page.language);
      out.number(static_cast<uint32_t>(page.terms.size()));
      for (const TermCount& t : page.terms) {
        out.number(t.term);
        out.number(t.count);
      }
    }
    save_words(words_ != setup_->words ? *words_ : TermWords{}, out);
    save_words(new_words_, out);
    out.number(static_cast<uint8_t>(classifier_ != nullptr));
    if (classifier_) classifier_->save(out);
  }

  Result<std::unique_ptr<Judge>> load(ByteReader& in) override {
    seen_ = in.number<uint32_t>();
    next_ = in.number<uint32_t>();
    random_ = Random(in.number<uint64_t>());
    pages_.clear();
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      SampledPage& page = pages_.emplace_back();
      page.hash = in.number<uint64_t>();
      page.language = in.text();
      for (uint32_t terms = in.number<uint32_t>(); terms > 0 && in.ok(); --terms) {
        const TermId term = in.number<TermId>();
        page.terms.push_back({term, in.number<uint32_t>()});
      }
    }
    auto words = std::make_shared<TermWords>();
    load_words(in, *words);
    load_words(in, new_words_);
    if (!words->empty()) words_ = std::move(words);
    const bool trained = in.number<uint8_t>() != 0;
    if (!in.ok()) return Error{"what the judge has learned is cut short"};
    if (!trained) return std::unique_ptr<Judge>();
    Learner::Made classifier = setup_->learner.load(in);
    if (!classifier) return classifier.error();
    classifier_ = std::move(*classifier);
    return judge();
  }

 private:
  bool is_near(const Page& page) const {
    return new_words_.size() < kMostWords &&
           setup_->cosine->relevance(page).value >= setup_->cosine->threshold();
  }

  void sample(const Visit& visit) {
    const uint64_t place = seen_ < kSample ? seen_ : random_.below(seen_ + uint64_t{1});
    if (place >= kSample) return;
    if (place >= pages_.size()) pages_.emplace_back();
    pages_[place] = {hash64(visit.response.url.href()), visit.page.language, visit.page.terms};
  }

  std::unique_ptr<Judge> train() {
    std::vector<Example> examples = setup_->examples;
    std::vector<const SampledPage*> rest;
    for (const SampledPage& page : pages_) rest.push_back(&page);
    if (setup_->needs_more_examples() && !take_positives(rest, examples)) return nullptr;
    const std::vector<const SampledPage*> negatives = lower_half(rest);
    if (negatives.size() < kLeastNegatives) return nullptr;
    for (const SampledPage* page : negatives) examples.push_back({count_vector(page->terms), 0});
    Learner::Made classifier = setup_->learner.train(examples);
    if (!classifier) return nullptr;
    classifier_ = std::move(*classifier);
    if (!new_words_.empty()) {
      new_words_.insert(setup_->words->begin(), setup_->words->end());
      words_ = std::make_shared<TermWords>(new_words_);
    }
    return judge();
  }

  // The lowest first; what is equally relevant in the order of the hashes.
  static void order(std::vector<const SampledPage*>& pages, const auto& relevance_of) {
    std::vector<std::pair<double, const SampledPage*>> ranked;
    for (const SampledPage* page : pages) ranked.push_back({relevance_of(*page), page});
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second->hash < b.second->hash;
    });
    for (size_t i = 0; i < pages.size(); ++i) pages[i] = ranked[i].second;
  }

  double cosine_of(const SampledPage& page) const {
    return setup_->cosine->relevance(page.page()).value;
  }

  // Moves the best from `pages` to the examples. False: there are not enough.
  bool take_positives(std::vector<const SampledPage*>& pages,
                      std::vector<Example>& examples) const {
    order(pages, [&](const SampledPage& page) { return cosine_of(page); });
    const auto share = static_cast<size_t>(kShareOfBest * static_cast<double>(pages.size()));
    const size_t wanted = std::clamp(share, kFewExamples, kMostPositives);
    for (size_t n = 0; n < wanted && !pages.empty(); ++n) {
      if (cosine_of(*pages.back()) < setup_->cosine->threshold()) break;
      examples.push_back({count_vector(pages.back()->terms), 1});
      pages.pop_back();
    }
    return examples.size() >= kFewExamples;
  }

  std::vector<const SampledPage*> lower_half(std::vector<const SampledPage*> pages) const {
    order(pages, [&](const SampledPage& page) {
      return classifier_ ? classifier_->probability(page.terms) : cosine_of(page);
    });
    pages.resize(pages.size() / 2);
    if (classifier_) {
      std::erase_if(pages, [&](const SampledPage* page) {
        return classifier_->probability(page->terms) >= kLearnedThreshold;
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
    return std::make_unique<HalfLearnedJudge>(setup_->cosine, setup_->first, std::move(learned));
  }

  const std::shared_ptr<const Setup> setup_;  // shared with the first judge
  std::shared_ptr<const TermWords> words_;    // of the newest judge
  TermWords new_words_;                       // of pages that may become examples, for the next
  uint32_t seen_ = 0, next_ = kFirstTraining;
  Random random_{1};
  std::vector<SampledPage> pages_;
  std::shared_ptr<const Classifier> classifier_;  // none before the first training
};

class FirstJudge final : public Judge {
 public:
  explicit FirstJudge(std::shared_ptr<const Setup> setup) : setup_(std::move(setup)) {}

  Judgement judge(const Page& page) const override {
    if (is_learned()) return learned().judge(page);
    Judgement judgement = setup_->cosine->judge(page);
    judgement.relevance = relevance_of_cosine(*setup_->cosine, judgement.relevance.value);
    judgement.relevant =
        judgement.relevance.value > 0 && judgement.relevance.value >= setup_->threshold;
    return judgement;
  }
  Relevance relevance(const Page& page) const override {
    return is_learned() ? learned().relevance(page) : judge(page).relevance;
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

// What can be learned before anything has come back; nothing where the learner needs others.
Result<std::shared_ptr<const Classifier>> learn_alone(const Setup& setup, const Topic& topic) {
  if (!setup.learner.learns_from_examples_alone) return std::shared_ptr<const Classifier>();
  std::vector<Example> examples = setup.examples;
  if (examples.empty()) {
    std::set<TermId> ids;
    for (const std::string& language : analysed_languages()) {
      for (const TermId id : term_ids(topic.words, language)) ids.insert(id);
    }
    std::vector<SparseVector::Entry> words;
    for (const TermId id : ids) words.push_back({id, 1});
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
  auto first = learn_alone(*setup, context.topic);
  if (!first) return first.error();
  setup->first = std::move(*first);
  return std::unique_ptr<Judge>(std::make_unique<FirstJudge>(std::move(setup)));
}

}  // namespace dowser
