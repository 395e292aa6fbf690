#include "document/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "document/header_lines.h"

// Each kind collects evidence, a weight for each thing that was found:
//
//   thesis   states it on its first pages ("in partial fulfillment", "Masterarbeit"), has chapters
//            and the length of a book; mere mentions of theses count little
//   report   says so on its title page ("Technical Report", "Working Paper") or in its title
//   faq      says so in its title, or its lines are questions
//   paper    has the parts of one: abstract, keywords, introduction, conclusion, acknowledgements,
//            references that are cited, names and an affiliation below the title
//
// A title such as "User guide" or "The xy class" is evidence against all of them but a FAQ, and a
// table of contents one against a paper. The kind with the most evidence is the document's if it
// has at least KindRules::enough; otherwise the document is something else. A thesis or a report
// has the parts of a paper too, so their evidence is worth more. How well it does on documents that
// were labelled by hand: docs/library.md. Confidence is a logistic function of how far the best
// kind is above what it needs and above the next. The cost is one pass over the text.

namespace dowser {
namespace {

constexpr size_t kFirstPages = 6000;  // characters
constexpr size_t kTitlePage = 2000;
constexpr double kMostMentions = 2;  // weight of mentions of theses together

class Weigher {
 public:
  explicit Weigher(double enough) : enough_(enough) {}

  void add(DocumentType type, double weight, std::string reason) {
    weights_[static_cast<size_t>(type)] += weight;
    found_.push_back({type, weight, std::move(reason)});
  }
  // Evidence against all kinds but lists of questions, which are often about a manual's subject.
  void add_against(double weight, std::string reason) {
    for (const auto type : {DocumentType::kThesis, DocumentType::kPaper, DocumentType::kReport}) {
      weights_[static_cast<size_t>(type)] -= weight;
    }
    found_.push_back({DocumentType::kOther, weight, std::move(reason)});
  }

  DocumentKind decide() const {
    DocumentKind kind;
    size_t best = 1;
    for (size_t i = 1; i < weights_.size(); ++i) {
      if (weights_[i] > weights_[best]) best = i;
    }
    double second = enough_;
    for (size_t i = 1; i < weights_.size(); ++i) {
      if (i != best) second = std::max(second, weights_[i]);
    }
    const double best_weight = weights_[best];
    if (best_weight >= enough_) kind.type = static_cast<DocumentType>(best);
    const double margin = kind.is_accepted() ? best_weight - second : enough_ - best_weight;
    kind.confidence = 1 / (1 + std::exp(-margin - 0.5));
    std::vector<Found> reasons = found_;
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](const Found& a, const Found& b) { return a.weight > b.weight; });
    for (const Found& one : reasons) {
      const bool speaks_for_other = one.type == DocumentType::kOther && !kind.is_accepted();
      if (speaks_for_other || static_cast<size_t>(one.type) == best) {
        kind.reasons.push_back(one.reason);
      }
    }
    return kind;
  }

 private:
  struct Found {
    DocumentType type;
    double weight;
    std::string reason;
  };
  const double enough_;
  std::array<double, kDocumentTypes> weights_{};
  std::vector<Found> found_;
};

