#pragma once

#include <string>

#include "base/random.h"
#include "model/visit.h"
#include "text/terms.h"

// Pages made of words, for tests of judges that learn.

namespace dowser {

inline Page written_page(std::string text) {
  Page page;
  page.text = std::move(text);
  page.language = "en";
  page.terms = count_terms({page.text}, page.language);
  return page;
}

// Twenty words of the vocabulary of birds or of that of stones, and twenty that every page may
// have.
inline Page made_page(Random& random, bool birds) {
  static const char* const kBirds[] = {"owl", "feather", "nest", "wing", "beak", "egg", "flight"};
  static const char* const kStones[] = {"granite", "quarry", "marble", "basalt", "slate", "gravel"};
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += birds ? kBirds[random.below(7)] : kStones[random.below(6)];
    text += " common" + std::to_string(random.below(50)) + " ";
  }
  return written_page(text);
}

inline Visit made_visit(uint32_t id, Page page, bool seed = false) {
  Visit visit;
  visit.id = {id};
  visit.candidate.url = *Url::parse("http://web.test/" + std::to_string(id));
  if (!seed) visit.candidate.trail.parent = VisitId{0};
  visit.response.url = visit.candidate.url;
  visit.response.status = 200;
  visit.page = std::move(page);
  return visit;
}

}  // namespace dowser
