#include "judge/signature/signature_judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shorten.h"
#include "judge/signature/page_words.h"
#include "judge/signature/train_library.h"
#include "learn/signature/signature_files.h"
#include "learn/signature/signature_scanner.h"
#include "text/stems.h"
#include "text/terms.h"

// Signatures: a page is relevant if a semantic signature of the topic has a hit in it (Pinnamaneni
// 2013: "URLs of documents for which at least one semantic signature is recorded").
//
// The thesis has no degree of relevance; ours is the noisy-or of the signatures that hit, each with
// the share of its hits on training and background documents that were on the topic:
//
//   relevance = 1 - Π (1 - precision(s))    over the signatures s with a hit, each once
//   precision = t / (1 + t + b)             t training, b background documents with a hit
//
// So a page that one doubtful signature hits has 0.3, and one that three good ones hit 0.99.
// Relevant is what has a hit; with a threshold of the user, what reaches it.
//
// The library is a model that `dowser learn signatures` made, or is learned from the example pages,
// with the program's own vocabulary in place of a background set: then nothing is known of hits
// elsewhere, and b = 0. Parameters of learning: window, decay, spread, heads, stemming, text.
//
// relevance() of a page of which only the terms were kept is an estimate, since the order of its
// words is lost: a signature counts whose head and one more of its words are there.
//
// Cost: one pass over the words of the page; see learn/signature/group_scanner.cc.

namespace dowser {
namespace {

constexpr size_t kMostReasons = 12;

class SignatureJudge final : public Judge {
 public:
  SignatureJudge(Spec spec, const std::vector<Signature>& library, std::optional<double> threshold)
      : spec_(std::move(spec)),
        words_(library.front().settings),
        scanner_(library, PageWords::term_of),
        threshold_(threshold) {
    Stemmer english("en");
    for (const Signature& s : library) {
      Target target{s.name, s.evidence.precision(), {}};
      for (size_t i = 0; i < 3; ++i) {
        target.stems[i] =
            term_id(s.settings.stemming ? std::string_view(s.words[i]) : english.stem(s.words[i]));
      }
      least_ = std::min(least_, target.precision);
      targets_.push_back(std::move(target));
    }
  }

  Judgement judge(const Page& page) const override {
    Judgement judgement;
    const auto events = words_.keywords(page, scanner_.groups());
    if (events.empty()) return judgement;
    double none = 1;  // probability that no signature that hits is right
    for (const HitCount& hit : count_hits(scanner_.hits(events))) {
      const Target& target = targets_[hit.signature];
      none *= 1 - target.precision;
      judgement.reasons.push_back({target.name, target.precision});
    }
    if (judgement.reasons.empty()) return judgement;
    judgement.relevance.value = 1 - none;
    judgement.relevant = !threshold_ || judgement.relevance.value >= *threshold_;
    std::stable_sort(judgement.reasons.begin(), judgement.reasons.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
    if (judgement.reasons.size() > kMostReasons) judgement.reasons.resize(kMostReasons);
    return judgement;
  }

  Relevance relevance(const PageTerms& page) const override {
    const auto has = [&](TermId term) {
      const auto it = std::lower_bound(page.terms.begin(), page.terms.end(), term,
                                       [](const TermCount& t, TermId id) { return t.term < id; });
      return it != page.terms.end() && it->term == term;
    };
    double none = 1;
    for (const Target& t : targets_) {
      if (has(t.stems[0]) && (has(t.stems[1]) || has(t.stems[2]))) none *= 1 - t.precision;
    }
    return {1 - none};
  }

  Spec spec() const override { return spec_; }
  double threshold() const override { return threshold_.value_or(least_); }

 private:
  struct Target {
    std::string name;
    double precision;
    std::array<TermId, 3> stems;
  };

  const Spec spec_;
  const PageWords words_;
  const SignatureScanner scanner_;
  const std::optional<double> threshold_;
  std::vector<Target> targets_;
  double least_ = 1;
};

Result<std::vector<Signature>> learn_from_examples(const Topic& topic,
                                                   const LibraryOptions& options) {
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
  LibraryOptions options;
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
        "signatures  and give it with --model, or name some fifteen pages with --example"};
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
