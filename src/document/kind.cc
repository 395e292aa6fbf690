#include "document/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "document/header_lines.h"

// Each kind collects evidence, a weight for each thing that was found:
//
//   thesis   says so on its first pages ("submitted in partial fulfillment", "Doctor of
//   Philosophy"), has
//            chapters and the length of a book
//   report   says so on its first pages ("Technical Report", "Working Paper", a report's number)
//   faq      says so in its title, and its lines are questions
//   paper    has the parts of one: abstract, keywords, introduction, conclusion, acknowledgements,
//            references that are cited
//
// The kind with the most evidence is the document's if it has at least kEnough; otherwise the
// document is something else. A thesis or a report has the parts of a paper too, so their evidence
// is worth more. The words are those that Chen 2008 (3.2.4) gives for papers, and ours. How well it
// does on documents that were labelled by hand: docs/library.md. Confidence is a logistic function
// of how far the best kind is above kEnough and above the next.

namespace dowser {
namespace {

constexpr double kEnough = 3.0;
constexpr size_t kFirstPages = 6000;  // characters

struct Evidence {
  std::string_view phrase;
  double weight;
};

constexpr Evidence kThesis[] = {{"in partial fulfillment", 4},
                                {"in partial fulfilment", 4},
                                {"doctor of philosophy", 3},
                                {"master of science", 3},
                                {"dissertation", 2.5},
                                {"master s thesis", 3},
                                {"masters thesis", 3},
                                {"phd thesis", 3},
                                {"diplomarbeit", 4},
                                {"doctoral thesis", 4},
                                {"degree of", 1.5},
                                {"thesis", 1.5},
                                {"supervisor", 1},
                                {"thèse", 3}};
constexpr Evidence kReport[] = {
    {"technical report", 5},     {"tech report", 4},    {"working paper", 5},
    {"research report", 5},      {"technical note", 4}, {"report no", 3},
    {"technical memorandum", 4}, {"white paper", 3},    {"forschungsbericht", 4}};
constexpr Evidence kFaq[] = {{"frequently asked questions", 6},
                             {"faq", 4},
                             {"häufig gestellte fragen", 6},
                             {"foire aux questions", 6}};
// Headings of the parts of a paper.
constexpr Evidence kPaperParts[] = {
    {"introduction", 0.8},    {"conclusion", 1},         {"conclusions", 1},
    {"discussion", 0.7},      {"acknowledgements", 0.8}, {"acknowledgments", 0.8},
    {"acknowledgement", 0.8}, {"related work", 1},       {"future work", 0.8},
    {"results", 0.6},         {"methods", 0.5},          {"appendix", 0.3}};

class Weigher {
 public:
  void add(DocumentType type, double weight, std::string reason) {
    weights_[static_cast<size_t>(type)] += weight;
    found_.push_back({type, weight, std::move(reason)});
  }

  DocumentKind decide() const {
    DocumentKind kind;
    size_t best = 1;
    for (size_t i = 1; i < weights_.size(); ++i) {
      if (weights_[i] > weights_[best]) best = i;
    }
    double second = kEnough;
    for (size_t i = 1; i < weights_.size(); ++i) {
      if (i != best) second = std::max(second, weights_[i]);
    }
    const double best_weight = weights_[best];
    if (best_weight >= kEnough) kind.type = static_cast<DocumentType>(best);
    const double margin = kind.is_accepted() ? best_weight - second : kEnough - best_weight;
    kind.confidence = 1 / (1 + std::exp(-margin - 0.5));
    std::vector<Found> reasons = found_;
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](const Found& a, const Found& b) { return a.weight > b.weight; });
    for (const Found& one : reasons) {
      if (static_cast<size_t>(one.type) == best) kind.reasons.push_back(one.reason);
    }
    return kind;
  }

 private:
  struct Found {
    DocumentType type;
    double weight;
    std::string reason;
  };
  std::array<double, 5> weights_{};
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

void weigh_beginning(std::string_view beginning, std::string_view title, Weigher& weigher) {
  const auto look = [&](std::span<const Evidence> list, DocumentType type, std::string_view where,
                        std::string_view words) {
    for (const Evidence& one : list) {
      if (holds_phrase(words, one.phrase)) {
        weigher.add(type, one.weight, fmt::format("\"{}\" {}", one.phrase, where));
      }
    }
  };
  look(kThesis, DocumentType::kThesis, "on the first pages", beginning);
  look(kReport, DocumentType::kReport, "on the first pages", beginning);
  look(kFaq, DocumentType::kFaq, "in the title", title);
}

// Short lines that are headings, or questions.
void weigh_lines(std::string_view text, Weigher& weigher) {
  std::array<bool, std::size(kPaperParts)> has_part{};
  size_t lines = 0, questions = 0, chapters = 0;
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
    const size_t letter = folded.find_first_not_of("0123456789 ");
    folded.erase(0, std::min(letter, folded.size()));
    for (size_t i = 0; i < has_part.size(); ++i) has_part[i] |= folded == kPaperParts[i].phrase;
  }
  for (size_t i = 0; i < has_part.size(); ++i) {
    if (has_part[i]) {
      weigher.add(DocumentType::kPaper, kPaperParts[i].weight,
                  fmt::format("a part \"{}\"", kPaperParts[i].phrase));
    }
  }
  if (chapters >= 4) weigher.add(DocumentType::kThesis, 1.5, fmt::format("{} chapters", chapters));
  if (questions >= 8 && questions * 12 >= lines) {
    weigher.add(DocumentType::kFaq, 3, fmt::format("{} questions", questions));
  }
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

std::string_view name_of(DocumentType type) {
  constexpr std::array<std::string_view, 5> kNames = {"other", "thesis", "paper", "report", "faq"};
  return kNames[static_cast<size_t>(type)];
}

DocumentKind kind_of(const DocumentText& document, const DocumentHeader& header) {
  Weigher weigher;
  const std::string_view text = document.text;
  weigh_beginning(folded_words(text.substr(0, kFirstPages)), folded_words(header.title.value),
                  weigher);
  weigh_lines(text, weigher);
  if (text.size() > 120'000) weigher.add(DocumentType::kThesis, 1, "the length of a book");
  if (!header.abstract.value.empty()) weigher.add(DocumentType::kPaper, 1.5, "an abstract");
  if (!header.keywords.value.empty() && header.keywords.source == HeaderSource::kText) {
    weigher.add(DocumentType::kPaper, 1, "keywords");
  }
  if (header.references >= 3) {
    weigher.add(DocumentType::kPaper, 1.2, fmt::format("{} references", header.references));
    if (const size_t citations = citations_in(text); citations >= 5) {
      weigher.add(DocumentType::kPaper, 0.8, fmt::format("{} citations", citations));
    }
  }
  return weigher.decide();
}

}  // namespace dowser
