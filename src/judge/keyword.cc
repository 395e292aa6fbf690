#include <algorithm>
#include <map>

#include "judge/judge.h"
#include "judge/reasons.h"
#include "text/terms.h"

// Keyword: which of the topic's words does the page have? (Predicate satisfaction in Uluhan 2006,
// ch. IV; page importance by keyword in Küçük 2009, section 4.2.)
//
// clang-format off
//   mode=any        relevance = share of the topic's words that the page has;
//                   relevant if it has at least one of them
//   mode=all        the same relevance; relevant if it has all of them
//   mode=frequency  relevance = occurrences of topic words in 100 words of the page, divided by 10,
//                   at most 1; relevant from one occurrence in 100 words
// clang-format on
//
// Words are compared by their stems in the page's language. --threshold sets another limit for the
// relevance in every mode.

namespace dowser {
namespace {

constexpr double kFrequentIsAll = 10;  // occurrences in 100 words
constexpr double kFrequencyThreshold = 0.1;

class KeywordJudge final : public Judge {
 public:
  KeywordJudge(const Topic& topic, std::string mode, std::optional<double> threshold)
      : mode_(std::move(mode)) {
    size_t most = 0;
    for (const std::string& language : analysed_languages()) {
      std::map<TermId, std::string>& words = words_[language];
      for (Term& t : text_terms(topic.words, language)) words.emplace(t.id, std::move(t.word));
      most = std::max(most, words.size());
    }
    const double own = mode_ == "all"   ? 1
                       : mode_ == "any" ? 1 / static_cast<double>(std::max<size_t>(most, 1))
                                        : kFrequencyThreshold;
    threshold_ = threshold.value_or(own);
  }

  Judgement judge(const Page& page) const override {
    const auto& words = words_.at(std::string(analysed_language(page.language)));
    size_t total = 0, occurrences = 0, present = 0;
    Judgement judgement;
    for (const TermCount& t : page.terms) {
      total += t.count;
      const auto word = words.find(t.term);
      if (word == words.end()) continue;
      ++present;
      occurrences += t.count;
      judgement.reasons.push_back({word->second, static_cast<double>(t.count)});
    }
    if (mode_ == "frequency") {
      const double rate =
          total ? 100.0 * static_cast<double>(occurrences) / static_cast<double>(total) : 0;
      judgement.relevance.value = std::min(1.0, rate / kFrequentIsAll);
    } else if (!words.empty()) {
      judgement.relevance.value = static_cast<double>(present) / static_cast<double>(words.size());
    }
    judgement.relevant = present > 0 && judgement.relevance.value >= threshold_ - 1e-12;
    if (present == 0) return judgement;
    // Every word that is there counts alike, or by how often it is there.
    const bool by_count = mode_ == "frequency";
    const double parts = static_cast<double>(by_count ? occurrences : present);
    for (Judgement::Reason& reason : judgement.reasons) {
      reason.weight = judgement.relevance.value * (by_count ? reason.weight : 1) / parts;
    }
    judgement.reasons = joined(judgement.reasons, {});
    return judgement;
  }

  Spec spec() const override { return {"keyword", {{"mode", mode_}}}; }
  double threshold() const override { return threshold_; }

 private:
  const std::string mode_;
  std::map<std::string, std::map<TermId, std::string>> words_;  // by language
  double threshold_;
};

}  // namespace

Result<std::unique_ptr<Judge>> make_keyword_judge(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  const std::string mode = p.choice("mode", {"any", "all", "frequency"});
  if (auto bad = p.finish()) return *bad;
  if (text_terms(context.topic.words, "en").empty()) {
    return Error{
        "the keyword judge needs words that are not very common: give others with --topic"};
  }
  return std::unique_ptr<Judge>(
      std::make_unique<KeywordJudge>(context.topic, mode, context.threshold));
}

}  // namespace dowser
