#include "document/header_lines.h"
#include "document/kind.h"

// The words for computer science and statistics, in English and a little German, French and
// Portuguese. Those of papers are the ones that Chen 2008 (3.2.4) gives, and ours.

namespace dowser {

const KindRules& usual_kind_rules() {
  static const KindRules rules = {
      .thesis = {{"partial fulfillment", 4},
                 {"partial fulfilment", 4},
                 {"fulfilment of the requirements", 3},
                 {"fulfillment of the requirements", 3},
                 {"thesis submitted", 3},
                 {"dissertation submitted", 3},
                 {"doctor of philosophy", 3},
                 {"master of science", 2},
                 {"degree of", 1},
                 {"doctoral thesis", 2},
                 {"doctoral dissertation", 3},
                 {"diplomarbeit", 3},
                 {"masterarbeit", 4},
                 {"bachelorarbeit", 4},
                 {"erlangung des", 3},
                 {"these de doctorat", 4},
                 {"trabalho academico", 3},
                 {"dissertacao", 2},
                 {"orientador", 1.5}},
      .thesis_words = {{"thesis", 1.5},
                       {"dissertation", 1},
                       {"phd thesis", 0.5},
                       {"masters thesis", 0.5},
                       {"master s thesis", 0.5},
                       {"supervisor", 0.5},
                       {"advisor", 0.5}},
      .report = {{"technical report", 7},
                 {"tech report", 4},
                 {"working paper", 7},
                 {"research report", 7},
                 {"technical memorandum", 4},
                 {"report no", 3},
                 {"white paper", 3},
                 {"final report", 3.5},
                 {"final project report", 3.5},
                 {"annual report", 3.5},
                 {"progress report", 3.5},
                 {"forschungsbericht", 4},
                 {"rapport de recherche", 4}},
      .report_title = {{"report", 3.5}, {"bericht", 3}},
      .faq = {{"frequently asked questions", 6},
              {"faq", 4},
              {"haufig gestellte fragen", 6},
              {"foire aux questions", 6}},
      .parts = {{"introduction", 0.8},
                {"conclusion", 1},
                {"conclusions", 1},
                {"concluding remarks", 1},
                {"discussion", 0.7},
                {"acknowledgements", 0.8},
                {"acknowledgments", 0.8},
                {"acknowledgement", 0.8},
                {"related work", 1},
                {"future work", 0.8},
                {"results", 0.6},
                {"methods", 0.5},
                {"appendix", 0.3}},
      .manual_title = {{"guide", 2.5},
                       {"manual", 2.5},
                       {"tutorial", 2.5},
                       {"handbook", 2},
                       {"how to", 1.5},
                       {"howto", 2},
                       {"getting started", 2},
                       {"quick reference", 3},
                       {"reference card", 3},
                       {"template", 3},
                       {"documentation", 2.5},
                       {"class", 2.5},
                       {"cls", 3},
                       {"latex", 1.5},
                       {"package", 1},
                       {"overview", 1},
                       {"instructions", 2},
                       {"description of", 1.5},
                       {"vignette", 1.5},
                       {"example", 1},
                       {"examples", 1},
                       {"reference", 1},
                       {"slides", 2}},
      .enough = 3,
      .page_parts = {"abstract", "keywords", "introduction", "chapter", "reference", "bibliography",
                     "future work", "conclusion", "appendix", "acknowledg"}};
  return rules;
}

KindRules kind_rules_of(const Profile& profile) {
  KindRules rules = usual_kind_rules();
  const auto replace = [](const std::vector<Profile::Phrase>& own,
                          std::vector<KindRules::Phrase>& usual) {
    if (own.empty()) return;
    usual.clear();
    for (const Profile::Phrase& phrase : own) {
      usual.push_back({folded_words(phrase.words), phrase.weight});
    }
  };
  replace(profile.documents.thesis, rules.thesis);
  replace(profile.documents.report, rules.report);
  replace(profile.documents.faq, rules.faq);
  replace(profile.documents.paper, rules.parts);
  if (!profile.pages.paper_words.empty()) {
    rules.page_parts.clear();
    for (const std::string& words : profile.pages.paper_words) {
      rules.page_parts.push_back(folded_words(words));
    }
    rules.page_parts_needed = profile.pages.paper_words_needed;
  }
  return rules;
}

}  // namespace dowser
