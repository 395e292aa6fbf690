#include "judge/signature/train_library.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "background/background.h"
#include "judge/signature/held_out.h"
#include "learn/signature/signature_files.h"
#include "text/stems.h"
#include "text/terms.h"

namespace dowser {
namespace {

// A word that the background vocabulary does not know is taken for one of this share.
constexpr double kLeastShare = 1.0 / 9000;

double idf_of(TermId stem) { return -std::log(std::max(background_share(stem), kLeastShare)); }

// The background vocabulary knows stems; a word that is not stemmed has the share of its stem.
TermWeight built_in_idf(const SignatureDocuments& training, bool stemmed) {
  if (stemmed) return idf_of;
  auto stems = std::make_shared<absl::flat_hash_map<TermId, TermId>>();  // copied with the function
  Stemmer english("en");
  for (const auto& [term, word] : training.spelling) {
    stems->emplace(term, term_id(english.stem(word)));
  }
  return [stems](TermId term) {
    const auto it = stems->find(term);
    return idf_of(it == stems->end() ? term : it->second);
  };
}

std::array<TermId, 3> terms_of(const KeywordTriple& words) {
  return {term_id(words[0]), term_id(words[1]), term_id(words[2])};
}

void remove(SignatureDocuments& documents, const std::vector<bool>& gone) {
  SignatureDocuments left;
  for (size_t i = 0; i < documents.size(); ++i) {
    if (gone[i]) continue;
    left.names.push_back(std::move(documents.names[i]));
    left.titles.push_back(std::move(documents.titles[i]));
    left.words.push_back(std::move(documents.words[i]));
  }
  left.spelling = std::move(documents.spelling);
  documents = std::move(left);
}

HitsRow row_of(const SignatureDocuments& documents, size_t i, std::vector<HitCount> hits) {
  return {documents.names[i], documents.titles[i], std::move(hits)};
}

HitsArray word_hits(std::span<const Signature> library, const SignatureDocuments& documents) {
  HitsArray array;
  absl::flat_hash_map<TermId, uint32_t> columns;
  for (const Signature& s : library) {
    for (const std::string& word : s.words) {
      const auto [it, is_new] =
          columns.try_emplace(term_id(word), static_cast<uint32_t>(array.signatures.size()));
      if (is_new) array.signatures.push_back(word);
    }
  }
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<SignatureScanner::Hit> hits;
    for (const TermId term : documents.words[i]) {
      if (const auto it = columns.find(term); it != columns.end()) hits.push_back({it->second, 0});
    }
    if (!hits.empty()) array.rows.push_back(row_of(documents, i, count_hits(hits)));
  }
  return array;
}

// Drops signatures that hit too many background documents, on which nothing was learned but how
// rare words are: "north america south" is in the texts on birds, and in as many others. If no
// signature is precise enough, the most precise ones stay.
void keep_precise(TrainedLibrary& trained, double least) {
  double best = 0;
  for (size_t i = 0; i < trained.all.size(); ++i) {
    if (!trained.refinement.signatures[i].kept) continue;
    best = std::max(best, trained.all[i].evidence.precision());
  }
  least = std::min(least, best);
  for (size_t i = 0; i < trained.all.size(); ++i) {
    RefinedSignature& refined = trained.refinement.signatures[i];
    const double precision = trained.all[i].evidence.precision();
    if (!refined.kept || precision >= least) continue;
    refined.kept = false;
    refined.reason =
        fmt::format("dropped: its precision is {:.2f}, below {:.2f}", precision, least);
  }
}

}  // namespace

std::function<double(std::string_view)> built_in_idf(bool stemmed) {
  return [stemmed](std::string_view word) {
    return idf_of(term_id(stemmed ? word : Stemmer("en").stem(word)));
  };
}

void SignatureDocuments::add(const PageWords& reader, const Page& page, std::string name) {
  names.push_back(std::move(name));
  titles.push_back(page.title);
  words.push_back(reader.words(page, spelling));
}

Status prepare_documents(SignatureDocuments& training, SignatureDocuments* background) {
  const size_t given = training.size();
  if (given == 0) return Error{"there is no training document: name some with --training"};
  std::vector<bool> gone(given);
  std::set<std::vector<TermId>> texts;
  size_t empty = 0;
  for (size_t i = 0; i < given; ++i) {
    empty += training.words[i].empty();
    gone[i] = training.words[i].empty() || !texts.insert(training.words[i]).second;
  }
  if (empty == given) {
    return Error{
        "no training document has a usable word: the documents are empty, or contain only stop "
        "words, or their text is outside paragraphs, lists and tables (then try --text all)"};
  }
  if (texts.size() < 2) {
    return Error{fmt::format(
        "{}: give at least two different texts on the topic, better fifteen",
        given == 1 ? "there is only one training document"
                   : fmt::format("the {} training documents all have the same text", given))};
  }
  remove(training, gone);
  if (!background) return {};
  const size_t others = background->size();
  if (others == 0) return Error{"there is no background document: name some with --background"};
  std::vector<bool> repeated(others);
  for (size_t i = 0; i < others; ++i) repeated[i] = texts.contains(background->words[i]);
  remove(*background, repeated);
  if (background->size() == 0) {
    return Error{
        "every background document is a training document too: give pages on other topics as "
        "--background"};
  }
  return {};
}

