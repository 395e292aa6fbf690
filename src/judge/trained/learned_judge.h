#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/sparse_vector.h"
#include "judge/judge.h"
#include "learn/example.h"

// What judges that learn have in common: a classifier that was trained on pages, and the words of
// the terms it knows.

namespace dowser {

// Terms are hashes; only those whose words somebody kept can be shown.
using TermWords = absl::flat_hash_map<TermId, std::string>;

// Adds those of the page; a term keeps the first word it stood for. No more than `most` in all.
void add_words(const Page& page, TermWords& words, size_t most = SIZE_MAX);
// Those of a topic's words, in every language that pages are analysed in.
void add_words(std::string_view text, TermWords& words);

void save_words(const TermWords& words, ByteWriter& out);
void load_words(ByteReader& in, TermWords& words);

// The dozen largest contributions, for or against, of terms whose words are known.
std::vector<Judgement::Reason> strongest_reasons(const SparseVector& contributions,
                                                 const TermWords& words);

// The words that point most towards the topic, the strongest first. A word that has other stems in
// other languages is there once.
std::vector<Judgement::Reason> strongest_of(const TermWords& words, const Judge& judge,
                                            size_t most);

// How often each term stands in a page, as a vector.
SparseVector count_vector(std::span<const TermCount> terms);
// 1 + ln(count) of each, with length 1; of examples that hold counts likewise.
SparseVector unit_vector(std::span<const TermCount> terms);
std::vector<Example> unit_vectors(std::span<const Example> counts);

// Tells pages on the topic from others. Immutable.
class Classifier {
 public:
  virtual ~Classifier() = default;
  // That the page is on the topic, 0 … 1.
  virtual double probability(std::span<const TermCount> terms) const = 0;
  // What each of its terms adds to that, on a scale of the classifier's own.
  virtual SparseVector contributions(std::span<const TermCount> terms) const = 0;
  // As Judge::direction_of().
  virtual double direction_of(std::span<const TermId>) const { return 0; }
  virtual void save(ByteWriter& out) const = 0;
};

// A way of making classifiers. The vectors of the examples are counts of terms; label 1 is on the
// topic.
struct Learner {
  // Shared: a trainer and the judge that it made use the same one.
  using Made = Result<std::shared_ptr<const Classifier>>;

  Spec spec;
  std::function<Made(std::span<const Example>)> train;
  std::function<Made(ByteReader&)> load;
  bool learns_from_examples_alone = false;  // train() does without others
};

// Likelier than not.
inline constexpr double kLearnedThreshold = 0.5;

// Judges by a classifier.
class LearnedJudge final : public Judge {
 public:
  LearnedJudge(Spec spec, std::shared_ptr<const Classifier> classifier,
               std::shared_ptr<const TermWords> words, double threshold)
      : spec_(std::move(spec)),
        classifier_(std::move(classifier)),
        words_(std::move(words)),
        threshold_(threshold) {}

  Judgement judge(const Page& page) const override;
  Relevance relevance(const Page& page) const override;
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
