#include "judge/cindi/profile_keywords.h"

#include <algorithm>

#include "text/terms.h"

namespace dowser {

ProfileKeywords::ProfileKeywords(const Profile& profile) : rules_(profile) {
  if (profile.pages.domain_keywords.empty()) return;
  for (const std::string& language : analysed_languages()) {
    for (const std::string& words : profile.pages.domain_keywords) {
      std::vector<TermId> terms = term_ids(words, language);
      if (!terms.empty()) by_language_[language].push_back({words, std::move(terms)});
    }
  }
}

std::optional<std::string> ProfileKeywords::find(const Page& page) const {
  if (const auto label = rules_.host_keyword(page.url.hostname())) return std::string(*label);
  const auto keywords = by_language_.find(std::string(analysed_language(page.language)));
  if (keywords == by_language_.end()) return std::nullopt;
  for (const std::string* text : {&page.title, &page.keywords}) {
    const std::vector<TermId> terms = term_ids(*text, page.language);
    for (const Keyword& keyword : keywords->second) {
      if (std::search(terms.begin(), terms.end(), keyword.terms.begin(), keyword.terms.end()) !=
          terms.end()) {
        return keyword.words;
      }
    }
  }
  return std::nullopt;
}

}  // namespace dowser