bool holds_phrase(std::string_view words, std::string_view phrase) {
  for (size_t at = words.find(phrase); at != std::string_view::npos;
       at = words.find(phrase, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const size_t end = at + phrase.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

using Phrases = std::vector<KindRules::Phrase>;

void look_for(const Phrases& phrases, DocumentType type, std::string_view where,
              std::string_view words, Weigher& weigher) {
  for (const KindRules::Phrase& one : phrases) {
    if (holds_phrase(words, one.words)) {
      weigher.add(type, one.weight, fmt::format("\"{}\" {}", one.words, where));
    }
  }
}

void weigh_beginning(std::string_view text, const KindRules& rules, Weigher& weigher) {
  const std::string first_pages = folded_words(text.substr(0, kFirstPages));
  look_for(rules.thesis, DocumentType::kThesis, "on the first pages", first_pages, weigher);
  double mentions = 0;
  for (const KindRules::Phrase& one : rules.thesis_words) {
    if (!holds_phrase(first_pages, one.words)) continue;
    const double weight = std::min(one.weight, kMostMentions - mentions);
    mentions += weight;
    if (weight > 0) {
      weigher.add(DocumentType::kThesis, weight, fmt::format("mentions \"{}\"", one.words));
    }
  }
  look_for(rules.report, DocumentType::kReport, "on the title page",
           folded_words(text.substr(0, kTitlePage)), weigher);
}

void weigh_title(std::string_view title, const KindRules& rules, Weigher& weigher) {
  look_for(rules.report_title, DocumentType::kReport, "in the title", title, weigher);
  look_for(rules.faq, DocumentType::kFaq, "in the title", title, weigher);
  for (const KindRules::Phrase& one : rules.manual_title) {
    if (holds_phrase(title, one.words)) {
      weigher.add_against(one.weight, fmt::format("\"{}\" in the title", one.words));
    }
  }
}

// Short lines that are headings, or questions.
void weigh_lines(std::string_view text, const Phrases& parts, Weigher& weigher) {
  std::vector<bool> has_part(parts.size());
  size_t lines = 0, questions = 0, chapters = 0;
  bool has_contents = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.size() < 4) continue;
    ++lines;
    if (line.back() == '?' || line.starts_with("Q:") || line.starts_with("Q.")) ++questions;
    if (line.size() > 45) continue;
    std::string folded = folded_words(line);
    chapters += folded.starts_with("chapter ");
    has_contents |= at < kFirstPages && (folded == "contents" || folded == "table of contents");
    const size_t letter = folded.find_first_not_of("0123456789 ");
    folded.erase(0, std::min(letter, folded.size()));
    for (size_t i = 0; i < parts.size(); ++i) has_part[i] = has_part[i] || folded == parts[i].words;
  }
  if (has_contents) weigher.add(DocumentType::kPaper, -0.8, "a table of contents");
  for (size_t i = 0; i < has_part.size(); ++i) {
    if (has_part[i]) {
      weigher.add(DocumentType::kPaper, parts[i].weight,
                  fmt::format("a part \"{}\"", parts[i].words));
    }
  }
  if (chapters >= 4) weigher.add(DocumentType::kThesis, 1.5, fmt::format("{} chapters", chapters));
  if (questions >= 8 && questions * 12 >= lines) {
    weigher.add(DocumentType::kFaq, 3, fmt::format("{} questions", questions));
  }
}

// Where its authors work: "Department of Statistics", "ann@example.org".
bool has_affiliation(std::string_view beginning) {
  if (beginning.find('@') != std::string_view::npos) return true;
  const std::string words = folded_words(beginning);
  for (const std::string_view one :
       {"university", "universite", "universitat", "department", "institute", "laboratory"}) {
    if (holds_phrase(words, one)) return true;
  }
  return false;
}

// "[12]" or "(Smith 2004)": works that are cited in the text.
size_t citations_in(std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find_first_of("[("); at != std::string_view::npos;
       at = text.find_first_of("[(", at + 1)) {
    const size_t end = text.find_first_of("])", at);
    if (end == std::string_view::npos || end - at > 60) continue;
    const std::string_view inner = text.substr(at + 1, end - at - 1);
    const bool number = !inner.empty() && inner.size() <= 8 &&
                        inner.find_first_not_of("0123456789, -") == std::string_view::npos;
    if (text[at] == '[' ? number : year_in(inner) != 0) ++count;
  }
  return count;
}

}  // namespace

DocumentKind kind_of(const DocumentText& document, const DocumentHeader& header,
                     const KindRules& rules) {
  Weigher weigher(rules.enough);
  const std::string_view text = document.text;
  weigh_beginning(text, rules, weigher);
  weigh_title(folded_words(header.title.value), rules, weigher);
  weigh_lines(text, rules.parts, weigher);
  if (text.size() > 120'000) weigher.add(DocumentType::kThesis, 1, "the length of a book");
  if (!header.abstract.value.empty()) weigher.add(DocumentType::kPaper, 1.5, "an abstract");
  if (!header.keywords.value.empty() && header.keywords.source == HeaderSource::kText) {
    weigher.add(DocumentType::kPaper, 1, "keywords");
  }
  if (!header.authors.empty()) weigher.add(DocumentType::kPaper, 0.3, "authors");
  if (has_affiliation(text.substr(0, kTitlePage))) {
    weigher.add(DocumentType::kPaper, 0.4, "an affiliation");
  }
  if (header.references > 0) {
    weigher.add(DocumentType::kPaper, header.references >= 3 ? 1.2 : 0.6,
                fmt::format("{} references", header.references));
    if (const size_t citations = citations_in(text); citations >= 5) {
      weigher.add(DocumentType::kPaper, 0.8, fmt::format("{} citations", citations));
    }
  }
  return weigher.decide();
}

}  // namespace dowser
