#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/sparse_vector.h"
#include "judge/judge.h"
#include "judge/reasons.h"
#include "learn/example.h"

// What all judges that learn have in common: a classifier that was trained on pages, and the words
// of the terms that it knows.

namespace dowser {

// Adds the words of the page, up to `most` in all. A term keeps the first word it was seen with.
void add_words(const Page& page, TermWords& words, size_t most = SIZE_MAX);
// Adds the words of a topic, in every language that pages are analysed in.
void add_words(std::string_view text, TermWords& words);

void save_words(const TermWords& words, ByteWriter& out);
void load_words(ByteReader& in, TermWords& words);

// The words that point most towards the topic, the strongest first. A word that has different stems
// in several languages appears once.
std::vector<Judgement::Reason> strongest_of(const TermWords& words, const JudgesWords& judge,
                                            size_t most);

// The number of occurrences of each term of a page, as a vector.
SparseVector count_vector(std::span<const TermCount> terms);
// 1 + ln(count) for each term, scaled to length 1; and the same for examples that hold counts.
SparseVector unit_vector(std::span<const TermCount> terms);
std::vector<Example> unit_vectors(std::span<const Example> counts);

// Separates pages on the topic from others. Immutable.
class Classifier {
 public:
  virtual ~Classifier() = default;
  // The probability that the page is on the topic, 0 … 1.
  virtual double probability(std::span<const TermCount> terms) const = 0;
  // What each of its terms adds to the log-odds of that; or to the probability itself, if it is a
  // sum of them.
  virtual SparseVector contributions(std::span<const TermCount> terms) const = 0;
  virtual bool is_sum() const { return false; }
  // The same as JudgesWords::direction_of().
  virtual double direction_of(std::span<const TermId>) const { return 0; }
  virtual void save(ByteWriter& out) const = 0;
};

// A way to train classifiers. The vectors of the examples are term counts; label 1 is the topic.
struct Learner {
  // Shared, because a trainer and the judges that it made use the same classifier.
  using Made = Result<std::shared_ptr<const Classifier>>;

  Spec spec;
  std::function<Made(std::span<const Example>)> train;
  std::function<Made(ByteReader&)> load;
  bool learns_from_examples_alone = false;  // train() needs no negative examples
};

// More likely than not.
inline constexpr double kLearnedThreshold = 0.5;

// A judge that uses a classifier.
class LearnedJudge final : public Judge, public JudgesWords {
 public:
  LearnedJudge(Spec spec, std::shared_ptr<const Classifier> classifier,
               std::shared_ptr<const TermWords> words, double threshold)
      : spec_(std::move(spec)),
        classifier_(std::move(classifier)),
        words_(std::move(words)),
        threshold_(threshold) {}

  Judgement judge(const Page& page) const override;
  Relevance relevance(const PageTerms& page) const override;
  Spec spec() const override { return spec_; }
  double threshold() const override { return threshold_; }
  double direction_of(std::span<const TermId> terms) const override {
    return classifier_->direction_of(terms);
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return strongest_of(*words_, *this, most);
  }
  const TermWords& words() const { return *words_; }

 private:
  const Spec spec_;
  const std::shared_ptr<const Classifier> classifier_;
  const std::shared_ptr<const TermWords> words_;  // shared by all judges of a crawl
  const double threshold_;
};

}  // namespace dowser
