#include <algorithm>
#include <cmath>
#include <map>

#include "base/sparse_vector.h"
#include "judge/judge.h"
#include "judge/page_terms.h"

// Cosine: how much do the words of the page and of the topic point the same way? (U fig. 5, K 4.2:
// similarity to a query.)
//
//   relevance = p · t / (|p| |t|)     p: terms of the page, 1 + ln(times it stands there)
//                                     t: the topic: 1 for each of its words; with example pages the
//                                        mean of their p / |p|, the words counting as one more
//                                        example
//
// A page of 300 different terms that uses all five words of a topic three times each has about 0.2;
// one that mentions a single word of it has 0.02.
//
// The threshold, where the user sets none: for words alone 0.1, about two words of five in earnest
// on a page of middle length. With example pages it is half of what an example has against the
// others (each left out in turn), since what is a high similarity depends on the topic and on how
// long the pages are; for a single example 0.2. U uses raw frequencies; logarithms keep a word that
// stands there fifty times from deciding alone. There is no weight for rare words: that needs a
// background vocabulary.
//
// Words are prepared in every language that pages are analysed in, so a German topic meets German
// stems.

namespace dowser {
namespace {

constexpr double kWordsThreshold = 0.1;
constexpr double kSingleExampleThreshold = 0.2;
constexpr double kShareOfExamples = 0.5;
constexpr size_t kMostReasons = 12;

SparseVector page_vector(const Page& page) {
  std::vector<SparseVector::Entry> entries;
  for (const TermCount& t : page_terms(page)) {
    entries.push_back({t.term, 1 + std::log(static_cast<double>(t.count))});
  }
  return SparseVector(std::move(entries));
}

struct Description {
  SparseVector vector;                  // length 1
  std::map<TermId, std::string> words;  // of its terms, for the reasons
};

class CosineJudge final : public Judge {
 public:
  CosineJudge(const Topic& topic, std::optional<double> threshold) {
    SparseVector examples;
    for (const Page& page : topic.examples) {
      examples = sum(examples, page_vector(page).normalised());
      for (Term& t : text_terms(page.title + "\n" + page.text, analysed_language(page))) {
        example_words_.emplace(t.id, std::move(t.word));
      }
    }
    for (const std::string& language : analysed_languages()) {
      Description description;
      std::vector<SparseVector::Entry> entries;
      for (Term& t : text_terms(topic.words, language)) {
        if (description.words.emplace(t.id, std::move(t.word)).second) entries.push_back({t.id, 1});
      }
      description.vector =
          sum(examples, SparseVector(std::move(entries)).normalised()).normalised();
      descriptions_.emplace(language, std::move(description));
    }
    threshold_ = threshold.value_or(own_threshold(topic));
  }

  Judgement judge(const Page& page) const override {
    const Description& description = descriptions_.at(std::string(analysed_language(page)));
    const SparseVector vector = page_vector(page).normalised();
    Judgement judgement;
    std::vector<SparseVector::Entry> shares;  // of the terms that both have
    for (const auto& e : vector.entries()) {
      const double share = e.value * description.vector.at(e.index);
      if (share != 0) shares.push_back({e.index, share});
      judgement.relevance.value += share;
    }
    judgement.relevance.value = std::clamp(judgement.relevance.value, 0.0, 1.0);
    judgement.relevant = judgement.relevance.value >= threshold_;
    const size_t n = std::min(shares.size(), kMostReasons);
    std::partial_sort(shares.begin(), shares.begin() + static_cast<ptrdiff_t>(n), shares.end(),
                      [](const auto& a, const auto& b) {
                        return a.value != b.value ? a.value > b.value : a.index < b.index;
                      });
    for (size_t i = 0; i < n; ++i) {
      judgement.reasons.push_back({word(description, shares[i].index), shares[i].value});
    }
    return judgement;
  }

  Spec spec() const override { return {"cosine", {}}; }
  double threshold() const override { return threshold_; }

 private:
  static double own_threshold(const Topic& topic) {
    const size_t n = topic.examples.size();
    if (n == 0) return kWordsThreshold;
    if (n == 1) return kSingleExampleThreshold;
    SparseVector total;
    std::vector<SparseVector> vectors;
    for (const Page& page : topic.examples) {
      vectors.push_back(page_vector(page).normalised());
      total = sum(total, vectors.back());
    }
    double mean = 0;
    for (const SparseVector& v : vectors) {
      mean += cosine(v, sum(total, v, -1)) / static_cast<double>(n);
    }
    return kShareOfExamples * mean;
  }

  std::string word(const Description& description, TermId term) const {
    if (const auto it = description.words.find(term); it != description.words.end())
      return it->second;
    return example_words_.at(term);
  }

  std::map<std::string, Description> descriptions_;  // by language
  std::map<TermId, std::string> example_words_;
  double threshold_;
};

}  // namespace

Result<std::unique_ptr<Judge>> make_cosine_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  if (auto bad = p.finish()) return *bad;
  if (text_terms(context.topic.words, "en").empty() && context.topic.examples.empty()) {
    return Error{"the topic has no words that tell anything: name others, or give an example page"};
  }
  return std::unique_ptr<Judge>(std::make_unique<CosineJudge>(context.topic, context.threshold));
}

}  // namespace dowser
