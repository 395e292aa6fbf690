#include "judge/signature/signature_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/shorten.h"
#include "judge/reasons.h"
#include "judge/signature/keyword_finder.h"
#include "judge/signature/page_words.h"
#include "judge/signature/train_library.h"
#include "learn/signature/signature_files.h"
#include "learn/signature/signature_relevance.h"
#include "learn/signature/signature_scanner.h"
#include "text/stems.h"
#include "text/terms.h"

// Signatures: a page is relevant if a semantic signature of the topic has a hit in it (Pinnamaneni
// 2013: "URLs of documents for which at least one semantic signature is recorded").
//
// The thesis has no degrees of relevance; ours combines how precise the signatures that hit are and
// how often their keywords occur in the page (learn/signature/signature_relevance.cc). A page is
// relevant from the relevance on that the library says (judge/signature/held_out.cc), or the user's
// threshold. If neither is given, as with a library learned without a background, a hit suffices.
//
// The library is a model that `dowser learn signatures` made, or is learned from the example pages,
// with the program's own vocabulary in place of a background set: then nothing is known about hits
// elsewhere, and b = 0. Parameters of learning: window, decay, spread, heads, stemming, text.
//
// relevance() of a page of which only the terms were kept is an estimate, since the order of its
// words is lost: a signature counts whose head and one more of its words are there.
//
// Cost: one pass over the words of the page; see learn/signature/group_scanner.cc.

namespace dowser {
namespace {

class SignatureJudge final : public Judge {
 public:
  SignatureJudge(Spec spec, const std::vector<Signature>& library, std::optional<double> threshold)
      : spec_(std::move(spec)),
        scanner_(library, PageWords::term_of),
        finder_(library, scanner_.groups()),
        relevance_(library, scanner_.groups(), PageWords::term_of,
                   built_in_idf(library.front().settings.stemming)),
        threshold_(threshold) {
    Stemmer english("en");
    for (const Signature& s : library) {
      least_ = std::max(least_, s.least_relevance);
      Target target{s.name, s.evidence.precision(), {}, {}};
      for (size_t i = 0; i < 3; ++i) {
        target.stems[i] =
            term_id(s.settings.stemming ? std::string_view(s.words[i]) : english.stem(s.words[i]));
        target.keywords[i] = scanner_.groups().keyword_of(PageWords::term_of(s.words[i]));
      }
      targets_.push_back(std::move(target));
    }
  }

  Judgement judge(const Page& page) const override {
    Judgement judgement;
    const auto events = finder_.find(page);
    if (events.empty()) return judgement;
    const std::vector<HitCount> hits = count_hits(scanner_.hits(events));
    if (hits.empty()) return judgement;
    double sum = 0;
    for (const HitCount& hit : hits) {
      const Target& target = targets_[hit.signature];
      judgement.reasons.push_back({target.name, -std::log1p(-target.precision)});
      sum += judgement.reasons.back().weight;
    }
    judgement.relevance.value = relevance_(hits, events, page.placed_terms.size());
    judgement.relevant = judgement.relevance.value >= threshold_.value_or(least_);
    // The more precise a signature, the larger its share of the relevance.
    judgement.reasons =
        joined(scaled(std::move(judgement.reasons), judgement.relevance.value / sum), {});
    return judgement;
  }

  Relevance relevance(const PageTerms& page) const override {
    size_t length = 0;
    for (const TermCount& term : page.terms) length += term.count;
    const auto count = [&](TermId term) -> uint32_t {
      const auto it = std::lower_bound(page.terms.begin(), page.terms.end(), term,
                                       [](const TermCount& t, TermId id) { return t.term < id; });
      return it != page.terms.end() && it->term == term ? it->count : 0;
    };
    std::vector<HitCount> hits;
    std::vector<uint32_t> counts(scanner_.groups().keywords());
    for (uint32_t i = 0; i < targets_.size(); ++i) {
      std::array<uint32_t, 3> found;
      for (size_t word = 0; word < 3; ++word) {
        found[word] = count(targets_[i].stems[word]);
        counts[targets_[i].keywords[word]] = found[word];
      }
      if (found[0] > 0 && (found[1] > 0 || found[2] > 0)) hits.push_back({i, 1});
    }
    return {relevance_(hits, counts, length)};
  }