Result<std::vector<KeywordGroup>> find_groups(const SignatureDocuments& training,
                                              const SignatureDocuments* background,
                                              const SignatureLibraryOptions& options) {
  KeywordOptions keywords = options.keywords;
  keywords.window = options.settings.window;
  keywords.decay = options.settings.decay;
  TermWeight weight = [](TermId) { return 1.0; };
  if (options.weighting == "tf-idf") {
    weight = background ? inverse_document_frequency(training.words, background->words)
                        : built_in_idf(training, options.settings.stemming);
  }
  std::vector<KeywordGroup> groups;
  for (const FoundGroup& found : keyword_groups(training.words, weight, keywords)) {
    KeywordGroup& group = groups.emplace_back();
    for (size_t i = 0; i < 3; ++i) {
      const auto it = training.spelling.find(found.words[i]);
      if (it != training.spelling.end()) group.words[i] = it->second;
    }
    group.weights = found.weights;
    group.weighting = options.weighting;
    group.settings = options.settings;
  }
  if (groups.empty()) {
    return Error{fmt::format(
        "no group of keywords was found: no word occurs in {:.0f} % of the training documents and "
        "is rarer elsewhere; give more pages on one topic, or a smaller --spread",
        100 * keywords.spread)};
  }
  return groups;
}

Result<std::vector<Signature>> learn_library(std::span<const KeywordGroup> groups,
                                             const SignatureDocuments& training,
                                             const LearnSignatureOptions& options) {
  if (groups.empty()) return Error{"there are no keywords to learn signatures of"};
  std::vector<std::array<TermId, 3>> triples;
  for (const KeywordGroup& group : groups) triples.push_back(terms_of(group.words));
  const SignatureSettings& settings = groups.front().settings;
  const GroupScanner scanner(triples, settings.window, settings.decay);
  std::vector<std::vector<PlacedVector>> vectors(groups.size());
  for (uint32_t i = 0; i < training.size(); ++i) {
    scanner.scan(training.words[i], [&](uint32_t group, uint32_t, const SignatureVector& vector) {
      vectors[group].push_back({vector, i});
    });
  }
  std::vector<Signature> library;
  for (size_t g = 0; g < groups.size(); ++g) {
    size_t number = 0;
    for (Signature& signature : learn_signatures(vectors[g], options)) {
      signature.words = groups[g].words;
      signature.settings = settings;
      signature.name = fmt::format("{}_{}", group_name(signature.words), ++number);
      library.push_back(std::move(signature));
    }
  }
  if (library.empty()) {
    return Error{
        fmt::format("no signature was learned: no group of keywords occurs together {} times in "
                    "the training documents; give more documents, or a smaller --least-support",
                    options.least_support)};
  }
  return library;
}

HitsArray hits_of(std::span<const Signature> library, const SignatureDocuments& documents,
                  bool words) {
  if (words) return word_hits(library, documents);
  HitsArray array;
  for (const Signature& s : library) array.signatures.push_back(s.name);
  const SignatureScanner scanner(library, PageWords::term_of);
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<HitCount> hits = count_hits(scanner.hits(documents.words[i]));
    if (!hits.empty()) array.rows.push_back(row_of(documents, i, std::move(hits)));
  }
  return array;
}

void add_evidence(std::vector<Signature>& library, const HitsArray& training, size_t training_of,
                  const HitsArray& background, size_t background_of) {
  for (Signature& s : library) {
    s.evidence = {0, static_cast<uint32_t>(training_of), 0, static_cast<uint32_t>(background_of)};
  }
  for (const HitsRow& row : training.rows) {
    for (const HitCount& hit : row.hits) ++library[hit.signature].evidence.training;
  }
  for (const HitsRow& row : background.rows) {
    for (const HitCount& hit : row.hits) ++library[hit.signature].evidence.background;
  }
}

void add_keyword_evidence(std::vector<Signature>& library, const SignatureDocuments& training,
                          const SignatureDocuments& background) {
  std::map<std::string, SignatureEvidence> of_words;
  const auto count = [&](const SignatureDocuments& documents, uint32_t SignatureEvidence::*with) {
    const HitsArray words = hits_of(library, documents, true);
    for (const HitsRow& row : words.rows) {
      for (const HitCount& hit : row.hits) ++(of_words[words.signatures[hit.signature]].*with);
    }
  };
  count(training, &SignatureEvidence::training);
  count(background, &SignatureEvidence::background);
  for (Signature& s : library) {
    for (size_t i = 0; i < 3; ++i) {
      s.of_words[i] = of_words[s.words[i]];
      s.of_words[i].training_of = static_cast<uint32_t>(training.size());
      s.of_words[i].background_of = static_cast<uint32_t>(background.size());
    }
  }
}

Result<TrainedLibrary> train_library(const SignatureDocuments& training,
                                     const SignatureDocuments* background,
                                     const SignatureLibraryOptions& options) {
  TrainedLibrary trained;
  auto groups = find_groups(training, background, options);
  if (!groups) return groups.error();
  trained.groups = std::move(*groups);
  auto all = learn_library(trained.groups, training, options.learn);
  if (!all) return all.error();
  trained.all = std::move(*all);
  trained.training = hits_of(trained.all, training);
  const HitsArray elsewhere = background ? hits_of(trained.all, *background) : HitsArray{};
  add_evidence(trained.all, trained.training, training.size(), elsewhere,
               background ? background->size() : 0);
  add_keyword_evidence(trained.all, training, background ? *background : SignatureDocuments{});
  auto refinement = refine_signatures(trained.training, options.refine);
  if (!refinement) return refinement.error();
  trained.refinement = std::move(*refinement);
  if (background) keep_precise(trained, options.least_precision);
  for (size_t i = 0; i < trained.all.size(); ++i) {
    if (trained.refinement.signatures[i].kept) trained.library.push_back(trained.all[i]);
  }
  if (!background || !options.chooses_limit) return trained;
  const double least = least_relevance(training, *background, options);
  for (Signature& s : trained.library) s.least_relevance = least;
  return trained;
}

}  // namespace dowser
