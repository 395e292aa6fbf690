#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "judge/judge.h"
#include "judge/trained/final_verdicts.h"
#include "judge/trained/learned_judge.h"
#include "learn/final_model.h"
#include "text/topic_words.h"

// The judge of a crawl that has ended: trained on the topic and on everything that was fetched, it
// judges every page again. learn/final_model.cc describes the model.

namespace dowser {

// Whether a judge of this text form that learns is replaced by a final judge: `seeds` is not, since
// it ignores the topic, and neither is `cindi`, whose keywords a final judge would not know.
inline bool has_final_judge(const Spec& judge) {
  return judge.name != "seeds" && judge.name != "cindi";
}

// How much of the topic a title names: the share of its words, by their rarity in the crawl.
class TitleShare {
 public:
  TitleShare() = default;  // always 0
  TitleShare(std::string topic, std::vector<double> rarities)
      : topic_(std::move(topic)), words_(topic_), rarities_(std::move(rarities)) {}

  double of(std::string_view title, std::string_view language) const {
    return words_.empty() ? 0 : TopicWords::share(words_.in(title, language), rarities_);
  }

  void save(ByteWriter& out) const;
  static TitleShare load(ByteReader& in);  // the caller checks in.ok()

 private:
  std::string topic_;
  TopicWords words_;
  std::vector<double> rarities_;  // of each word
};

class FinalJudge final : public Judge, public JudgesWords {
 public:
  FinalJudge(Spec spec, FinalModel model, FinalWeights weights, TitleShare titles, TermWords words)
      : spec_(std::move(spec)),
        model_(std::move(model)),
        weights_(weights),
        titles_(std::move(titles)),
        words_(std::move(words)) {}

  // Of a page of which only words and title are known; relevance() does without the title.
  Judgement judge(const Page& page) const override;
  Relevance relevance(const PageTerms& page) const override {
    if (page.terms.empty()) return {0};
    return {relevance_of(weights_.log_odds(log_odds_of(model_.relevance(page.terms))))};
  }
  // Of a page of the crawl.
  Judgement judge(const Page& page, const FinalRelevance& relevance) const;
  // The same, if what its neighbours add is not known but the relevance is.
  Judgement judge(const Page& page, double at_fetch, double relevance) const;
  Spec spec() const override { return spec_; }  // of the judge that it replaces
  double threshold() const override { return model_.threshold(); }
  double direction_of(std::span<const TermId> terms) const override {
    return model_.direction_of(terms);
  }
  std::vector<Judgement::Reason> strongest_words(size_t most) const override {
    return strongest_of(words_, *this, most);
  }
  const FinalModel& model() const { return model_; }

  std::string bytes() const;
  static Result<std::unique_ptr<FinalJudge>> from_bytes(std::string_view bytes);

 private:
  const Spec spec_;
  const FinalModel model_;
  const FinalWeights weights_;
  const TitleShare titles_;
  const TermWords words_;
};

// Trains the model. All pages are shown to it first; it keeps a sample of them, at most about 30 MB
// however many there are. In which order they are shown makes no difference.
class FinalTrainer {
 public:
  explicit FinalTrainer(const Topic& topic);

  // A page that brought something: not an error, not a copy. `hash` identifies it; that of its
  // address is meant.
  void add(uint64_t hash, std::span<const TermCount> terms);
  // An error if there is too little to learn from.
  Result<FinalModel> train() const;
  // How the verdicts of its model are combined with other evidence.
  FinalWeights weights() const {
    return FinalWeights::of(examples_.size() >= FinalModel::kFewExamples);
  }

 private:
  struct Kept {
    double key;  // the greatest leave first
    uint64_t hash;
    std::vector<TermCount> terms;
  };
  static void keep(std::vector<Kept>& heap, size_t most, double key, uint64_t hash,
                   std::span<const TermCount> terms);
  double similarity(std::span<const TermCount> terms) const;

  std::vector<SparseVector> examples_, counter_examples_;
  std::vector<TermId> words_;
  SparseVector topic_;         // weighted by rarity, of length 1
  std::vector<Kept> sample_;   // of all pages, evenly
  std::vector<Kept> nearest_;  // to the topic
};

}  // namespace dowser
