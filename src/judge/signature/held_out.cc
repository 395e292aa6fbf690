#include "judge/signature/held_out.h"

#include <algorithm>

#include "learn/signature/signature_relevance.h"
#include "learn/signature/signature_scanner.h"

// From which relevance on is a page about the topic? The thesis takes every page that a signature
// hits (Pinnamaneni 2013), so a table of contents that says "commit" near "transaction" once is as
// relevant as the chapter on transactions. Here the limit is chosen on pages kept apart:
//
//   five times, a library is learned from four fifths of the training pages and half of the
//   background, and judges the remaining training pages and the other half of the background;
//   the limit is the relevance at which F2 of these verdicts, all five together, is highest
//
// Half of the background is kept apart too, because the evidence of signatures is counted on the
// background that they were learned with. In F2 recall counts more than precision, since a crawl
// that refuses a good page loses its links too. Of two limits with the same F2 the lower one is
// taken.
//
// Example: ten held-out training pages have relevances from 0.4 to 0.8 and one has 0.05; of a
// hundred background pages five have 0.1 to 0.3 and one has 0.5. At 0.4 precision is 10/11 and
// recall 10/11, which is the best.
//
// Cost: five times that of learning the library.

namespace dowser {
namespace {

constexpr size_t kFolds = 5;

template <class IsWanted>
SignatureDocuments part_of(const SignatureDocuments& documents, IsWanted is_wanted) {
  SignatureDocuments part;
  part.spelling = documents.spelling;
  for (size_t i = 0; i < documents.size(); ++i) {
    if (!is_wanted(i)) continue;
    part.names.push_back(documents.names[i]);
    part.titles.push_back(documents.titles[i]);
    part.words.push_back(documents.words[i]);
  }
  return part;
}

// `others` were judged once in each fold, `own` once in all.
double best_limit(std::vector<double> own, std::vector<double> others, double folds, double beta) {
  std::sort(own.begin(), own.end());
  std::sort(others.begin(), others.end());
  const double all = beta * beta * static_cast<double>(own.size());
  double best = 0, best_f = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    if (own[i] <= 0 || (i > 0 && own[i] == own[i - 1])) continue;
    const double right = static_cast<double>(own.size() - i);
    const auto first = std::lower_bound(others.begin(), others.end(), own[i]);
    const double wrong = static_cast<double>(others.end() - first) / folds;
    const double f = (1 + beta * beta) * right / (right + wrong + all);
    if (f > best_f) best_f = f, best = own[i];
  }
  return best;
}

}  // namespace

std::vector<double> relevance_of(std::span<const Signature> library,
                                 const SignatureDocuments& documents) {
  const SignatureScanner scanner(library, PageWords::term_of);
  const SignatureRelevance relevance(library, scanner.groups(), PageWords::term_of,
                                     built_in_idf(library.front().settings.stemming));
  std::vector<double> all;
  for (const std::vector<TermId>& words : documents.words) {
    std::vector<GroupScanner::Event> events;
    for (uint32_t i = 0; i < words.size(); ++i) scanner.groups().add(words[i], i, events);
    all.push_back(relevance(count_hits(scanner.hits(events)), events, words.size()));
  }
  return all;
}

double least_relevance(const SignatureDocuments& training, const SignatureDocuments& background,
                       const SignatureLibraryOptions& options) {
  const auto is_learned_from = [](size_t i) { return i % 2 == 0; };
  const SignatureDocuments known = part_of(background, is_learned_from);
  const SignatureDocuments others = part_of(background, [&](size_t i) { return i % 2 != 0; });
  if (known.size() == 0 || others.size() == 0) return 0;
  std::vector<double> of_own, of_others;
  double folds = 0;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    const auto is_held = [&](size_t i) { return i % kFolds == fold; };
    const SignatureDocuments held = part_of(training, is_held);
    const SignatureDocuments rest = part_of(training, [&](size_t i) { return !is_held(i); });
    if (held.size() == 0 || rest.size() < 2) continue;
    SignatureLibraryOptions once = options;
    once.chooses_limit = false;
    const auto trained = train_library(rest, &known, once);
    if (!trained || trained->library.empty()) continue;
    for (const double x : relevance_of(trained->library, held)) of_own.push_back(x);
    for (const double x : relevance_of(trained->library, others)) of_others.push_back(x);
    ++folds;
  }
  if (folds == 0) return 0;
  return best_limit(std::move(of_own), std::move(of_others), folds, options.recall_weight);
}

}  // namespace dowser