  Spec spec() const override { return spec_; }
  double threshold() const override {
    return threshold_.value_or(std::max(least_, relevance_.least()));
  }

 private:
  struct Target {
    std::string name;
    double precision;
    std::array<TermId, 3> stems;
    std::array<uint32_t, 3> keywords;  // their numbers in the scanner
  };

  const Spec spec_;
  const SignatureScanner scanner_;
  const KeywordFinder finder_;
  const SignatureRelevance relevance_;
  const std::optional<double> threshold_;
  double least_ = 0;  // of the library
  std::vector<Target> targets_;
};

Result<std::vector<Signature>> learn_from_examples(const Topic& topic,
                                                   const SignatureLibraryOptions& options) {
  const PageWords reader(options.settings);
  SignatureDocuments training;
  for (const Page& page : topic.examples) {
    training.add(reader, page, std::string(page.url.href()));
  }
  const auto named = [](const Error& error) {
    return Error{"the signatures judge cannot learn from the examples: " + error.message};
  };
  if (Status s = prepare_documents(training, nullptr); !s) return named(s.error());
  auto trained = train_library(training, nullptr, options);
  if (!trained) return named(trained.error());
  return std::move(trained->library);
}

}  // namespace

Result<std::vector<Signature>> signatures_of(const Spec& spec, const JudgeContext& context) {
  Parameters p(spec);
  SignatureLibraryOptions options;
  const int64_t window = p.integer("window", options.settings.window);
  const int64_t heads = p.integer("heads", options.keywords.heads);
  options.settings.decay = p.number("decay", options.settings.decay);
  options.keywords.spread = p.number("spread", options.keywords.spread);
  options.settings.stemming = p.choice("stemming", {"no", "yes"}) == "yes";
  options.settings.text = p.choice("text", {"text", "paragraphs", "all"});
  if (auto bad = p.finish()) return *bad;
  if (window < 1 || window > 1000 || heads < 1 || heads > 1000 || options.settings.decay <= 0 ||
      options.keywords.spread < 0 || options.keywords.spread > 1) {
    return Error{
        "window and heads of signatures must be from 1 to 1000, decay above 0, spread from 0 to 1"};
  }
  if (!context.model.empty()) {
    if (!spec.parameters.empty()) return Error{"signatures takes its parameters from the model"};
    return read_library_text(context.model);
  }
  if (context.topic.examples.empty()) {
    return Error{
        "the signatures judge needs a library or example pages: make one with  dowser learn "
        "signatures  and give it with --model, or name about fifteen pages with --example"};
  }
  options.settings.window = static_cast<uint32_t>(window);
  options.keywords.heads = static_cast<uint32_t>(heads);
  return learn_from_examples(context.topic, options);
}

Result<std::unique_ptr<Judge>> make_signatures_judge(const Spec& spec,
                                                     const JudgeContext& context) {
  const auto library = signatures_of(spec, context);
  if (!library) return library.error();
  return std::unique_ptr<Judge>(
      std::make_unique<SignatureJudge>(spec, *library, context.threshold));
}

std::vector<SignaturePassage> passages(const std::vector<Signature>& library, const Page& page) {
  constexpr size_t kAround = 6;  // words on either side
  constexpr size_t kLongest = 200;
  if (library.empty()) return {};
  const PageWords reader(library.front().settings);
  const SignatureScanner scanner(library, PageWords::term_of);
  const std::vector<PlacedTerm> placed = reader.placed_words(page);
  std::vector<TermId> words;
  for (const PlacedTerm& term : placed) words.push_back(term.id);
  const auto hits = scanner.hits(words);
  std::vector<SignaturePassage> all;
  for (const HitCount& hit : count_hits(hits)) {
    const auto first = std::find_if(hits.begin(), hits.end(),
                                    [&](const auto& h) { return h.signature == hit.signature; });
    const size_t begin = first->position > kAround ? first->position - kAround : 0;
    const size_t end = std::min<size_t>(first->position + kAround, placed.size() - 1);
    const size_t stop =
        std::min(page.text.find_first_of(" \n", placed[end].place), page.text.size());
    std::string text(page.words({placed[begin].place, static_cast<uint32_t>(stop)}));
    std::replace(text.begin(), text.end(), '\n', ' ');
    all.push_back({hit.signature, hit.count, shortened(text, kLongest)});
  }
  return all;
}

}  // namespace dowser
