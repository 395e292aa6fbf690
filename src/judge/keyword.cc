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
      Words& words = words_[language];
      for (Term& t : text_terms(topic.words, language)) words.emplace(t.id, std::move(t.word));
      most = std::max(most, words.size());
    }
    const double own = mode_ == "all"   ? 1
                       : mode_ == "any" ? 1 / static_cast<double>(std::max<size_t>(most, 1))
                                        : kFrequencyThreshold;
    threshold_ = threshold.value_or(own);
  }

  Judgement judge(const Page& page) const override {
    const Words& words = words_in(page.language);
    Judgement judgement;
    for (const TermCount& t : page.terms) {
      const auto word = words.find(t.term);
      if (word == words.end()) continue;
      judgement.reasons.push_back({word->second, static_cast<double>(t.count)});
    }
    judgement.relevance = relevance(terms_of(page));
    judgement.relevant =
        !judgement.reasons.empty() && judgement.relevance.value >= threshold_ - 1e-12;
    // Every word that is there counts alike, or by how often it is there.
    double parts = 0;
    for (Judgement::Reason& reason : judgement.reasons) {
      if (mode_ != "frequency") reason.weight = 1;
      parts += reason.weight;
    }
    judgement.reasons =
        joined(scaled(std::move(judgement.reasons), judgement.relevance.value / parts), {});
    return judgement;
  }

  Relevance relevance(const PageTerms& page) const override {
    const Words& words = words_in(page.language);
    size_t total = 0, occurrences = 0, present = 0;
    for (const TermCount& t : page.terms) {
      total += t.count;
      if (!words.contains(t.term)) continue;
      ++present;
      occurrences += t.count;
    }
    if (mode_ == "frequency") {
      const double rate =
          total ? 100.0 * static_cast<double>(occurrences) / static_cast<double>(total) : 0;
      return {std::min(1.0, rate / kFrequentIsAll)};
    }
    if (words.empty()) return {};
    return {static_cast<double>(present) / static_cast<double>(words.size())};
  }

  Spec spec() const override { return {"keyword", {{"mode", mode_}}}; }
  double threshold() const override { return threshold_; }

 private:
  using Words = std::map<TermId, std::string>;
  const Words& words_in(std::string_view language) const {
    return words_.at(std::string(analysed_language(language)));
  }

  const std::string mode_;
  std::map<std::string, Words> words_;  // by language
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
