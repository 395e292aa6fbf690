#include <algorithm>
#include <cmath>
#include <map>

#include "judge/judge.h"
#include "judge/reasons.h"
#include "text/terms.h"
#include "text/topic_vector.h"

// Cosine: the cosine similarity between the words of the page and those of the topic (Uluhan 2006,
// fig. 5; similarity to a query in Küçük 2009, section 4.2).
//
// clang-format off
//   relevance = p · t / (|p| |t|)     p: for each term of the page 1 + ln(number of occurrences)
//                                     t: 1 for each word of the topic; with example pages the mean
//                                        of their p / |p|, the words counting as another example
// clang-format on
//
// to=nearest ("maximum cosine" in Liu, Janssen and Milios 2005): the highest cosine to a single
// example. It is for topics of several kinds, whose mean resembles none of them.
//
// A page of 300 different terms that uses all five words of a topic three times each has about 0.2;
// one that mentions a single word of the topic has 0.02.
//
// The threshold, unless the user sets one: for words alone 0.1, which takes about two of five words
// that are used repeatedly on a page of medium length. With example pages it is half the mean
// cosine of an example to the others (each left out in turn), since it depends on the topic and on
// the length of pages what a high similarity is. For a single example it is 0.2. Uluhan uses raw
// frequencies; logarithms keep a word that occurs fifty times from deciding alone. Rare words have
// no extra weight, which would need a background vocabulary.
//
// The topic's words are analysed in every language that pages are analysed in, so that a German
// topic matches German stems.

namespace dowser {
namespace {

constexpr double kWordsThreshold = 0.1;
constexpr double kSingleExampleThreshold = 0.2;
constexpr double kShareOfExamples = 0.5;

class CosineJudge final : public Judge, public JudgesWords {
 public:
  CosineJudge(const Topic& topic, std::string to, std::optional<double> threshold)
      : to_(std::move(to)) {
    for (const Page& page : topic.examples) {
      if (to_ == "nearest" || parts_.empty()) parts_.emplace_back();
      parts_.back().add_example(page.terms);
    }
    if (!topic.words.empty()) {
      if (to_ == "nearest" || parts_.empty()) parts_.emplace_back();
      parts_.back().add_words(topic.words);
    }
    threshold_ = threshold.value_or(own_threshold(topic));
  }

  Judgement judge(const Page& page) const override {
    TopicVector::Match nearest = parts_.front().match(page.terms, page.language);
    for (size_t i = 1; i < parts_.size(); ++i) {
      TopicVector::Match match = parts_[i].match(page.terms, page.language);
      if (match.similarity > nearest.similarity) nearest = std::move(match);
    }
    Judgement judgement;
    judgement.relevance.value = nearest.similarity;
    judgement.relevant = nearest.similarity >= threshold_;
    judgement.reasons = reasons_of_shares(page, nearest.shares);
    return judgement;
  }

  Relevance relevance(const PageTerms& page) const override {
    double best = 0;
    for (const TopicVector& part : parts_) {
      best = std::max(best, part.similarity(page.terms, page.language));
    }
    return {best};
  }

  Spec spec() const override {
    return {"cosine", to_ == "centroid" ? std::map<std::string, std::string>{}
                                        : std::map<std::string, std::string>{{"to", to_}}};
  }
  double threshold() const override { return threshold_; }
  double direction_of(std::span<const TermId> terms) const override {
    double best = 0;
    for (const TopicVector& part : parts_) {
      double sum = 0;
      for (const TermId term : terms) sum += part.weight(term, "");
      best = std::max(best, sum);
    }
    return terms.empty() ? 0 : best / std::sqrt(static_cast<double>(terms.size()));
  }

 private:
  double own_threshold(const Topic& topic) const {
    const size_t n = topic.examples.size();
    if (n == 0) return kWordsThreshold;
    if (n == 1) return kSingleExampleThreshold;
    SparseVector total;
    std::vector<SparseVector> vectors;
    for (const Page& page : topic.examples) {
      vectors.push_back(log_vector(page.terms).normalised());
      total = sum(total, vectors.back());
    }
    double mean = 0;
    for (const SparseVector& v : vectors) {
      double similarity = 0;
      if (to_ == "centroid") {
        similarity = cosine(v, sum(total, v, -1));
      } else {
        for (const SparseVector& other : vectors) {
          if (&other != &v) similarity = std::max(similarity, cosine(v, other));
        }
      }
      mean += similarity / static_cast<double>(n);
    }
    return kShareOfExamples * mean;
  }

  const std::string to_;
  std::vector<TopicVector>
      parts_;  // one for everything, or one for each example and one for the words
  double threshold_;
};

}  // namespace

Result<std::unique_ptr<Judge>> make_cosine_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  const std::string to = p.choice("to", {"centroid", "nearest"});
  if (auto bad = p.finish()) return *bad;
  const bool has_words = std::none_of(analysed_languages().begin(), analysed_languages().end(),
                                      [&](const std::string& language) {
                                        return text_terms(context.topic.words, language).empty();
                                      });
  if (!has_words && context.topic.examples.empty()) {
    return Error{"the topic has only very common words: give others, or an example page"};
  }
  return std::unique_ptr<Judge>(
      std::make_unique<CosineJudge>(context.topic, to, context.threshold));
}

}  // namespace dowser
