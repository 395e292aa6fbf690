#pragma once

#include <string>
#include <vector>

#include "document/document_text.h"
#include "model/document.h"
#include "model/profile.h"

// What kind of document it is, for a library that collects papers and leaves lecture slides and
// brochures out (the document filter of CINDI: Chen 2008, 2.4).

namespace dowser {

// The words that the rules look for, and what each of them is worth. The words are in the folded
// form of folded_words(): lower case, without accents and punctuation.
struct KindRules {
  struct Phrase {
    std::string words;
    double weight = 0;
  };
  std::vector<Phrase> thesis;        // a statement on the first pages: "in partial fulfillment"
  std::vector<Phrase> thesis_words;  // a mention there, which a manual for students makes too
  std::vector<Phrase> report;        // on the title page
  std::vector<Phrase> report_title;  // in the title
  std::vector<Phrase> faq;           // in the title
  std::vector<Phrase> parts;         // headings of the parts of a paper
  std::vector<Phrase> manual_title;  // in the title: against thesis, report and paper
  double enough = 3;                 // evidence that a kind needs
  // A web page is looked at only if it has this many headings that begin like these (Chen 2008,
  // 3.2.4), or questions as headings.
  std::vector<std::string> page_parts;
  size_t page_parts_needed = 3;
};
const KindRules& usual_kind_rules();

// The usual rules with the lists that the profile has instead of them: its words for theses,
// reports and FAQs, for the parts of a paper, and for the headings of web pages that are papers.
KindRules kind_rules_of(const Profile& profile);

DocumentKind kind_of(const DocumentText& document, const DocumentHeader& header,
                     const KindRules& rules = usual_kind_rules());

}  // namespace dowser
